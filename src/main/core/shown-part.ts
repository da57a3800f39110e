/**
 * A part of a command or an address for a person to judge: in quotation marks; what is no letter, mark, number, sign or space is written as
 * its code, so that nothing in it can hide or look like another part.
 */
export function shownPart(part: string): string {
  const plain = JSON.stringify(part)
  return plain.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`)
}
