import type { Clock } from '../../shared/runtime/ports.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { FileSample } from './file-sample.ts'
import { pathIn } from './real-path.ts'
import { Stamps } from './stamps.ts'

/**
 * The life of a file until it stops changing:
 *
 *     touched → waiting → due → busy → (taken | gone | waiting again)
 *
 * - waiting: until its tick. One timer serves all paths.
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
  /** The valid bucket, when a path was removed and added again. */
  tick: number
  /** The path was touched while it was busy. */
  touched: boolean
}

/** What a scan found in one folder, until it is due: so a million files that settle take a hundred bytes each. */
interface Batch {
  folder: string
  names: readonly string[]
  /** In the order of the names. */
  stamps: Stamps
  /** How many became entries. */
  taken: number
}

/** `again`: incomplete although it stopped changing. `taken`: the owner has it. */
export type OfferResult = 'taken' | 'again'

export interface SettleTiming {
  /** Two samples this far apart must agree. The times of the file are of the clock of its disk, which may be hours away. */
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

/** Timer resolution. */
const TICK_MS = 250

export class Settle {
  readonly #deps: SettleDeps
  readonly #entries = new Map<string, Entry>()
  /** By folder. */
  readonly #batches = new Map<string, Batch>()
  /** Files in batches that have not become entries. */
  #batched = 0
  readonly #buckets = new Map<number, (string | Batch)[]>()
  #due: (string | Batch)[] = []
  #nextDue = 0
  #busyWorkers = 0
  #cancelTimer: (() => void) | null = null
  #timerTick = Infinity
  /** Incremented by `clear`, so that work started before it has no effect. */
  #era = 0

  constructor(deps: SettleDeps) {
    this.#deps = deps
  }

  /** Files reported and not yet taken. */
  get pending(): number {
    return this.#entries.size + this.#batched
  }

  /** Those of the pending files that were not found incomplete. */
  get arriving(): number {
    let arriving = this.#batched
    for (const { refusals } of this.#entries.values()) if (refusals === 0) arriving += 1
    return arriving
  }

  /** Whether a path was reported on its own or its turn has come. */
  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Reports what a scan found in a folder, which is relative to the root and `''` for the root. */
  touchAll(folder: string, files: readonly { name: string; sample: FileSample }[]): void {
    const waiting = this.#batches.get(folder)
    if (waiting !== undefined) {
      // Sampled when it is due, which shows whether anything changed.
      const left = new Set(waiting.names.slice(waiting.taken))
      for (const { name, sample } of files) if (!left.has(name)) this.touch(pathIn(folder, name), sample)
      return
    }
    const batch: Batch = { folder, names: files.map(({ name }) => name), stamps: new Stamps(files.length), taken: 0 }
    for (const { sample } of files) batch.stamps.add(sample)
    this.#batches.set(folder, batch)
    this.#batched += files.length
    this.#putIn(this.#tickAfter(this.#deps.timing.distanceMs), batch)
  }

  /** Reports an event on `path`. `sample` is its current state, if the caller knows it. */
  touch(path: string, sample: FileSample | null = null): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) {
      const fresh: Entry = { sample, refusals: 0, stage: 'waiting', tick: 0, touched: false }
      this.#entries.set(path, fresh)
      if (sample === null) this.#makeDue(path, fresh)
      else this.#wait(path, fresh, this.#deps.timing.distanceMs)
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
    this.#era += 1
    this.#entries.clear()
    this.#batches.clear()
    this.#batched = 0
    this.#buckets.clear()
    this.#due = []
    this.#nextDue = 0
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#timerTick = Infinity
  }

  #wait(path: string, entry: Entry, delayMs: number): void {
    const tick = this.#tickAfter(delayMs)
    entry.stage = 'waiting'
    entry.tick = tick
    this.#putIn(tick, path)
  }

  #tickAfter(delayMs: number): number {
    return Math.ceil((this.#deps.clock.monotonicMs() + delayMs) / TICK_MS)
  }

  #putIn(tick: number, waiting: string | Batch): void {
    const bucket = this.#buckets.get(tick)
    if (bucket === undefined) this.#buckets.set(tick, [waiting])
    else bucket.push(waiting)
    if (tick < this.#timerTick) this.#setTimer(tick)
  }

  #setTimer(tick: number): void {
    this.#cancelTimer?.()
    this.#timerTick = tick
    const delayMs = Math.max(0, tick * TICK_MS - this.#deps.clock.monotonicMs())
    this.#cancelTimer = this.#deps.clock.setTimer(delayMs, () => this.#ring())
  }

  #ring(): void {
    this.#cancelTimer = null
    this.#timerTick = Infinity
    const now = this.#deps.clock.monotonicMs()
    let next = Infinity
    for (const [tick, bucket] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      if (tick * TICK_MS > now) {
        next = Math.min(next, tick)
        continue
      }
      this.#buckets.delete(tick)
      for (const waiting of bucket) {
        if (typeof waiting !== 'string') {
          this.#queue(waiting, waiting.names.length)
          continue
        }
        const entry = this.#entries.get(waiting)
        if (entry?.stage === 'waiting' && entry.tick === tick) this.#makeDue(waiting, entry)
      }
    }
    if (next < this.#timerTick) this.#setTimer(next)
  }

  #makeDue(path: string, entry: Entry): void {
    entry.stage = 'due'
    this.#queue(path, 1)
  }

  #queue(due: string | Batch, files: number): void {
    this.#due.push(due)
    for (let wanted = files; wanted > 0 && this.#busyWorkers < this.#deps.timing.workers; wanted -= 1) {
      this.#busyWorkers += 1
      this.#deps.background.run('folder_arrivals', () => this.#worker(), this.#deps.folderId)
    }
  }

  async #worker(): Promise<void> {
    // A microtask later, so that the caller of `touch` finishes first.
    await Promise.resolve()
    try {
      await this.#takeDue()
    } finally {
      this.#busyWorkers -= 1
    }
  }

  /** Rejects at the end as the first file that could not be offered. */
  async #takeDue(): Promise<void> {
    const failed: Promise<void>[] = []
    for (let path = this.#nextPath(); path !== null; path = this.#nextPath()) {
      const entry = this.#entries.get(path)
      if (entry?.stage !== 'due') continue
      entry.stage = 'busy'
      const taken = this.#sampleAgain(path, entry, this.#era)
      await taken.catch(() => (failed[0] ??= taken))
    }
    await failed[0]
  }

  #nextPath(): string | null {
    for (let due = this.#due[this.#nextDue]; due !== undefined; due = this.#due[this.#nextDue]) {
      if (typeof due !== 'string') {
        const path = this.#takeFrom(due)
        if (path !== null) return path
      }
      this.#nextDue += 1
      if (this.#nextDue > 1024 && this.#nextDue * 2 > this.#due.length) {
        this.#due = this.#due.slice(this.#nextDue)
        this.#nextDue = 0
      }
      if (typeof due === 'string') return due
    }
    return null
  }

  /** The next file of a batch, as an entry; null after the last one. */
  #takeFrom(batch: Batch): string | null {
    const at = batch.taken
    const name = batch.names[at]
    if (name === undefined) {
      this.#batches.delete(batch.folder)
      return null
    }
    batch.taken += 1
    this.#batched -= 1
    const path = pathIn(batch.folder, name)
    // One that an event told of meanwhile goes its own way.
    if (!this.#entries.has(path))
      this.#entries.set(path, { sample: batch.stamps.at(at), refusals: 0, stage: 'due', tick: 0, touched: false })
    return path
  }

  async #sampleAgain(path: string, entry: Entry, era: number): Promise<void> {
    entry.touched = false
    const now = await this.#deps.sample(path)
    if (era !== this.#era || this.#entries.get(path) !== entry) return
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
      else this.#wait(path, entry, this.#deps.timing.distanceMs)
    } else if (this.#deps.isKnown(path, now)) {
      this.#entries.delete(path)
    } else {
      await this.#offer(path, entry, now, era)
    }
  }

  /** Rejects as the owner's promise, once the next offer is due. */
  async #offer(path: string, entry: Entry, sample: FileSample, era: number): Promise<void> {
    const { timing } = this.#deps
    const finalTry = entry.refusals >= timing.maxRefusals
    const offered = this.#deps.offer(path, sample, finalTry)
    const result = await offered.catch((): OfferResult => 'again')
    if (era !== this.#era || this.#entries.get(path) !== entry) return
    if (result === 'again') {
      // If the owner fails even at the final try, it is retried at the longest wait: nothing may be lost silently.
      entry.refusals = Math.min(entry.refusals + 1, timing.maxRefusals)
      this.#wait(path, entry, Math.min(timing.distanceMs * 2 ** (entry.refusals - 1), timing.longestWaitMs))
    } else if (entry.touched) {
      entry.sample = null
      this.#makeDue(path, entry)
    } else {
      this.#entries.delete(path)
    }
    await offered
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
