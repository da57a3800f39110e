/** Characters that XML 1.0 does not allow, and control characters that a terminal would interpret. */
const UNWANTED = /(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * Escapes any text for an element or attribute of XML 1.0. Characters that XML cannot hold are left out; bidirectional
 * control characters are written as references, so that they have no effect in a terminal or editor.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWANTED, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\r\p{Bidi_Control}\u2028\u2029]/gu, (character) => `&#${character.charCodeAt(0)};`)
}

/** `xsd:decimal` allows no exponents. Seven decimals are a centimetre. */
export function xmlDecimal(value: number): string {
  return value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}
