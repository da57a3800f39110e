import type { ChargePoint } from '../../shared/charger.ts'
import type { Clock, Random, RateHold } from '../../shared/ports.ts'
import type { Answer } from '../core/answer.ts'
import { backoffMs } from '../core/backoff.ts'
import { sleep } from './charger-sleep.ts'

/** The documented maximum. */
const PER_PAGE = 200
/** A service that has more, or never ends, is read up to here and marked as incomplete. */
const MAX_PAGES = 2000
const MAX_CHARGERS = 200_000
const MAX_BYTES = 256 * 1024 * 1024
/** A list that changes while it is read is read again, so often in all; a long one is not: it would take minutes. */
const MAX_PASSES = 3
const MOST_PAGES_TO_REPEAT = 50
/** 120 requests a minute per IP address are documented: a refusal ends within a minute, and others may share the address. */
const RATE_WAIT_MS = 60_000
const MIN_RATE_WAIT_MS = 1000
/** Whoever asks for more is not asked again here: asking sooner would be rude, and nobody waits so long for a page. */
const MAX_RATE_WAIT_MS = 120_000
const MAX_RATE_WAITS = 5
const PAGE_RETRY = { baseMs: 2000, capMs: 15_000 }

/** `complete` is false when the list kept changing, was longer than we read, or lacks records that the service counts. */
export interface ChargerCollection {
  chargers: ChargePoint[]
  unusable: number
  complete: boolean
}

export interface ChargerPage {
  chargers: ChargePoint[]
  /** Records that could not be used. */
  unusable: number
  /** Null when missing or malformed, as `total`. */
  lastPage: number | null
  total: number | null
  /** Of the answer's body. */
  sizeBytes: number
}

export interface CollectOptions {
  signal: AbortSignal
  /** Waited for before each request. */
  pace?: (signal: AbortSignal) => Promise<void>
  /** Told when a refusal for the rate is waited out, and with null when it goes on. */
  onHold?: (hold: RateHold | null) => void
  /** How often a page is asked for that gets no proper answer, and chance for the waits between. Otherwise once. */
  retry?: { tries: number; random: Random }
}

type ListPage = (page: number, perPage: number) => Promise<Answer<ChargerPage>>

interface Pass extends ChargerCollection {
  /** Worth another pass: what was read may lack records or hold some that are gone. */
  changed: boolean
}

/**
 * Reads every page, in ascending order of id. Pages shift when a charger comes or goes while they are read, so records can
 * show up twice (the last counts) or be missed: when the total changed, or fewer came than it says, all is read again. A
 * refusal for the rate (429) is waited out; any other answer than a page ends the whole with that answer.
 */
export async function collectChargers(
  list: ListPage,
  clock: Clock,
  options: CollectOptions,
): Promise<Answer<ChargerCollection>> {
  const patient = patiently(list, clock, options)
  for (let passes = 1; ; passes += 1) {
    const pass = await readOnce(patient)
    if (pass.kind !== 'ok') return pass
    const { changed, ...collection } = pass.value
    if (!changed || passes === MAX_PASSES) return { kind: 'ok', status: pass.status, value: collection }
  }
}

async function readOnce(list: (page: number) => Promise<Answer<ChargerPage>>): Promise<Answer<Pass>> {
  const byId = new Map<number, ChargePoint>()
  const totals = new Set<number | null>()
  let unusable = 0
  let bytes = 0
  for (let page = 1; ; page += 1) {
    const answer = await list(page)
    if (answer.kind !== 'ok') return answer
    const { chargers, lastPage, total } = answer.value
    const knownBefore = byId.size
    for (const charger of chargers) byId.set(charger.id, charger)
    unusable += answer.value.unusable
    bytes += answer.value.sizeBytes
    totals.add(total)
    const records = chargers.length + answer.value.unusable
    // A service that does not page gives the same page for ever.
    const nothingNew = byId.size === knownBefore && chargers.length > 0
    const ended = records === 0 || nothingNew || isLast({ page, lastPage, records, read: byId.size + unusable, total })
    const mayGoOn = page < MAX_PAGES && byId.size + unusable < MAX_CHARGERS && bytes < MAX_BYTES
    if (!ended && mayGoOn) continue
    const doubtful = !ended || totals.size > 1 || (total !== null && byId.size + unusable < total)
    const chargersInOrder = [...byId.values()].sort((one, other) => one.id - other.id)
    const changed = ended && doubtful && page <= MOST_PAGES_TO_REPEAT
    const pass = { chargers: chargersInOrder, unusable, complete: !doubtful, changed }
    return { kind: 'ok', status: answer.status, value: pass }
  }
}

/** Without a last page the total says it; without either a page that is not full does. */
function isLast(seen: { page: number; lastPage: number | null; records: number; read: number; total: number | null }) {
  if (seen.lastPage !== null) return seen.page >= seen.lastPage
  return seen.total === null ? seen.records < PER_PAGE : seen.read >= seen.total
}

/** Asks again after a 429, when it says or after a minute, a few times in all; and after no proper answer, if told to. */
function patiently(
  list: ListPage,
  clock: Clock,
  options: CollectOptions,
): (page: number) => Promise<Answer<ChargerPage>> {
  const { signal, pace, onHold, retry } = options
  let rateWaits = 0
  const waitMs = (answer: Answer<ChargerPage>, tries: number): number | null => {
    if (answer.kind === 'status' && answer.status === 429)
      return rateWaits++ < MAX_RATE_WAITS ? rateWaitMs(answer.retryAfterMs ?? RATE_WAIT_MS) : null
    if (retry === undefined || tries >= retry.tries || !isDoubtful(answer)) return null
    return backoffMs({ attempt: tries, ...PAGE_RETRY }, retry.random)
  }
  return async (page) => {
    for (let tries = 1; ; tries += 1) {
      await pace?.(signal)
      const answer = await list(page, PER_PAGE)
      const wait = signal.aborted ? null : waitMs(answer, tries)
      if (wait === null) return answer
      const isRefusal = answer.kind === 'status' && answer.status === 429
      if (isRefusal) {
        tries -= 1
        const sinceMs = clock.nowMs()
        onHold?.({ sinceMs, untilMs: sinceMs + wait })
      }
      await sleep(wait, clock, signal)
      if (signal.aborted) return answer
      if (isRefusal) onHold?.(null)
    }
  }
}

function rateWaitMs(wantedMs: number): number | null {
  return wantedMs > MAX_RATE_WAIT_MS ? null : Math.max(wantedMs, MIN_RATE_WAIT_MS)
}

/** The next answer may be another: nothing came, it was cut off, or the service stumbled. */
function isDoubtful(answer: Answer<ChargerPage>): boolean {
  return answer.kind === 'status' ? answer.status >= 500 : answer.kind !== 'ok'
}
