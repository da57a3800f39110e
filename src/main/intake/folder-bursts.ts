import type { Background } from '../../shared/background.ts'
import type { Clock } from '../../shared/ports.ts'
import { closeBatch, insertBatch } from '../journal/batches.ts'
import type { Db } from '../journal/journal.ts'
import { waitingIn } from '../queue/spend.ts'
import type { Arrivals } from '../watch/folder-state.ts'

/** Files that arrive with less than this between them belong to one burst, and are asked about together. */
const GAP_MS = 60_000
/** A burst is only begun to be sent when it has been quiet for a moment: it may be a large one. */
const QUIET_MS = 1500
/** Where files keep coming one by one, those that are there do not wait for the others longer than this. */
const LONGEST_WAIT_MS = 10_000

export interface FolderBurstsDeps {
  db: Db
  clock: Clock
  background: Background
  makeId: () => string
  askAbove: (folderId: string) => number
  arrivals: (folderId: string) => Arrivals
  /** A burst has ended growing: whether it may be sent can be decided. */
  onEnd: () => void
}

interface Burst {
  batchId: string
  folderId: string
  startedAtMs: number
  isOpen: boolean
  cancelQuiet: () => void
  cancelGap: () => void
}

/** Puts files that arrive together in a watched folder into one batch, which stays open as long as more are on their way. */
export class FolderBursts {
  readonly #deps: FolderBurstsDeps
  readonly #bursts = new Map<string, Burst>()

  constructor(deps: FolderBurstsDeps) {
    this.#deps = deps
  }

  /** The batch that a file arriving now belongs to. */
  batchFor(folderId: string): string {
    const burst = this.#bursts.get(folderId) ?? this.#begin(folderId)
    this.#waitForGap(burst)
    // After its longest wait it is looked at every now and then, however many files come.
    if (burst.isOpen && this.#leftMs(burst) > 0) this.#lookInLater(burst)
    return burst.batchId
  }

  stop(): void {
    for (const { cancelGap, cancelQuiet } of this.#bursts.values()) {
      cancelGap()
      cancelQuiet()
    }
  }

  #begin(folderId: string): Burst {
    const { db, clock, makeId } = this.#deps
    const nothing = () => undefined
    const burst: Burst = {
      batchId: makeId(),
      folderId,
      startedAtMs: clock.monotonicMs(),
      isOpen: true,
      cancelQuiet: nothing,
      cancelGap: nothing,
    }
    const settings = { open: true, confirmed: false, maxCredits: null, creditsPerImage: null }
    insertBatch(db, { id: burst.batchId, kind: 'folder', folderId, ...settings }, clock.nowMs())
    this.#bursts.set(folderId, burst)
    return burst
  }

  #waitForGap(burst: Burst): void {
    burst.cancelGap()
    burst.cancelGap = this.#deps.clock.setTimer(GAP_MS, () => {
      if (burst.isOpen) this.#waitForGap(burst)
      else this.#bursts.delete(burst.folderId)
    })
  }

  #leftMs(burst: Burst): number {
    return burst.startedAtMs + LONGEST_WAIT_MS - this.#deps.clock.monotonicMs()
  }

  #lookInLater(burst: Burst): void {
    const { clock, background } = this.#deps
    const leftMs = this.#leftMs(burst)
    const delayMs = leftMs > 0 ? Math.min(QUIET_MS, leftMs) : QUIET_MS
    const dueAtMs = clock.monotonicMs() + delayMs
    burst.cancelQuiet()
    burst.cancelQuiet = clock.setTimer(delayMs, () => {
      // So late, and the process stood still: what arrived meanwhile has not been heard of yet.
      const stoodStill = clock.monotonicMs() - dueAtMs > QUIET_MS
      background.run('folder_burst', () => this.#lookIn(burst, stoodStill), burst.folderId)
    })
  }

  #lookIn(burst: Burst, stoodStill: boolean): void {
    try {
      if (stoodStill || this.#mayGrow(burst)) this.#lookInLater(burst)
      else this.#close(burst)
    } catch (error) {
      // Nothing of an open burst is sent, so this goes on until the disk takes it.
      this.#lookInLater(burst)
      throw error
    }
  }

  #mayGrow(burst: Burst): boolean {
    const { files, phase } = this.#deps.arrivals(burst.folderId)
    if (phase === 'starting') return true
    if (files === 0 && phase !== 'reconciling') return false
    // What is known to come may make it one to ask about; else it is a matter of a few, and of patience.
    return (
      this.#leftMs(burst) > 0 || waitingIn(this.#deps.db, burst.batchId) + files > this.#deps.askAbove(burst.folderId)
    )
  }

  #close(burst: Burst): void {
    closeBatch(this.#deps.db, burst.batchId)
    burst.isOpen = false
    this.#deps.onEnd()
  }
}
