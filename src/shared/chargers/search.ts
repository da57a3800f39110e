import type { ChargerLocation } from './charger.ts'
import type { Point } from './distance.ts'
import { fold } from './fold.ts'
import type { PreparedCharger } from './prepare.ts'

/** An airfield that a search can find, with the chargers there. */
export interface FoundAirfield {
  icao: string | null
  airfield: string | null
  /** From the first charger that has one. */
  location: ChargerLocation | null
  ids: number[]
}

interface Entry {
  found: FoundAirfield
  /** Folded, without spaces. */
  code: string
  name: string
  /** Code and name with a space before each word, so that " word" matches the beginning of a word. */
  words: string
}

/** In the order of equally good results. */
export type SearchIndex = readonly Entry[]

type Searched = Pick<PreparedCharger, 'charger' | 'code' | 'names'>

export function searchIndex(prepared: readonly Searched[]): SearchIndex {
  const byPlace = Map.groupBy(prepared, ({ code, names }) => `${joined(code)}\n${names}`)
  byPlace.delete('\n')
  return [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, alike]) => airfieldsOf(alike))
}

/** Of chargers with one code and name: as many as there are places. */
function airfieldsOf(alike: readonly Searched[]): Entry[] {
  const entries: Entry[] = []
  for (const { charger, code, names: name } of alike) {
    const { id, icao, airfield, location } = charger
    const known = entries.find(({ found }) => isNear(found.location, location))
    known?.found.ids.push(id)
    if (known !== undefined) known.found.location ??= location
    else
      entries.push({
        found: { icao, airfield, location, ids: [id] },
        code: joined(code),
        name,
        words: ` ${codeWords(code)} ${name}`,
      })
  }
  return entries
}

/** Within about ten miles: one airfield. A charger without a position belongs to the first of its name. */
const NEAR_DEGREES = 0.15

/** Whether two positions are those of one airfield, as far as that can be told without trigonometry. */
export function isNear(one: Point | null, other: Point | null): boolean {
  if (one === null || other === null) return true
  const lngs = Math.abs(one.lng - other.lng)
  return (
    Math.abs(one.lat - other.lat) <= NEAR_DEGREES &&
    Math.min(lngs, 360 - lngs) * Math.cos((one.lat * Math.PI) / 180) <= NEAR_DEGREES
  )
}

const MAX_QUERY_CHARS = 100

/**
 * Airfields for what was typed so far, best first: the exact code, codes with this prefix, names with this prefix, names in
 * which every typed word is the beginning of a word, then those in which every typed word occurs anywhere. Case and accents
 * are ignored. An empty query finds nothing.
 */
export function searchAirfields(index: SearchIndex, query: string, limit = 10): FoundAirfield[] {
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
  for (const word of words) if (!text.includes(word)) return null
  if (code === joined(typed)) return 0
  if (code.startsWith(joined(typed))) return 1
  if (name.startsWith(typed)) return 2
  return words.every((word) => text.includes(` ${word}`)) ? 3 : 4
}

const joined = (folded: string) => folded.replaceAll(' ', '')

/** The spellings of a folded code that people type: "edxx 12" and "edxx12". */
export function codeWords(code: string): string {
  return code.includes(' ') ? `${code} ${joined(code)}` : code
}
