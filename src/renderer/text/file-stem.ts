const MAX_LETTERS = 60

/** A name for a file without its ending, from one that a person gave: letters and digits of any script, with dashes between. */
export function fileStem(name: string, otherwise: string): string {
  const stem = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return [...stem].slice(0, MAX_LETTERS).join('') || otherwise
}
