import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ListGap } from '../../shared/chargers/charger-status.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, RatePause } from '../../shared/runtime/ports.ts'
import { ChargerCache } from '../chargers/charger-cache.ts'
import { encodeSet, type ChargerSet } from '../chargers/charger-set.ts'
import { valueOf } from '../engine/calls/ask-service.ts'
import { realClock } from '../engine/real-clock.ts'
import { ChargerPace, PACE } from '../services/charger-pace.ts'
import { createChargerService, type ChargerFilter, type ChargerService } from '../services/charger-service.ts'
import type { ChargerCollection, ReadingProgress } from '../services/collect-chargers.ts'
import { countText, durationText } from '../core/english-figures.ts'
import { exitCodeOfError } from './exit-code.ts'
import type { Wired } from './wire-command.ts'
import type { Terminal } from './terminal.ts'
import { NEVER_STOPPED } from './stopping.ts'

const SAY_EVERY_MS = 5000

/** Chargers for a command: the service's, or the last ones cached in this data folder. */
export interface ChargerList extends ChargerCollection {
  /** Samples of the practice service, not for navigation. */
  sample: boolean
  /** When the service listed them. */
  atMs: number
  /** Why the service could not be asked, if these are cached; null otherwise. */
  kept: { error: AppError } | null
  /** Ids of cached chargers that the last refresh did not list, though it could not prove them gone. */
  unseen: readonly number[]
}

/**
 * Reads all chargers within the service's rate limit, with a few attempts for each page; reports waits and the progress of long
 * readings on standard error, and keeps a complete list in the data folder. If the service cannot be reached, returns the last list
 * there, of a command or of the window, if there is one.
 */
export async function readChargerList(terminal: Terminal, wired: Wired, filter: ChargerFilter): Promise<ChargerList> {
  const sample = wired.practice !== null
  const service = await serviceOf(wired)
  try {
    const read = await askAll(terminal, service, filter)
    const atMs = realClock.nowMs()
    if (!sample && read.gap === null && filter.icao == null && filter.country == null) await keep(wired, read, atMs)
    return { ...read, sample, atMs, kept: null, unseen: [] }
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code !== 'service_unreachable' || sample) throw error
    const set = await lastKept(wired)
    if (set === null) throw error
    const { unusable, duplicates, gap, unseen, atMs } = set
    const chargers = set.chargers.filter(isIn(filter))
    return { chargers, unusable, duplicates, gap, sample, atMs, kept: { error }, unseen }
  }
}

async function keep({ services, dataDir, log }: Wired, read: ChargerCollection, atMs: number): Promise<void> {
  if (services.chargers === null) return
  const { chargers, unusable, duplicates, gap } = read
  const set = await encodeSet({ chargers, unseen: [], unusable, duplicates, gap, atMs }, () => Math.trunc(atMs))
  await new ChargerCache(dataDir, log, 'commands').save(services.chargers.baseUrl, set)
}

async function lastKept({ services, dataDir, log }: Wired): Promise<ChargerSet | null> {
  if (services.chargers === null) return null
  const { baseUrl } = services.chargers
  const ofEngine = await new ChargerCache(dataDir, log).load(baseUrl, 0)
  const ofCommands = await new ChargerCache(dataDir, log, 'commands').load(baseUrl, 0)
  return (ofEngine?.atMs ?? -Infinity) > (ofCommands?.atMs ?? -Infinity) ? ofEngine : ofCommands
}

async function askAll(terminal: Terminal, service: ChargerService, filter: ChargerFilter): Promise<ChargerCollection> {
  const pace = new ChargerPace(realClock)
  const answer = await service.allChargers(filter, {
    signal: NEVER_STOPPED,
    pace: (signal) => pace.take(PACE.person, signal),
    random: Math.random,
    onPause: (pause) => sayPause(terminal, pause),
    onProgress: sayProgress((line) => terminal.err(line), realClock),
  })
  if (answer.kind === 'status' && answer.status === 429 && answer.retryAfterMs !== null)
    throw new AppError('rate_limited', say('cli_chargers_over_rate', { wait: durationText(answer.retryAfterMs) }))
  return valueOf(answer, 'chargers')
}

/** Prints the progress of a long reading every five seconds. */
export function sayProgress(
  print: (line: string) => void,
  clock: Pick<Clock, 'monotonicMs'>,
): (progress: ReadingProgress) => void {
  let saidMs = clock.monotonicMs()
  return ({ listed, counted }) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - saidMs < SAY_EVERY_MS) return
    saidMs = nowMs
    print(`Reading chargers: ${listed}${counted === null || counted < listed ? '' : ` of ${counted}`} so far.`)
  }
}

function sayPause(terminal: Terminal, pause: RatePause | null): void {
  if (pause !== null)
    terminal.err(
      `The charger service asks to wait: too many calls in a minute. Continuing in ${durationText(pause.untilMs - pause.sinceMs)}.`,
    )
}

/** The service's own filter by these parameters (charger document, Endpoints). */
function isIn({ icao, country }: ChargerFilter): (charger: ChargePoint) => boolean {
  const [code, prefix] = [icao?.trim().toUpperCase() ?? '', country?.trim().toUpperCase() ?? '']
  return (charger) => {
    const own = charger.icao?.trim().toUpperCase() ?? ''
    return (code === '' || own === code) && own.startsWith(prefix)
  }
}

async function serviceOf({ practice, services, secrets, http }: Wired): Promise<ChargerService> {
  if (practice !== null)
    return createChargerService({
      http,
      clock: realClock,
      baseUrl: practice.chargerBaseUrl,
      token: () => practice.partnerToken,
    })
  const { chargers } = services
  if (chargers === null) throw new AppError('key_missing', say('cli_no_charger_service'))
  const token = await secrets.get('chargers', chargers.origin)
  if (token === null) throw new AppError('key_missing', say('cli_no_token', { origin: chargers.origin }))
  return createChargerService({ http, clock: realClock, baseUrl: chargers.baseUrl, token: () => token })
}

export function exitCodeOfList({ kept, gap, unusable }: ChargerList): ExitCode {
  if (kept !== null) return exitCodeOfError(kept.error.code)
  return gap === null && unusable === 0 ? ExitCode.ok : ExitCode.someNotDone
}

/** Prints to standard error that the list is old, and what is missing from it. */
export function sayListNotes({ terminal }: { terminal: Terminal }, list: ChargerList): void {
  const { unusable, duplicates, gap, kept, atMs } = list
  if (kept !== null)
    terminal.err(
      `${kept.error.message} These chargers were stored on this computer ${durationText(realClock.nowMs() - atMs)} ago; their live states are the last known ones.`,
    )
  if (duplicates > 0)
    terminal.err(
      `${countText(duplicates, 'record')} repeated an id that was already in the list; the last record of each id counts.`,
    )
  if (unusable > 0) terminal.err(`Left out because of unreadable data: ${countText(unusable, 'charger')}.`)
  if (gap !== null) terminal.err(gapText(gap))
}

function gapText({ code, listed, counted }: ListGap): string {
  switch (code) {
    case 'short':
      return `Chargers are missing: the service counts ${String(counted)} but listed ${listed}.`
    case 'changing':
      return 'Chargers may be missing: the list of the service kept changing while it was read. Try again.'
    case 'too_long':
      return `Chargers are missing: the service has more than the ${listed} that Hangar reads.`
  }
}
