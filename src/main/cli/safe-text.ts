/** Characters that control a terminal or reorder text: control, bidirectional and line separators. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
/** Those of them that `JSON.stringify` does not escape. */
const ACTIVE_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu

/** One line of untrusted text that is safe for a terminal: active characters become visible instead. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replace(ACTIVE, '\ufffd')
}

/** One line of JSON in which characters that a terminal would act on are escaped. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(ACTIVE_IN_JSON, escaped)
}
