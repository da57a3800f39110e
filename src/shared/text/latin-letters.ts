/** Letters that Unicode does not decompose into a base letter and a mark, in lower case. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** In lower case, with Latin letters as in ASCII: without their marks, and "ss" for "ß". Letters of other scripts keep theirs. */
export const asciiLatin = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/(?<=[a-z]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
