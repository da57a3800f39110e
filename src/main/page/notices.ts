import type { BatchView, Confirmation } from '../../shared/contract/intake.ts'
import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { ChargerChange, ChargersState } from '../../shared/chargers/charger-status.ts'
import { hasEnded } from '../../shared/sentences/job-states.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { allEnded, EndingBatches } from '../core/ending-batches.ts'
import { ConditionDebouncer } from '../core/condition-debouncer.ts'
import { savedBytesOf } from '../core/published-output.ts'
import { activeIn } from '../../shared/presentation/progress-figures.ts'

const SECOND = 1000
/** A batch without events for this long may have ended; batches that end together are one notice. */
const BATCH_QUIET_MS = 2 * SECOND
/** Failures close together are one notice; the next about failures comes a minute later at the earliest. */
const GATHER_MS = 5 * SECOND
const AGAIN_MS = 60 * SECOND

interface NoticedRoute {
  id: string
  name: string
}
type RouteOfChargers = NoticedRoute & { chargers: readonly number[] }

interface Tally {
  done: number
  failed: number
  savedBytes: number
  view: BatchView | null
}

/** Jobs of one kind that no notice has reported yet. */
interface Gathered {
  jobs: number
  sinceMs: number
  notifiedAtMs: number
}

type Happening =
  | { kind: 'batch_done'; done: number; failed: number; savedBytes: number }
  | { kind: 'confirm_spend'; batchId: string; held: number }
  | { kind: 'service_held'; reason: NonNullable<ServiceStatus['hold']> }
  | { kind: 'unknown' | 'failed'; jobs: number }
  /** Favourites or chargers on a saved route. `routes`: the saved routes that can no longer be flown. */
  | { kind: 'favourite'; changes: ChargerChange[]; routes: NoticedRoute[] }
  /** `hook`: the name of a program, or a host. */
  | { kind: 'hook_failed'; hook: string }
export type DecidedNotice = { id: string } & Happening

/** Tells each thing once, and related things together. Times are monotonic; `nextAtMs` says when to call `take` again. */
export class NoticeBoard {
  #nextId = 1
  readonly #batches = new Map<string, Tally>()
  readonly #ending = new EndingBatches(BATCH_QUIET_MS)
  readonly #failed: Gathered = { jobs: 0, sinceMs: 0, notifiedAtMs: -Infinity }
  readonly #unknown: Gathered = { jobs: 0, sinceMs: 0, notifiedAtMs: -Infinity }
  readonly #ended: Tally[] = []
  #waiting: ReadonlyMap<string, number> = new Map()
  #hold: ServiceStatus['hold'] = null
  /** By batch and by the code of the hold. What was gone counts as new. */
  readonly #lasting = new ConditionDebouncer([], 0, 0)
  readonly #begun = new Set<string>()
  /** Of the last changes that were handled. */
  #chargersAtMs: number | null = null
  #favourites: ChargerChange[] = []
  /** By id. */
  readonly #routes = new Map<string, NoticedRoute>()
  #hooks: string[] = []

  job(job: JobView, from: JobState | null, atMs: number, left?: string): void {
    if (from === job.state && left === undefined) return
    this.#ending.job(job, from, atMs, left)
    if (from === job.state) return
    if (job.state === 'failed') gather(this.#failed, atMs)
    if (job.state === 'unknown') gather(this.#unknown, atMs)
    // Retried: its earlier failure does not count.
    if (from === 'failed') {
      const before = this.#batches.get(job.batchId)
      if (before !== undefined) before.failed = Math.max(0, before.failed - 1)
    }
    if (!hasEnded(job.state)) return
    const tally = this.#tally(job.batchId)
    if (job.state === 'done') tally.done += 1
    if (job.state === 'failed') tally.failed += 1
    tally.savedBytes += savedBytesOf(job)
  }

  batch(view: BatchView, atMs: number): void {
    this.#tally(view.id).view = view
    this.#ending.batch(view, atMs)
  }

  confirmations(list: readonly Confirmation[], atMs: number): void {
    this.#waiting = new Map(list.filter(({ held }) => held > 0).map((one) => [one.batchId, one.held]))
    this.#look(atMs)
  }

  /** `routes`: those with notices; only what ends the use of their chargers matters. Each set of changes counts once. */
  chargers({ status, favourites }: ChargersState, isWanted: boolean, routes: readonly RouteOfChargers[] = []): void {
    if (status.changesAtMs === this.#chargersAtMs) return
    this.#chargersAtMs = status.changesAtMs
    const marked = new Set(favourites)
    const ended = new Set(status.changes.filter(({ kind }) => kind === 'broken' || kind === 'gone').map(({ id }) => id))
    const onRoutes = new Set<number>()
    for (const { id, name, chargers } of routes) {
      const here = chargers.filter((charger) => ended.has(charger))
      for (const charger of here) onRoutes.add(charger)
      if (here.length > 0) this.#routes.set(id, { id, name })
    }
    this.#favourites.push(...status.changes.filter(({ id }) => (isWanted && marked.has(id)) || onRoutes.has(id)))
  }

  hookFailed(hook: string): void {
    this.#hooks.push(hook)
  }

  /** A hold matters to a person only while work is waiting for it. */
  service(status: ServiceStatus | null, counts: JobCounts, atMs: number): void {
    const hold = status?.hold ?? null
    this.#hold = hold !== null && activeIn(counts) === 0 && !this.#lasting.isTold(hold.code) ? null : hold
    this.#look(atMs)
  }

  #look(atMs: number): void {
    const present = [...this.#waiting.keys(), ...(this.#hold === null ? [] : [this.#hold.code])]
    for (const key of this.#lasting.newlyActive(present, atMs)) this.#begun.add(key)
  }

  /** Each has to be answered with `counted` or `notCounted`. */
  batchesToCount(atMs: number): string[] {
    return this.#ending.due(atMs)
  }

  notCounted(batchId: string, atMs: number): void {
    this.#ending.lookAgain(batchId, atMs)
  }

  counted(batchId: string, counts: JobCounts): void {
    const tally = this.#batches.get(batchId)
    if (tally === undefined || tally.view?.open === true || !allEnded(counts) || !this.#ending.ended(batchId)) return
    this.#batches.delete(batchId)
    const foundNothingNew = tally.view?.kind === 'run' && tally.view.takenIn === 0
    if (tally.done + tally.failed > 0 || foundNothingNew) this.#ended.push(tally)
  }

  take(atMs: number): DecidedNotice[] {
    const notices: Happening[] = []
    const ended = this.#ended.splice(0)
    if (ended.length > 0) {
      const sum = (of: (tally: Tally) => number) => ended.reduce((total, tally) => total + of(tally), 0)
      const failed = sum((tally) => tally.failed)
      this.#failed.jobs = Math.max(0, this.#failed.jobs - failed)
      notices.push({
        kind: 'batch_done',
        done: sum((tally) => tally.done),
        failed,
        savedBytes: sum((tally) => tally.savedBytes),
      })
    }
    this.#look(atMs)
    for (const [batchId, held] of this.#waiting)
      if (this.#begun.has(batchId)) notices.push({ kind: 'confirm_spend', batchId, held })
    if (this.#hold !== null && this.#begun.has(this.#hold.code))
      notices.push({ kind: 'service_held', reason: this.#hold })
    this.#begun.clear()
    const unknown = takeGathered(this.#unknown, atMs)
    if (unknown > 0) notices.push({ kind: 'unknown', jobs: unknown })
    const failures = takeGathered(this.#failed, atMs)
    if (failures > 0) notices.push({ kind: 'failed', jobs: failures })
    const changes = this.#favourites.splice(0)
    if (changes.length > 0) notices.push({ kind: 'favourite', changes, routes: [...this.#routes.values()] })
    this.#routes.clear()
    for (const hook of new Set(this.#hooks.splice(0))) notices.push({ kind: 'hook_failed', hook })
    return notices.map((notice) => ({ id: `${notice.kind}-${this.#nextId++}`, ...notice }))
  }

  /** When to call `take` next; null when nothing is pending. */
  nextAtMs(): number | null {
    const times = [this.#ending.nextAtMs(), this.#lasting.nextAtMs()]
    for (const gathered of [this.#failed, this.#unknown]) if (gathered.jobs > 0) times.push(dueAtMs(gathered))
    if (this.#ended.length + this.#favourites.length + this.#hooks.length + this.#begun.size > 0) times.push(0)
    const atMs = Math.min(...times)
    return atMs === Infinity ? null : atMs
  }

  #tally(batchId: string): Tally {
    const known = this.#batches.get(batchId)
    if (known !== undefined) return known
    const tally: Tally = { done: 0, failed: 0, savedBytes: 0, view: null }
    this.#batches.set(batchId, tally)
    return tally
  }
}

function gather(gathered: Gathered, atMs: number): void {
  if (gathered.jobs === 0) gathered.sinceMs = atMs
  gathered.jobs += 1
}

const dueAtMs = ({ sinceMs, notifiedAtMs }: Gathered) => Math.max(sinceMs + GATHER_MS, notifiedAtMs + AGAIN_MS)

function takeGathered(gathered: Gathered, atMs: number): number {
  const { jobs } = gathered
  if (jobs === 0 || atMs < dueAtMs(gathered)) return 0
  gathered.jobs = 0
  gathered.notifiedAtMs = atMs
  return jobs
}
