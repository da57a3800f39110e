import type { ChargePoint } from '../../shared/charger.ts'
import type { ListGap } from '../../shared/charger-status.ts'
import type { Clock, Random, RateHold } from '../../shared/ports.ts'
import type { Answer } from '../core/answer.ts'
import { backoffMs } from '../core/backoff.ts'
import { sleep } from './charger-sleep.ts'

/** The documented maximum. */
const PER_PAGE = 200
/** A service that has more, or never ends, is read up to here, and the list is incomplete. */
const MAX_PAGES = 2000
const MAX_CHARGERS = 200_000
const MAX_BYTES = 256 * 1024 * 1024
/** A list that changes while it is read is read again, so often in all; a long one is not: it would take minutes. */
const MAX_PASSES = 3
const MOST_PAGES_TO_REPEAT = 50
/** 120 requests a minute per IP address are documented: a refusal ends within a minute, and others may share the address. */
const RATE_WAIT_MS = 60_000
const MIN_RATE_WAIT_MS = 1000
/** A service that asks for a longer wait is not asked again here: nobody waits that long for a page. */
const MAX_RATE_WAIT_MS = 120_000
const MAX_RATE_WAITS = 5
const PAGE_RETRY = { baseMs: 2000, capMs: 15_000 }

/** All that was read of a list, as one answer. */
export interface ChargerCollection {
  /** In ascending order of id, each id once. */
  chargers: ChargePoint[]
  /** Records that could not be used. */
  unusable: number
  /** Records whose id came before in the same list; of each id the last one counts. */
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

/** One reading of all pages. */
interface Pass {
  byId: Map<number, ChargePoint>
  /** Records in all, duplicates and unusable ones included. */
  rows: number
  unusable: number
  /** What the pages gave as the total. */
  totals: Set<number>
  /** Records moved from page to page while it was read. */
  isShifting: boolean
  /** False when a bound ended it. */
  isWhole: boolean
  pages: number
}

/**
 * Reads every page, in ascending order of id, until the list is there as far as its figures tell: a last page that comes
 * too early is passed by while the total says more. A refusal for the rate (429) is waited out; any other answer than a
 * page ends the whole with that answer.
 *
 * Pages shift when a charger comes or goes while they are read, so records can be missed. When the totals differ, the
 * pages overlap, or fewer records came than are counted, all is read again, until two readings are the same: then nothing
 * moves, and whatever is odd about the list is the service's own.
 */
export async function collectChargers(
  list: ListPage,
  clock: Clock,
  options: CollectOptions,
): Promise<Answer<ChargerCollection>> {
  const patient = patiently(list, clock, options)
  let before: Pass | null = null
  for (let passes = 1; ; passes += 1) {
    const answer = await readOnce(patient)
    if (answer.kind !== 'ok') return answer
    const pass = answer.value
    const isSteady = before !== null && !pass.isShifting && isSamePass(pass, before)
    const gap = gapOf(pass, isSteady)
    const mayRepeat = pass.isWhole && pass.pages <= MOST_PAGES_TO_REPEAT && passes < MAX_PASSES
    if (gap !== null && !isSteady && mayRepeat) {
      before = pass
      continue
    }
    const chargers = [...pass.byId.values()].sort((one, other) => one.id - other.id)
    const { unusable, rows } = pass
    // What came twice in a list that kept moving says nothing about the list.
    const duplicates = gap?.code === 'changing' ? 0 : rows - unusable - chargers.length
    return { kind: 'ok', status: answer.status, value: { chargers, unusable, duplicates, gap } }
  }
}

async function readOnce(list: (page: number) => Promise<Answer<ChargerPage>>): Promise<Answer<Pass>> {
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
    // A service that does not page gives the same page for ever.
    if (previousIds !== null && ids.length > 0 && isSameList(ids, previousIds)) return { ...answer, value: pass }
    if (!pass.isShifting && overlap(previousIds ?? [], ids)) {
      // Either one id is there twice, or the records moved on by one: the page before tells.
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

/** Whichever says that there is more is believed, until an empty page; one in the middle may be a slip. */
function isLast(pass: Pass, { page, lastPage, total, records, wasEmpty }: PageFacts): boolean {
  const isBeforeLast = lastPage !== null && page < lastPage
  if (records === 0) return !isBeforeLast || wasEmpty || (total !== null && isEnough(pass, total))
  if (isBeforeLast) return false
  // A total that is exceeded tells nothing; then a page that is not full does.
  return total === null || distinct(pass) > total ? records < PER_PAGE : isEnough(pass, total)
}

/** The total may count each id once or each record. */
function isEnough(pass: Pass, total: number): boolean {
  return distinct(pass) >= total || pass.rows === total
}

const distinct = ({ byId, unusable }: Pass) => byId.size + unusable

/** The one rule for what is complete. `isSteady`: another reading was the same. */
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
