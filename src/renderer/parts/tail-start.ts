/** Right-to-left letters: the two parts of such a name would swap places. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const TAIL = 9
/** Combining marks, joiners and variation selectors belong to the character before them. */
const CLINGS_TO_WHAT_IS_BEFORE = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u

/** Where to split a name so that its end, with the extension, stays visible; 0 if it should not be split. */
export function tailStart(name: string): number {
  if (name.length <= TAIL * 2 || RIGHT_TO_LEFT.test(name)) return 0
  let at = name.length - TAIL
  while (at > 0 && (isLowSurrogate(name, at) || CLINGS_TO_WHAT_IS_BEFORE.test(name.slice(at)))) at -= 1
  return at
}

const isLowSurrogate = (name: string, at: number) => (name.charCodeAt(at) & 0xfc00) === 0xdc00
