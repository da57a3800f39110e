/** What is replaced in a text, and by what. */
export interface WordSearch {
  find: string
  replaceBy: string
  matchCase: boolean
  /** Only where no letter, mark or digit is adjacent. */
  wholeWords: boolean
}

const PART_OF_WORD = String.raw`[\p{L}\p{M}\p{N}]`

/** Replaces every occurrence, whichever way accents are encoded. Both strings are plain text, not patterns. */
export function replacerOf({ find, replaceBy, matchCase, wholeWords }: WordSearch): (text: string) => string {
  const plain = find.normalize('NFC').replaceAll(/[\^$.*+?()[\]{}|/\\]/g, String.raw`\$&`)
  const source = wholeWords ? `(?<!${PART_OF_WORD})${plain}(?!${PART_OF_WORD})` : plain
  const pattern = new RegExp(source, matchCase ? 'gu' : 'giu')
  return (text) => {
    const whole = text.normalize('NFC')
    const replaced = whole.replaceAll(pattern, () => replaceBy)
    return replaced === whole ? text : replaced
  }
}
