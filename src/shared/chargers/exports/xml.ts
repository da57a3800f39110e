/** Not allowed in XML 1.0 at all, or control characters that a terminal would obey. */
const UNWANTED = /(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * Any text as the content of an element or attribute of XML 1.0. What XML cannot hold is left out; characters that turn
 * text around are written as references, so that they act in no terminal or editor.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWANTED, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\r\p{Bidi_Control}\u2028\u2029]/gu, (character) => `&#${character.charCodeAt(0)};`)
}

/** `xsd:decimal` knows no exponents. Seven decimals are a centimetre. */
export function xmlDecimal(value: number): string {
  return value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}
