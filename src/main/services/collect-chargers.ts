import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerReading, ListGap, ReadingProgress } from '../../shared/chargers/charger-status.ts'
import type { Clock, Random, RatePause } from '../../shared/runtime/ports.ts'
import type { Answer } from '../core/answer.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import { sleep } from '../core/sleep.ts'

const PER_PAGE = 200
/** Limits on what is read; a longer or endless list is marked as incomplete. */
const MAX_PAGES = 2000
const MAX_CHARGERS = 200_000
const MAX_BYTES = 256 * 1024 * 1024
/** A list whose figures do not agree is read this often. */
const MAX_READINGS = 3
const MIN_RATE_WAIT_MS = 1000
const MAX_RATE_WAIT_MS = 120_000

export interface ChargerPage {
  chargers: ChargePoint[]
  /** Records that could not be used. */
  unusable: number
  /** Null when missing or malformed. */
  lastPage: number | null
  total: number | null
  sizeBytes: number
}

export interface CollectOptions {
  signal: AbortSignal
  pace: (signal: AbortSignal) => Promise<void>
  /** Called when a rate refusal is being waited out, and with null when reading continues. */
  onPause: (pause: RatePause | null) => void
  /** Called after each page. */
  onProgress: (progress: ReadingProgress) => void
  random: Random
}

type ListPage = (page: number) => Promise<Answer<ChargerPage>>

/** All pages, read once. */
interface Pass {
  byId: Map<number, ChargePoint>
  /** Records in all, repeated and unusable ones included. */
  records: number
  unusable: number
  /** The totals that the pages stated. */
  totals: Set<number>
  /** False when a limit ended it. */
  isWhole: boolean
}

/**
 * Reads every page. A rate refusal (429) is waited out, and a page without a proper answer asked for again a few times; any other
 * answer ends the reading. Of records with one id the last counts.
 *
 * Pages shift when a charger is added or removed meanwhile. When totals differ, ids are repeated, or records are missing, everything is
 * read again until two readings are equal: any inconsistency is then the service's own.
 */
export async function collectChargers(
  list: (page: number, perPage: number) => Promise<Answer<ChargerPage>>,
  clock: Clock,
  options: CollectOptions,
): Promise<Answer<ChargerReading>> {
  const patient = patiently((page) => list(page, PER_PAGE), clock, options)
  let before: string | null = null
  for (let readings = 1; ; readings += 1) {
    const answer = await readOnce(patient, options.onProgress)
    if (answer.kind !== 'ok') return answer
    const { byId, records, unusable, totals, isWhole } = answer.value
    const facts = JSON.stringify([records, unusable, [...totals], [...byId.keys()]])
    const isStable = facts === before
    const gap = gapOf(answer.value, isStable)
    if (gap === null || isStable || !isWhole || readings === MAX_READINGS) {
      const chargers = [...byId.values()].sort((one, other) => one.id - other.id)
      return { ...answer, value: { chargers, unusable, gap } }
    }
    before = facts
  }
}

/** Ends where the service's figures say so, or at a page without anything new. */
async function readOnce(list: ListPage, onProgress: CollectOptions['onProgress']): Promise<Answer<Pass>> {
  const pass: Pass = { byId: new Map(), records: 0, unusable: 0, totals: new Set(), isWhole: true }
  let bytes = 0
  for (let page = 1; ; page += 1) {
    const answer = await list(page)
    if (answer.kind !== 'ok') return answer
    const { chargers, unusable, lastPage, total, sizeBytes } = answer.value
    const before = distinct(pass)
    for (const charger of chargers) pass.byId.set(charger.id, charger)
    pass.records += chargers.length + unusable
    pass.unusable += unusable
    if (total !== null) pass.totals.add(total)
    bytes += sizeBytes
    const listed = distinct(pass)
    onProgress({ listed, counted: total })
    const isLast = page >= (lastPage ?? 1) && (listed === total || pass.records === total)
    if (isLast || listed === before) return { ...answer, value: pass }
    if (page >= MAX_PAGES || listed >= MAX_CHARGERS || bytes >= MAX_BYTES)
      return { ...answer, value: { ...pass, isWhole: false } }
  }
}

const distinct = ({ byId, unusable }: Pass) => byId.size + unusable

/** `isStable`: the reading before was equal. The total may count each id once or each record. */
function gapOf(pass: Pass, isStable: boolean): ListGap | null {
  const { records, totals, isWhole } = pass
  const [listed, counted] = [distinct(pass), totals.size === 0 ? null : Math.max(...totals)]
  if (!isWhole) return { code: 'too_long', listed, counted }
  if (!isStable && (totals.size > 1 || records > listed)) return { code: 'changing', listed, counted }
  return counted !== null && listed < counted && records !== counted ? { code: 'short', listed, counted } : null
}

/** Asks again after a 429 and after no proper answer, a few times each. The refusals of all pages are counted together. */
function patiently(list: ListPage, clock: Clock, { signal, pace, onPause, random }: CollectOptions): ListPage {
  let refusals = 0
  return async (page) => {
    for (let failures = 0; ;) {
      await pace(signal)
      const answer = await list(page)
      const isRefusal = answer.kind === 'status' && answer.status === 429
      if (signal.aborted || !(isRefusal || isDoubtful(answer))) return answer
      const retry = isRefusal ? RETRIES.chargerRate : RETRIES.chargerPage
      const before = isRefusal ? refusals++ : ++failures
      const waitMs = isRefusal
        ? Math.max(answer.retryAfterMs ?? retry.firstMs, MIN_RATE_WAIT_MS)
        : retryMs(retry, failures, random)
      if (!mayRetry(retry, before) || waitMs > MAX_RATE_WAIT_MS) return answer
      const sinceMs = clock.nowMs()
      if (isRefusal) onPause({ sinceMs, untilMs: sinceMs + waitMs })
      await sleep(clock, waitMs, signal)
      if (signal.aborted) return answer
      if (isRefusal) onPause(null)
    }
  }
}

/** A retry may succeed: there was no answer, it was cut off, or the service had an error. */
function isDoubtful(answer: Answer<ChargerPage>): boolean {
  return answer.kind === 'status' ? answer.status >= 500 : answer.kind !== 'ok'
}
