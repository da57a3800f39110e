import { lstatSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sampleFile, sampleOf, type FileSample } from './file-sample.ts'
import { interruptions, SLOW_CALL_MS } from './lstat-many.ts'

/** The longest synchronous work of one caller before yielding to the event loop; a few take turns. */
const SLICE_MS = 1
/** After a slow call, for how long the disk must not block the main thread. */
const CAREFUL_MS = 60_000

/** Samples single files below a root, on the calling thread while the disk is fast: a tenth of the time through the thread pool. */
export class PacedSampler {
  readonly #root: string
  readonly #direct: boolean
  #sliceEndMs = 0
  #interruptions = 0
  #directFromMs = 0

  /** `direct`: false on network drives, which must not block the main thread. */
  constructor(root: string, direct: boolean) {
    this.#root = root
    this.#direct = direct
  }

  /** As `sampleFile`. */
  async sample(relativePath: string): Promise<FileSample | 'gone' | 'other'> {
    const path = `${this.#root}/${relativePath}`
    if (!this.#direct || performance.now() < this.#directFromMs) return sampleFile(path)
    if (performance.now() >= this.#sliceEndMs) {
      await nextTurn()
      this.#sliceEndMs = performance.now() + SLICE_MS
      this.#interruptions = interruptions()
    }
    const startedAtMs = performance.now()
    const sample = sampleNow(path)
    const endedAtMs = performance.now()
    if (endedAtMs - startedAtMs > SLOW_CALL_MS && this.#interruptions === interruptions())
      this.#directFromMs = endedAtMs + CAREFUL_MS
    // What failed is looked at once more, which tells why.
    return sample ?? sampleFile(path)
  }
}

function sampleNow(path: string): FileSample | 'other' | null {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : stats.isFile() ? sampleOf(stats) : 'other'
  } catch {
    return null
  }
}
