import { createHash } from 'node:crypto'
import { z } from 'zod'
import { aircraftKey, MAX_AIRCRAFT } from '../../shared/chargers/route/aircraft.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { KeptAircraft } from '../../shared/settings/settings.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'

const { name, connectors, types, rangeNm, reserve, speedKt, usableKwh, maxKw } = KeptAircraft.shape

/** An aircraft as a configuration has it: known by its name, whose case does not count. */
export const AircraftEntry = z.strictObject({
  name: name.describe('What the aircraft is called; one that is saved under this name is changed, else it is new.'),
  rangeNm: rangeNm
    .optional()
    .describe('Range on a full charge in still air, in nautical miles. A new aircraft needs it.'),
  reserve: reserve
    .strict()
    .extend({
      value: reserve.shape.value.describe('How much of the range to keep in reserve.'),
      unit: reserve.shape.unit.describe('Nautical miles, minutes at the cruise speed, or percent of the range.'),
    })
    .optional()
    .describe('The part of the range to keep in reserve; none in a new aircraft without it.'),
  speedKt: speedKt.optional().describe('Cruise speed in knots; null if it is not known.'),
  usableKwh: usableKwh
    .optional()
    .describe('The energy for the whole range in kilowatt-hours; null if it is not known.'),
  maxKw: maxKw.optional().describe('The most power that the aircraft takes in kilowatts; null if it is not known.'),
  connectors: connectors.optional().describe('The connectors that it has, in any spelling.'),
  types: types.optional().describe('Names that lists of aircraft at chargers may use for it.'),
})
export type AircraftEntry = z.infer<typeof AircraftEntry>

/** What is wrong with an entry, at the path of a member from the list on, as in `[0, 'rangeNm']`. */
interface EntryProblem {
  path: (string | number)[]
  why: Sentence
}

/** The saved aircraft with these entries: those of the same name changed, new ones at the end. Where there are problems, store nothing. */
export function withEntries(
  kept: readonly KeptAircraft[],
  entries: readonly AircraftEntry[],
): { aircraft: KeptAircraft[]; problems: EntryProblem[] } {
  const aircraft = [...kept]
  const problems: EntryProblem[] = []
  const seen = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    const key = aircraftKey(entry.name)
    const known = aircraft.findIndex((one) => aircraftKey(one.name) === key)
    if (seen.has(key)) problems.push({ path: [at, 'name'], why: say('aircraft_twice', { name: entry.name }) })
    seen.add(key)
    const given = withoutUndefined(entry)
    if (known >= 0) aircraft[known] = { ...aircraft[known]!, ...given }
    else if (entry.rangeNm === undefined) problems.push({ path: [at, 'rangeNm'], why: say('aircraft_needs_range') })
    else aircraft.push({ ...PLAIN, ...given, rangeNm: entry.rangeNm, id: idOf(key) })
  }
  if (aircraft.length > MAX_AIRCRAFT && aircraft.length > kept.length)
    problems.push({ path: [], why: say('list_full', { most: MAX_AIRCRAFT }) })
  return { aircraft, problems }
}

/** As files have it: without the id, which is of this computer. */
export function entryOf({ id: _, ...entry }: KeptAircraft): AircraftEntry {
  return entry
}

const PLAIN = {
  connectors: [],
  types: [],
  reserve: { value: 0, unit: 'nm' },
  speedKt: null,
  usableKwh: null,
  maxKw: null,
} as const satisfies Omit<KeptAircraft, 'id' | 'name' | 'rangeNm'>

/** The same at each start with a configuration, so that a chosen aircraft stays chosen. */
const idOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)
