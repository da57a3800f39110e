import type { Background } from '../../shared/runtime/background.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { insertBatch, setOpen } from '../journal/batches.ts'
import type { Db } from '../journal/journal.ts'
import { waitingIn } from '../journal/spending.ts'
import type { Arrivals } from '../watch/folder-state.ts'

/** Files that arrive with shorter gaps belong to one burst. */
const GAP_MS = 60_000
/** A burst is not sent before it has been quiet for this long: more files may be on their way. */
const QUIET_MS = 1500
/** If files keep arriving one by one, the first ones do not wait longer than this. */
const MAX_WAIT_MS = 10_000

interface FolderBurstsDeps {
  db: Db
  clock: Clock
  background: Background
  makeId: () => string
  askAbove: (folderId: string) => number
  arrivals: (folderId: string) => Arrivals
  /** A burst has stopped growing: the spend guard can decide about it. */
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

/** Puts files that arrive together in a watched folder into one batch, which stays open while more are on their way. */
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
    // After the longest wait the timer is not restarted by further files.
    if (burst.isOpen && this.#leftMs(burst) > 0) this.#checkLater(burst)
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
    const settings = { open: true, confirmed: false, maxCredits: null, creditsPerImage: null, boundTo: null }
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
    return burst.startedAtMs + MAX_WAIT_MS - this.#deps.clock.monotonicMs()
  }

  #checkLater(burst: Burst): void {
    const { clock, background } = this.#deps
    const leftMs = this.#leftMs(burst)
    const delayMs = leftMs > 0 ? Math.min(QUIET_MS, leftMs) : QUIET_MS
    const dueAtMs = clock.monotonicMs() + delayMs
    burst.cancelQuiet()
    burst.cancelQuiet = clock.setTimer(delayMs, () => {
      // The timer is late because the process was suspended: events of what arrived meanwhile are still to come.
      const stoodStill = clock.monotonicMs() - dueAtMs > QUIET_MS
      background.run('folder_burst', () => this.#check(burst, stoodStill), burst.folderId)
    })
  }

  #check(burst: Burst, stoodStill: boolean): void {
    try {
      if (stoodStill || this.#mayGrow(burst)) this.#checkLater(burst)
      else this.#close(burst)
    } catch (error) {
      // An open burst is not sent, so closing it is retried until the disk can be written.
      this.#checkLater(burst)
      throw error
    }
  }

  #mayGrow(burst: Burst): boolean {
    const { files, phase } = this.#deps.arrivals(burst.folderId)
    if (phase === 'starting') return true
    if (files === 0 && phase !== 'reconciling') return false
    // Files known to be on their way may take it over the limit; with fewer it need not wait for them longer.
    return (
      this.#leftMs(burst) > 0 || waitingIn(this.#deps.db, burst.batchId) + files > this.#deps.askAbove(burst.folderId)
    )
  }

  #close(burst: Burst): void {
    setOpen(this.#deps.db, burst.batchId, false)
    burst.isOpen = false
    this.#deps.onEnd()
  }
}
