import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { EXHAUSTED, type TreeWatchOptions, type WatchTree } from './tree-watch.ts'
import type { WatchTiming } from './watch-timing.ts'

const HEALTHY_AFTER_MS = 5 * 60_000

interface LiveTreeDeps {
  clock: Clock
  logger: Logger
  timing: WatchTiming
  watchTree: WatchTree
  /** Why there is no working watch, or null while there is one. */
  onChange(because: FolderReason | null): void
}

/** Keeps one watch running: restarts it after an error, and gives up for a while when a restart cannot help. */
export class LiveTree {
  readonly #deps: LiveTreeDeps
  #options: TreeWatchOptions | null = null
  #handle: { close(): Promise<void> } | null = null
  #token: object | null = null
  #closing: Promise<void> = Promise.resolve()
  #cancelTimer: (() => void) | null = null
  #failures = 0
  #lastFailureMs = -Infinity

  constructor(deps: LiveTreeDeps) {
    this.#deps = deps
  }

  get isStarted(): boolean {
    return this.#options !== null
  }

  /** Starts, or restarts with other options. */
  start(options: TreeWatchOptions): void {
    this.#close()
    this.#options = options
    this.#open(options)
  }

  async stop(): Promise<void> {
    this.#options = null
    this.#close()
    await this.#closing
  }

  #open(options: TreeWatchOptions): void {
    // Identifies this watch, also for errors raised before it is even returned; late ones of a closed one are ignored.
    const token = {}
    this.#token = token
    const onError = (error: unknown): void => {
      if (this.#token === token) this.#fail(error, options)
    }
    try {
      const handle = this.#deps.watchTree({
        ...options,
        onReady: () => {
          if (this.#token !== token) return
          this.#deps.onChange(null)
          options.onReady()
        },
        onError,
      })
      if (this.#token === token) this.#handle = handle
      else this.#retire(handle)
    } catch (error) {
      onError(error)
    }
  }

  #fail(error: unknown, options: TreeWatchOptions): void {
    const { clock, timing, logger } = this.#deps
    const { code } = error as NodeJS.ErrnoException
    this.#close()
    const now = clock.monotonicMs()
    if (now - this.#lastFailureMs > HEALTHY_AFTER_MS) this.#failures = 0
    this.#lastFailureMs = now
    this.#failures += 1
    const isExhausted = EXHAUSTED.has(code)
    const givesUp = isExhausted || this.#failures > timing.maxRestarts
    const delayMs = givesUp
      ? timing.rewatchMs
      : Math.min(timing.restartMs * 2 ** (this.#failures - 1), timing.longestRestartMs)
    logger.warn('a folder watch failed', { code: code ?? String(error), failures: this.#failures, delayMs })
    const exhausted = code === 'ENOSPC' ? 'no_watches' : 'no_handles'
    const why = isExhausted ? folderReason(exhausted) : folderReason('watch_failed', { error: code ?? '?' })
    this.#deps.onChange(why)
    this.#cancelTimer = clock.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#open(options)
    })
  }

  #close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#token = null
    if (this.#handle !== null) this.#retire(this.#handle)
    this.#handle = null
  }

  #retire(handle: { close(): Promise<void> }): void {
    this.#closing = Promise.all([this.#closing, handle.close()]).then(
      () => undefined,
      (error: unknown) => this.#deps.logger.warn('a folder watch did not close cleanly', { error: String(error) }),
    )
  }
}
