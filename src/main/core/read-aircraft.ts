import { z } from 'zod'
import { MOST_AIRCRAFT } from '../../shared/chargers/route/aircraft.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { KeptAircraft } from '../../shared/settings/settings.ts'
import { AircraftEntry, withEntries } from './aircraft-entries.ts'
import { memberPath } from './member-path.ts'
import { readJson } from './read-json.ts'
import { whyUnfit } from './why-unfit.ts'

/** Of a configuration only what aircraft need. */
const WithAircraft = z.looseObject({ chargers: z.looseObject({ aircraft: z.unknown() }) })
const Entries = z.array(AircraftEntry).max(MOST_AIRCRAFT)

/** The saved aircraft with those of a file, and what is wrong in it by the path of the member: with a problem, nothing may be stored. */
interface ReadAircraft {
  aircraft: KeptAircraft[]
  problems: { path: string; why: Sentence }[]
}

/**
 * The aircraft of a configuration: `chargers.aircraft`, and nothing else of it. Throws `bad_request` for what is no JSON, and for a file
 * without aircraft.
 */
export function readAircraft(bytes: Uint8Array, kept: readonly KeptAircraft[]): ReadAircraft {
  const json = readJson(bytes)
  if ('wrong' in json)
    throw new AppError('bad_request', say('aircraft_unreadable', { why: raw(json.wrong.replace(/\.$/, '')) }))
  const file = WithAircraft.safeParse(json.value)
  if (file.data?.chargers.aircraft === undefined) throw new AppError('bad_request', say('aircraft_none'))
  const at = (path: readonly PropertyKey[]) => memberPath(['chargers', 'aircraft', ...path])
  const entries = Entries.safeParse(file.data.chargers.aircraft)
  if (entries.success) {
    if (entries.data.length === 0) throw new AppError('bad_request', say('aircraft_none'))
    const { aircraft, problems } = withEntries(kept, entries.data)
    return { aircraft, problems: problems.map(({ path, why }) => ({ path: at(path), why })) }
  }
  const problems = entries.error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key]) : [[]]
    return names.map((name) => ({ path: at([...issue.path, ...name]), why: whyUnfit(issue) }))
  })
  return { aircraft: [...kept], problems }
}
