import { codeWords, fold, joined } from './fold.ts'
import type { Site } from './group.ts'

interface Entry {
  found: Site
  /** Folded, without spaces. */
  code: string
  name: string
  /** Code and name with a space before each word, so that " word" matches the beginning of a word. */
  words: string
}

/** The airfields that a search can find, in the order of equally good results. */
export type SearchIndex = readonly Entry[]

export function searchIndex(sites: readonly Site[]): SearchIndex {
  const entries = sites.map((found): Entry => {
    const codes = [...new Set(found.members.map(({ code }) => code))].filter(Boolean)
    const name = [...new Set(found.members.map(({ names }) => names))].filter(Boolean).join(' ')
    return { found, code: joined(codes[0] ?? ''), name, words: ` ${codes.map(codeWords).join(' ')} ${name}` }
  })
  return entries
    .filter(({ code, name }) => code !== '' || name !== '')
    .sort(({ words: one }, { words: other }) => (one < other ? -1 : 1))
}

const MAX_QUERY_CHARS = 100

/**
 * Airfields for what was typed so far, best first: the exact code, codes and names with this prefix, names in which every typed word
 * begins a word, then those in which it occurs anywhere.
 */
export function searchAirfields(index: SearchIndex, query: string, limit = 10): Site[] {
  const typed = fold(query.slice(0, MAX_QUERY_CHARS))
  if (typed === '') return []
  const words = typed.split(' ')
  return index
    .map((entry) => ({ entry, rank: rankOf(entry, typed, words) }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => one.rank! - other.rank!)
    .slice(0, limit)
    .map(({ entry }) => entry.found)
}

function rankOf({ code, name, words: text }: Entry, typed: string, words: readonly string[]): number | null {
  if (!words.every((word) => text.includes(word))) return null
  if (code === joined(typed)) return 0
  if (code.startsWith(joined(typed))) return 1
  if (name.startsWith(typed)) return 2
  return words.every((word) => text.includes(` ${word}`)) ? 3 : 4
}
