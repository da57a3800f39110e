import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { FileSample } from './file-sample.ts'

/**
 * The life of a file until it stops changing:
 *
 *     touched → waiting → due → busy → (taken | gone | waiting again)
 *
 * - waiting: until its time. One timer serves all paths.
 * - due: queued for one of a few workers. A worker samples the file; if it matches the previous sample it is offered,
 *   otherwise it waits again.
 * - busy: offered; the owner's promise holds the worker, which limits how many offers are outstanding.
 * - waiting again: the owner found it incomplete. Waits longer each time, up to a limit; a change starts over.
 */
interface Entry {
  sample: FileSample | null
  /** How often the owner has answered `again` to this same sample. */
  refusals: number
  stage: 'waiting' | 'due' | 'busy'
  /** When it stops waiting; monotonic time. */
  dueAtMs: number
  /** The path was touched while it was busy. */
  touched: boolean
}

/** `again`: incomplete although it stopped changing. `taken`: the owner has it. */
export type OfferResult = 'taken' | 'again'

export interface SettleTiming {
  /**
   * Two samples this far apart must agree, whatever the times of the file: those are of the clock of its disk, which may be another
   * computer's and hours away from this one's.
   */
  distanceMs: number
  /** After `again`: doubles from `distanceMs` up to this. */
  longestWaitMs: number
  /** The offer after this many refusals is the last, and says so. */
  maxRefusals: number
  /** Max files sampled or offered concurrently. */
  workers: number
}

/** The default waits: about five minutes in all until an incomplete file is given up. */
export const SETTLE_TIMING: SettleTiming = {
  distanceMs: 2_000,
  longestWaitMs: 60_000,
  maxRefusals: 8,
  workers: 8,
}

interface SettleDeps {
  clock: Clock
  logger: Logger
  background: Background
  /** The watched folder of these files. */
  folderId: string
  timing: SettleTiming
  compareIno: boolean
  sample(path: string): Promise<FileSample | 'gone' | 'other'>
  /** Whether the owner already has the file in this state. */
  isKnown(path: string, sample: FileSample): boolean
  offer(path: string, sample: FileSample, finalTry: boolean): Promise<OfferResult>
  /** The file is gone or can no longer be examined. */
  onGone(path: string): void
}

/** The least time between two looks at what waits. */
const TICK_MS = 250

export class Settle {
  readonly #deps: SettleDeps
  readonly #entries = new Map<string, Entry>()
  /** Paths in the order in which they became due. */
  readonly #due = new Set<string>()
  #busyWorkers = 0
  #cancelTimer: (() => void) | null = null
  #timerAtMs = Infinity

  constructor(deps: SettleDeps) {
    this.#deps = deps
  }

  /** Files reported and not yet taken. */
  get pending(): number {
    return this.#entries.size
  }

  /** Those of the pending files that were not found incomplete. */
  get arriving(): number {
    let arriving = 0
    for (const { refusals } of this.#entries.values()) if (refusals === 0) arriving += 1
    return arriving
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Reports an event on `path`, or that a scan found it. `sample` is its current state, if the caller knows it. */
  touch(path: string, sample: FileSample | null = null): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) {
      const fresh: Entry = { sample, refusals: 0, stage: 'waiting', dueAtMs: 0, touched: false }
      this.#entries.set(path, fresh)
      if (sample === null) this.#makeDue(path, fresh)
      else this.#wait(fresh, this.#deps.timing.distanceMs)
    } else if (entry.stage === 'busy') {
      entry.touched = true
    }
    // A waiting one is sampled when it is due, which shows whether anything changed.
  }

  /** Looks at a path that seems to be gone, now; if it is there (again), it is as if it had just been touched. */
  lookAgain(path: string): void {
    const entry = this.#entries.get(path)
    if (entry?.stage === 'waiting') {
      entry.sample = null
      this.#makeDue(path, entry)
    } else if (entry !== undefined) entry.touched = true
  }

  /** Drops all entries. Pending offers are left to their owner. */
  clear(): void {
    this.#entries.clear()
    this.#due.clear()
    this.#cancelTimer?.()
    this.#timerAtMs = Infinity
  }

  #wait(entry: Entry, delayMs: number): void {
    entry.stage = 'waiting'
    entry.dueAtMs = this.#deps.clock.monotonicMs() + delayMs
    this.#lookAt(entry.dueAtMs)
  }

  #lookAt(atMs: number): void {
    if (atMs >= this.#timerAtMs) return
    const { clock } = this.#deps
    this.#cancelTimer?.()
    this.#timerAtMs = atMs
    this.#cancelTimer = clock.setTimer(Math.max(0, atMs - clock.monotonicMs()), () => this.#look())
  }

  #look(): void {
    this.#timerAtMs = Infinity
    const nowMs = this.#deps.clock.monotonicMs()
    let nextMs = Infinity
    for (const [path, entry] of this.#entries) {
      if (entry.stage !== 'waiting') continue
      if (entry.dueAtMs <= nowMs) this.#makeDue(path, entry)
      else nextMs = Math.min(nextMs, entry.dueAtMs)
    }
    if (nextMs < Infinity) this.#lookAt(Math.max(nextMs, nowMs + TICK_MS))
  }

  #makeDue(path: string, entry: Entry): void {
    entry.stage = 'due'
    this.#due.add(path)
    if (this.#busyWorkers >= this.#deps.timing.workers) return
    this.#busyWorkers += 1
    this.#deps.background.run('folder_arrivals', () => this.#worker(), this.#deps.folderId)
  }

  async #worker(): Promise<void> {
    // A microtask later, so that the caller of `touch` finishes first.
    await Promise.resolve()
    try {
      for (const path of this.#due) {
        this.#due.delete(path)
        const entry = this.#entries.get(path)
        if (entry?.stage !== 'due') continue
        entry.stage = 'busy'
        await this.#sampleAgain(path, entry)
      }
    } finally {
      this.#busyWorkers -= 1
    }
  }

  async #sampleAgain(path: string, entry: Entry): Promise<void> {
    entry.touched = false
    const now = await this.#deps.sample(path)
    if (this.#entries.get(path) !== entry) return
    if (entry.touched) {
      // Perhaps after this sample.
      entry.sample = null
      this.#makeDue(path, entry)
    } else if (now === 'gone' || now === 'other') {
      this.#entries.delete(path)
      this.#deps.onGone(path)
    } else if (entry.sample === null || !this.#same(entry.sample, now)) {
      entry.sample = now
      entry.refusals = 0
      if (this.#deps.isKnown(path, now)) this.#entries.delete(path)
      else this.#wait(entry, this.#deps.timing.distanceMs)
    } else if (this.#deps.isKnown(path, now)) {
      this.#entries.delete(path)
    } else {
      await this.#offer(path, entry, now)
    }
  }

  async #offer(path: string, entry: Entry, sample: FileSample): Promise<void> {
    const { timing, logger } = this.#deps
    const finalTry = entry.refusals >= timing.maxRefusals
    let result: OfferResult
    try {
      result = await this.#deps.offer(path, sample, finalTry)
    } catch (error) {
      logger.error('taking in a file failed; it is offered again', { error: String(error) })
      result = 'again'
    }
    if (this.#entries.get(path) !== entry) return
    if (result === 'again') {
      // If the owner fails even at the final try, it is retried at the longest wait: nothing may be lost silently.
      entry.refusals = Math.min(entry.refusals + 1, timing.maxRefusals)
      this.#wait(entry, Math.min(timing.distanceMs * 2 ** (entry.refusals - 1), timing.longestWaitMs))
    } else if (entry.touched) {
      entry.sample = null
      this.#makeDue(path, entry)
    } else {
      this.#entries.delete(path)
    }
  }

  #same(a: FileSample, b: FileSample): boolean {
    return (
      a.sizeBytes === b.sizeBytes &&
      a.mtimeNs === b.mtimeNs &&
      a.ctimeNs === b.ctimeNs &&
      (!this.#deps.compareIno || a.ino === b.ino)
    )
  }
}
