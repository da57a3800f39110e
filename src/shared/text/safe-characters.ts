/* Characters without a glyph in text from elsewhere: what they do where a file is opened. */

/** Bidirectional embeddings, overrides and isolates: they affect the text after them, and may be left unclosed. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** Deprecated controls, marks of annotations, a byte order mark in the text, and tags outside of flags, which hide whole sentences. */
const HIDDEN = /[\u206a-\u206f\ufeff\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8})[\u{e0000}-\u{e007f}]/gu

/** Control characters that XML 1.0 does not allow or a terminal would interpret. */
const CONTROLS = /(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/gu

/** A text as it is taken from a person, a file or a service: well-formed, trimmed, without control characters but tabs and line ends. */
export const takenText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\r\n])\p{Cc}/gu, ' ')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Removes what would reorder the text displayed beside it. */
export function straightText(text: string): string {
  return text.replace(TURNS, '')
}

/** For i18next: whatever is filled into a sentence is straight. Markup is escaped by what draws the text. */
export const STRAIGHT_VALUES = { escapeValue: true, escape: straightText }

/** For formats without references: straight, on as many lines as it shows, and with nothing hidden. */
export function plainText(text: string): string {
  return straightText(text)
    .replace(HIDDEN, '')
    .replace(/[\u2028\u2029]/g, ' ')
}

/** For HTML or XML 1.0, in an element or a quoted attribute, without what is hidden; bidirectional controls become references. */
export function markupText(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(HIDDEN, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\r\p{Bidi_Control}\u2028\u2029]/gu, (character) => `&#${character.charCodeAt(0)};`)
}

/** Whether a text is in markup what it was. */
export function isWholeInMarkup(text: string): boolean {
  return text.isWellFormed() && text.search(CONTROLS) === -1 && text.search(HIDDEN) === -1
}

/** JSON in which the characters are escaped that a terminal or an editor would act on; `indent` as in `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029\u206a-\u206f\ufeff\ufff9-\ufffb]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
