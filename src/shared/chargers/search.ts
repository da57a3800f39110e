import type { ChargerLocation } from '../charger.ts'
import { fold } from './fold.ts'
import type { PreparedCharger } from './prepare.ts'

/** An airfield that a search can find, with the chargers there. */
export interface FoundAirfield {
  icao: string | null
  airfield: string | null
  /** Of the first charger that has one. */
  location: ChargerLocation | null
  ids: readonly number[]
}

interface Entry {
  found: FoundAirfield
  code: string
  /** Code and name, each word after a space, so that " word" finds where a word begins. */
  words: string
  name: string
}

/** In the order in which equally good results are given. */
export type SearchIndex = readonly Entry[]

export function searchIndex(prepared: readonly Pick<PreparedCharger, 'charger' | 'code' | 'names'>[]): SearchIndex {
  const byPlace = new Map<string, { entry: Entry; ids: number[] }>()
  for (const { charger, code, names: name } of prepared) {
    const { id, icao, airfield, location } = charger
    if (code === '' && name === '') continue
    const place = `${code}\n${name}`
    const known = byPlace.get(place)
    if (known === undefined) {
      const ids = [id]
      byPlace.set(place, {
        ids,
        entry: { found: { icao, airfield, location, ids }, code, words: ` ${code} ${name}`, name },
      })
    } else {
      known.ids.push(id)
      known.entry.found.location ??= location
    }
  }
  return [...byPlace.values()]
    .map(({ entry }) => entry)
    .sort((one, other) => compare(one.code, other.code) || compare(one.name, other.name))
}

const MAX_QUERY_CHARS = 100
const RANKS = 5

/**
 * Airfields for what was typed so far, best first: the very code, codes that begin so, names that begin so, names in which
 * every typed word begins a word, then those in which every word occurs anywhere. Upper and lower case and accents make no
 * difference. An empty query finds nothing.
 */
export function searchAirfields(index: SearchIndex, query: string, limit = 10): FoundAirfield[] {
  const typed = fold(typeof query === 'string' ? query.slice(0, MAX_QUERY_CHARS) : null)
  if (typed === '' || !(limit >= 1)) return []
  const words = typed.split(' ')
  const ranked: FoundAirfield[][] = Array.from({ length: RANKS }, () => [])
  for (const entry of index) {
    const rank = rankOf(entry, typed, words)
    const equals = rank === null ? undefined : ranked[rank]
    if (equals !== undefined && equals.length < limit) equals.push(entry.found)
  }
  return ranked.flat().slice(0, limit)
}

function rankOf({ code, name, words: text }: Entry, typed: string, words: readonly string[]): number | null {
  for (const word of words) if (!text.includes(word)) return null
  if (code === typed) return 0
  if (code.startsWith(typed)) return 1
  if (name.startsWith(typed)) return 2
  return words.every((word) => text.includes(` ${word}`)) ? 3 : 4
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
