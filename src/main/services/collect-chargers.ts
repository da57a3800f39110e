import type { ChargePoint } from '../../shared/charger.ts'
import type { Clock } from '../../shared/ports.ts'
import type { Answer } from '../core/answer.ts'

/** The documented maximum. */
const PER_PAGE = 200
/** 100,000 chargers; a service that has more, or never ends, is read up to here and marked as incomplete. */
const MAX_PAGES = 500
/** A list that changes while it is read is read again, so often in all. */
const MAX_PASSES = 3
/** 120 requests a minute per IP address are documented: a refusal ends within a minute, and others may share the address. */
const RATE_WAIT_MS = 60_000
const MIN_RATE_WAIT_MS = 1000
const MAX_RATE_WAITS = 5

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
}

interface Pass extends ChargerCollection {
  /** Worth another pass: what was read may lack records or hold some that are gone. */
  changed: boolean
}

/**
 * Reads every page, in ascending order of id. Pages shift when a charger comes or goes while they are read, so records can
 * show up twice (kept once) or be missed: when the total changed, or fewer came than it says, all is read again. A
 * refusal for the rate (429) is waited out; any other answer than a page ends the whole with that answer.
 */
export async function collectChargers(
  list: (page: number, perPage: number) => Promise<Answer<ChargerPage>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Answer<ChargerCollection>> {
  const patient = waitingOut(list, clock, signal)
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
  for (let page = 1; ; page += 1) {
    const answer = await list(page)
    if (answer.kind !== 'ok') return answer
    const { chargers, lastPage, total } = answer.value
    const knownBefore = byId.size
    for (const charger of chargers) byId.set(charger.id, charger)
    unusable += answer.value.unusable
    totals.add(total)
    const records = chargers.length + answer.value.unusable
    // A service that does not page gives the same page for ever.
    const nothingNew = byId.size === knownBefore && chargers.length > 0
    const ended = records === 0 || nothingNew || (lastPage === null ? records < PER_PAGE : page >= lastPage)
    if (!ended && page < MAX_PAGES) continue
    const changed = ended && (totals.size > 1 || (total !== null && byId.size + unusable < total))
    const chargersInOrder = [...byId.values()].sort((one, other) => one.id - other.id)
    return {
      kind: 'ok',
      status: answer.status,
      value: { chargers: chargersInOrder, unusable, complete: ended && !changed, changed },
    }
  }
}

/** Asks again after a 429, when it says or after a minute, a few times in all. */
function waitingOut(
  list: (page: number, perPage: number) => Promise<Answer<ChargerPage>>,
  clock: Clock,
  signal: AbortSignal,
): (page: number) => Promise<Answer<ChargerPage>> {
  let waits = 0
  return async (page) => {
    for (;;) {
      const answer = await list(page, PER_PAGE)
      if (answer.kind !== 'status' || answer.status !== 429 || waits === MAX_RATE_WAITS) return answer
      waits += 1
      const wantedMs = answer.retryAfterMs ?? RATE_WAIT_MS
      await sleep(Math.min(Math.max(wantedMs, MIN_RATE_WAIT_MS), RATE_WAIT_MS), clock, signal)
      if (signal.aborted) return answer
    }
  }
}

function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.setTimer(ms, done)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
