/** Characters that control a terminal or reorder text: control, bidirectional and line separators. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** One line of untrusted text that is safe for a terminal: active characters become visible instead. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replace(ACTIVE, '\ufffd')
}
