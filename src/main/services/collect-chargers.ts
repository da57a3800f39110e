import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ListGap } from '../../shared/chargers/charger-status.ts'
import type { Clock, Random, RatePause } from '../../shared/runtime/ports.ts'
import type { Answer } from '../core/answer.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import { sleep } from '../core/sleep.ts'

/** The documented maximum. */
const PER_PAGE = 200
/** Limits on what is read; a longer or endless list is marked as incomplete. */
const MAX_PAGES = 2000
const MAX_CHARGERS = 200_000
const MAX_BYTES = 256 * 1024 * 1024
/**
 * A list that changes while it is read is read again, this many times in all; a long one is not, as it would take
 * minutes.
 */
const MAX_PASSES = 3
const MAX_PAGES_TO_REPEAT = 50
const MIN_RATE_WAIT_MS = 1000
/** A longer wait is not honoured by retrying here: too long to wait for a page. */
const MAX_RATE_WAIT_MS = 120_000

/** A whole list as one answer. */
export interface ChargerCollection {
  /** In ascending order of id, each id once. */
  chargers: ChargePoint[]
  /** Records that could not be used. */
  unusable: number
  /** Records whose id occurred before in the same list; the last one of each id counts. */
  duplicates: number
  /** Why chargers may be missing; null when the list is complete. */
  gap: ListGap | null
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

export interface ReadingProgress {
  listed: number
  counted: number | null
}

export interface CollectOptions {
  signal: AbortSignal
  /** Awaited before each request. */
  pace?: (signal: AbortSignal) => Promise<void>
  /** Called when a rate refusal is being waited out, and with null when reading continues. */
  onPause?: (pause: RatePause | null) => void
  /** Called after each page with the records of this reading so far, and the service's total (null: not stated). */
  onProgress?: (progress: ReadingProgress) => void
  /** The randomness of the waits before a page is requested again that got no proper answer; without it, no page is. */
  random?: Random
}

type ListPage = (page: number, perPage: number) => Promise<Answer<ChargerPage>>

/** One reading of all pages. */
interface Pass {
  byId: Map<number, ChargePoint>
  /** Records in all, duplicates and unusable ones included. */
  rows: number
  unusable: number
  /** The totals that the pages stated. */
  totals: Set<number>
  /** Records moved from page to page while it was read. */
  isShifting: boolean
  /** False when a limit ended it. */
  isWhole: boolean
  pages: number
}

/**
 * Reads every page, in ascending order of id, until the list is complete by its own figures: an early last page is
 * ignored while the total says that there is more. A rate refusal (429) is waited out; any other answer than a page
 * ends the reading with that answer.
 *
 * Pages shift when a charger is added or removed while they are read, so records can be missed. When totals differ,
 * pages overlap, or there are fewer records than the total, everything is read again until two readings are equal: the
 * list is then stable, and any inconsistency is the service's own.
 */
export async function collectChargers(
  list: ListPage,
  clock: Clock,
  options: CollectOptions,
): Promise<Answer<ChargerCollection>> {
  const patient = patiently(list, clock, options)
  let before: Pass | null = null
  for (let passes = 1; ; passes += 1) {
    const answer = await readOnce(patient, options.onProgress)
    if (answer.kind !== 'ok') return answer
    const pass = answer.value
    const isSteady = before !== null && !pass.isShifting && isSamePass(pass, before)
    const gap = gapOf(pass, isSteady)
    const mayRepeat = pass.isWhole && pass.pages <= MAX_PAGES_TO_REPEAT && passes < MAX_PASSES
    if (gap !== null && !isSteady && mayRepeat) {
      before = pass
      continue
    }
    const chargers = [...pass.byId.values()].sort((one, other) => one.id - other.id)
    const { unusable, rows } = pass
    // Duplicates in a list that kept changing say nothing about the list.
    const duplicates = gap?.code === 'changing' ? 0 : rows - unusable - chargers.length
    return { kind: 'ok', status: answer.status, value: { chargers, unusable, duplicates, gap } }
  }
}

async function readOnce(
  list: (page: number) => Promise<Answer<ChargerPage>>,
  onProgress: CollectOptions['onProgress'],
): Promise<Answer<Pass>> {
  const byId = new Map<number, ChargePoint>()
  const totals = new Set<number>()
  const pass: Pass = { byId, rows: 0, unusable: 0, totals, isShifting: false, isWhole: true, pages: 0 }
  let previousIds: number[] | null = null
  let bytes = 0
  for (let page = 1; ; page += 1) {
    const answer = await list(page)
    if (answer.kind !== 'ok') return answer
    const { chargers, unusable, lastPage, total, sizeBytes } = answer.value
    const ids = chargers.map(({ id }) => id)
    pass.pages = page
    // A service without paging returns the same page for ever.
    if (previousIds !== null && ids.length > 0 && isSameList(ids, previousIds)) return { ...answer, value: pass }
    if (!pass.isShifting && overlap(previousIds ?? [], ids)) {
      // Either an id is duplicated or the records shifted by one: the previous page shows which.
      const again = await list(page - 1)
      if (again.kind !== 'ok') return again
      pass.isShifting = !isSameList(
        again.value.chargers.map(({ id }) => id),
        previousIds ?? [],
      )
    }
    const knownBefore = byId.size
    for (const charger of chargers) byId.set(charger.id, charger)
    pass.rows += chargers.length + unusable
    pass.unusable += unusable
    bytes += sizeBytes
    if (total !== null) totals.add(total)
    onProgress?.({ listed: distinct(pass), counted: total })
    const nothingNew = ids.length > 0 && byId.size === knownBefore
    const wasEmpty = previousIds?.length === 0
    if (nothingNew || isLast(pass, { page, lastPage, total, records: chargers.length + unusable, wasEmpty }))
      return { ...answer, value: pass }
    if (page >= MAX_PAGES || byId.size + pass.unusable >= MAX_CHARGERS || bytes >= MAX_BYTES)
      return { ...answer, value: { ...pass, isWhole: false } }
    previousIds = ids
  }
}

interface PageFacts {
  page: number
  lastPage: number | null
  total: number | null
  records: number
  /** The page before had no records. */
  wasEmpty: boolean
}

/**
 * There is more if any of the figures says so, until an empty page; a single empty one in the middle may be an error.
 */
function isLast(pass: Pass, { page, lastPage, total, records, wasEmpty }: PageFacts): boolean {
  const isBeforeLast = lastPage !== null && page < lastPage
  if (records === 0) return !isBeforeLast || wasEmpty || (total !== null && isEnough(pass, total))
  if (isBeforeLast) return false
  // An exceeded total is meaningless; a page that is not full then marks the end.
  return total === null || distinct(pass) > total ? records < PER_PAGE : isEnough(pass, total)
}

/** The total may count each id once or each record. */
function isEnough(pass: Pass, total: number): boolean {
  return distinct(pass) >= total || pass.rows === total
}

const distinct = ({ byId, unusable }: Pass) => byId.size + unusable

/** The one rule for completeness. `isSteady`: another reading was equal. */
function gapOf(pass: Pass, isSteady: boolean): ListGap | null {
  const counted = pass.totals.size === 0 ? null : Math.max(...pass.totals)
  const gap = (code: ListGap['code']): ListGap => ({ code, listed: distinct(pass), counted })
  if (!pass.isWhole) return gap('too_long')
  if (!isSteady && (pass.isShifting || pass.totals.size > 1)) return gap('changing')
  return counted !== null && !isEnough(pass, counted) ? gap('short') : null
}

function isSamePass(one: Pass, other: Pass): boolean {
  return (
    one.rows === other.rows &&
    one.unusable === other.unusable &&
    isSameList([...one.totals], [...other.totals]) &&
    isSameList([...one.byId.keys()], [...other.byId.keys()])
  )
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

/** Whether a page begins with what the one before ended with. */
function overlap(before: readonly number[], after: readonly number[]): boolean {
  const [last, first] = [before.at(-1), after[0]]
  return last !== undefined && first !== undefined && before.includes(first) && after.includes(last)
}

/**
 * Retries after a 429, at the time it names or after a minute, a few times in all; and after no proper answer, if
 * `random` is given.
 */
function patiently(
  list: ListPage,
  clock: Clock,
  options: CollectOptions,
): (page: number) => Promise<Answer<ChargerPage>> {
  const { signal, pace, onPause, random } = options
  let rateWaits = 0
  const waitMs = (answer: Answer<ChargerPage>, tries: number): number | null => {
    if (answer.kind === 'status' && answer.status === 429)
      return mayRetry(RETRIES.chargerRate, rateWaits++)
        ? rateWaitMs(answer.retryAfterMs ?? RETRIES.chargerRate.firstMs)
        : null
    if (random === undefined || !mayRetry(RETRIES.chargerPage, tries) || !isDoubtful(answer)) return null
    return retryMs(RETRIES.chargerPage, tries, random)
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
        onPause?.({ sinceMs, untilMs: sinceMs + wait })
      }
      await sleep(clock, wait, signal)
      if (signal.aborted) return answer
      if (isRefusal) onPause?.(null)
    }
  }
}

function rateWaitMs(wantedMs: number): number | null {
  return wantedMs > MAX_RATE_WAIT_MS ? null : Math.max(wantedMs, MIN_RATE_WAIT_MS)
}

/** A retry may succeed: there was no answer, it was cut off, or the service had an error. */
function isDoubtful(answer: Answer<ChargerPage>): boolean {
  return answer.kind === 'status' ? answer.status >= 500 : answer.kind !== 'ok'
}
