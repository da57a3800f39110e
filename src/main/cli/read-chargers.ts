import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerReading, ReadingProgress } from '../../shared/chargers/charger-status.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { say, raw } from '../../shared/sentences/sentence.ts'
import { ChargerCache } from '../chargers/charger-cache.ts'
import { nextSet } from '../chargers/charger-set.ts'
import { valueOf } from '../engine/calls/ask-service.ts'
import { realClock } from '../engine/real-clock.ts'
import { ChargerPace, PACE } from '../services/charger-pace.ts'
import { createChargerService, type ChargerQuery, type ChargerService } from '../services/charger-service.ts'
import { englishCharger as t } from '../core/english-charger.ts'
import { durationText } from '../core/english-figures.ts'
import { EXIT_CODES } from './exit-code.ts'
import type { Wired } from './wire-command.ts'
import type { Cli } from './command.ts'
import { forTerminal, type Terminal } from './terminal.ts'
import { NEVER_STOPPED } from './stopping.ts'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { oncePerName, readWaypoints, type ReadWaypoints } from '../core/read-waypoints.ts'
import { isAhead, isCurrent, liveStateLabel, syncedAtMs } from '../../shared/chargers/live-state.ts'
import { columns, DASH, sayFirst, shortened } from './figures.ts'

const SAY_EVERY_MS = 5000

/** The service's, or the last ones in this data folder. */
export interface ChargerList extends Readonly<ChargerReading> {
  /** Of the practice service, not for navigation. */
  sample: boolean
  /** When the service listed them. */
  atMs: number
  /** Why the service could not be asked, if these are cached. */
  keptFor: AppError | null
}

/**
 * Reads all chargers within the rate limit, says on stderr how it goes, and keeps a complete list in the data folder. If the service
 * cannot be reached, returns the last list there.
 */
export async function readChargerList(terminal: Terminal, wired: Wired, filter: ChargerQuery): Promise<ChargerList> {
  const { services, dataDir, log } = wired
  const source = wired.practice === null ? (services.chargers?.baseUrl ?? null) : null
  const [sample, cache] = [wired.practice !== null, new ChargerCache(dataDir, log)]
  const service = await serviceOf(wired)
  try {
    const read = await askAll(terminal, service, filter)
    const set = await nextSet(null, read, { atMs: realClock.nowMs(), lastVersion: 0 })
    const isAll = read.gap === null && filter.icao == null && filter.country == null
    if (source !== null && isAll) await cache.save(source, set)
    return { ...set, sample, keptFor: null }
  } catch (thrown) {
    const error = toAppError(thrown)
    const kept = error.code === 'service_unreachable' && source !== null ? await cache.load(source) : null
    if (kept === null) throw error
    return { ...kept, chargers: kept.chargers.filter(isIn(filter)), sample, keptFor: error }
  }
}

async function askAll(terminal: Terminal, service: ChargerService, filter: ChargerQuery): Promise<ChargerReading> {
  const pace = new ChargerPace(realClock)
  const answer = await service.allChargers(filter, {
    signal: NEVER_STOPPED,
    pace: (signal) => pace.take(PACE.person, signal),
    random: Math.random,
    onPause: (pause) => {
      if (pause === null) return
      const wait = durationText(pause.untilMs - pause.sinceMs)
      terminal.err(`The charger service asks Hangar to wait: too many calls in a minute. Continuing in ${wait}.`)
    },
    onProgress: sayProgress(terminal),
  })
  if (answer.kind === 'status' && answer.status === 429 && answer.retryAfterMs !== null)
    throw new AppError('rate_limited', say('cli_chargers_over_rate', { wait: durationText(answer.retryAfterMs) }))
  return valueOf(answer)
}

/** Says every five seconds how far a long reading is. */
function sayProgress(terminal: Terminal): (progress: ReadingProgress) => void {
  let saidMs = realClock.monotonicMs()
  return ({ listed, counted }) => {
    const nowMs = realClock.monotonicMs()
    if (nowMs - saidMs < SAY_EVERY_MS) return
    saidMs = nowMs
    terminal.err(`Reading chargers: ${listed}${counted === null || counted < listed ? '' : ` of ${counted}`} so far.`)
  }
}

/** The service's own filter by these parameters (charger document, Endpoints). */
function isIn({ icao, country }: ChargerQuery): (charger: ChargePoint) => boolean {
  const [code, prefix] = [icao?.trim().toUpperCase() ?? '', country?.trim().toUpperCase() ?? '']
  return (charger) => {
    const own = charger.icao?.trim().toUpperCase() ?? ''
    return (code === '' || own === code) && own.startsWith(prefix)
  }
}

async function serviceOf({ practice, services: { chargers }, secrets, http }: Wired): Promise<ChargerService> {
  const open = (baseUrl: string, token: string) =>
    createChargerService({ http, clock: realClock, baseUrl, token: () => token })
  if (practice !== null) return open(practice.chargerBaseUrl, practice.partnerToken)
  if (chargers === null) throw new AppError('key_missing', say('cli_no_charger_service'))
  const token = await secrets.get('chargers', chargers.origin)
  if (token === null) throw new AppError('key_missing', say('cli_no_token', { origin: chargers.origin }))
  return open(chargers.baseUrl, token)
}

export function exitCodeOfList({ keptFor, gap, unusable }: ChargerList): ExitCode {
  if (keptFor !== null) return EXIT_CODES[keptFor.code]
  return gap === null && unusable === 0 ? ExitCode.ok : ExitCode.someNotDone
}

const GAPS = { short: 'gap.short', changing: 'gap.changing', too_long: 'gap.tooLong' } as const

/** That the list is old, and what is missing from it. */
export function sayListNotes({ terminal }: { terminal: Terminal }, list: ChargerList): void {
  const { unusable, gap, keptFor, atMs } = list
  if (keptFor !== null)
    terminal.err(
      `${keptFor.message} These chargers were stored on this computer ${durationText(realClock.nowMs() - atMs)} ago; their live states are the last known ones.`,
    )
  if (unusable > 0) terminal.err(t('unusable', { count: unusable }))
  if (gap !== null) terminal.err(t(GAPS[gap.code], { listed: gap.listed, counted: gap.counted ?? 0 }))
}

/** Says on stderr which are left out. Throws `bad_request` for a file that cannot be read, is too large or has none. */
export async function readWaypointFiles({ cwd, terminal }: Cli, files: readonly string[]): Promise<ReadWaypoints> {
  let read: ReadWaypoints = { places: [], leftOut: [] }
  for (const file of files) {
    const { places, leftOut } = await readOne(resolve(cwd, file))
    read = oncePerName([...read.places, ...places], [...read.leftOut, ...leftOut])
  }
  sayFirst(
    terminal,
    read.leftOut.map(({ why }) => englishText(why)),
    'more waypoint',
  )
  return read
}

async function readOne(path: string): Promise<ReadWaypoints> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new AppError('bad_request', say('places_unreadable', { why: raw(String(error)) }), { cause: error })
  })
  if (bytes.length > MAX_IMPORT_BYTES)
    throw new AppError('bad_request', say('places_too_large', { most: MAX_IMPORT_BYTES / 1_000_000 }))
  return readWaypoints(bytes)
}

export const CHARGER_FORMATS = ['table', 'json', 'geojson', 'gpx', 'cup', 'csv'] as const
export type ChargerFormat = (typeof CHARGER_FORMATS)[number]

/** Throws `bad_request` if `--json` and the format differ. */
export function formatIn({ options: { json } }: Cli, given: ChargerFormat): ChargerFormat {
  const format = json === true && given === 'table' ? 'json' : given
  if (json === true && !['json', 'geojson'].includes(format))
    throw new AppError('bad_request', say('cli_two_formats', { format }))
  return format
}

/** One name must not widen the whole table; the other formats have all. */
const MAX_CELL = 40

/** Widest columns last. */
export function chargerTable(chargers: readonly ChargePoint[], nowMs: number): string[] {
  const head = ['ICAO', 'AIRFIELD', 'TYPE', 'KW', 'STATE', 'CONNECTORS', 'PAYMENT']
  const rows = chargers.map((charger) =>
    [
      charger.icao ?? DASH,
      charger.airfield ?? DASH,
      charger.type ?? DASH,
      charger.kw ?? DASH,
      stateText(charger, nowMs),
      charger.connectors.join(', ') || DASH,
      charger.paymentTypes.join(', ') || DASH,
    ].map((cell) => shortened(forTerminal(cell), MAX_CELL)),
  )
  return columns([head, ...rows])
}

/** The current live state, or the last one with its age, or whether it is available. */
function stateText({ liveState, liveStateSyncedAt, available }: ChargePoint, nowMs: number): string {
  const label = liveStateLabel(liveState)
  const atMs = syncedAtMs(liveStateSyncedAt)
  if (label !== null && isCurrent(atMs, nowMs)) return label
  if (label !== null)
    return `last known: ${label}, ${atMs === null || isAhead(atMs, nowMs) ? 'time not known' : `${durationText(nowMs - atMs)} ago`}`
  return available === null ? DASH : available ? 'yes (not live)' : 'no (not live)'
}
