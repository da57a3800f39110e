/** Characters that steer a terminal or turn text around: control, bidirectional and line separators. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
/** The same, as far as `JSON.stringify` leaves them as they are. */
const ACTIVE_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu

/** One line of untrusted text as a terminal may show it: what would act becomes visible instead. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replace(ACTIVE, '\ufffd')
}

/** One line of JSON; characters that would act on a terminal are escaped, so nothing is lost. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(ACTIVE_IN_JSON, escaped)
}
