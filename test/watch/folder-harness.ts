import { Background } from '../../src/shared/runtime/background.ts'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { FolderState } from '../../src/main/watch/folder-state.ts'
import { FolderWatcher, type WatchDeps } from '../../src/main/watch/folder-watcher.ts'
import type { StableFile } from '../../src/main/watch/watched-tree.ts'
import type { FileAt } from '../../src/main/core/source-read.ts'
import { WATCH_TIMING, type WatchTiming } from '../../src/main/watch/watch-timing.ts'
import type { Logger } from '../../src/shared/runtime/ports.ts'
import { until } from '../until.ts'

const nothing = (): void => undefined
export const quietLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
export const quietBackground = (): Background => new Background({ log: quietLogger, nowMs: () => 0 })

/** The real course of things, a few times faster; periodic passes are far away, so that what is found was noticed. */
export const FAST: WatchTiming = {
  ...WATCH_TIMING,
  missingRetryMs: 200,
  lookEveryMs: 200,
  rescanDelayMs: 300,
  removalDelayMs: 100,
  restartMs: 100,
  pollEveryMs: 250,
  settle: { ...WATCH_TIMING.settle, distanceMs: 500 },
}

/** A fresh folder, a watcher on it, and all that the watcher said. */
export class FolderHarness {
  readonly base: string
  readonly root: string
  readonly stable: StableFile[] = []
  readonly gone: string[] = []
  readonly states: FolderState[] = []
  readonly seen = new Map<string, FileAt>()
  #watcher: FolderWatcher | null = null

  constructor() {
    this.base = mkdtempSync(join(tmpdir(), 'hangar-watch-'))
    this.root = join(this.base, 'pictures')
    mkdirSync(this.root)
  }

  get deps(): WatchDeps {
    return {
      clock: realClock,
      random: () => 0.5,
      logger: quietLogger,
      background: quietBackground(),
      seen: { load: () => this.seen.values() },
      onStable: (file) => {
        this.stable.push(file)
        this.seen.set(file.path, file)
        return 'taken'
      },
      onGone: (path) => {
        this.gone.push(path)
        this.seen.delete(path)
      },
      onState: (_id, state) => this.states.push(state),
      timing: FAST,
    }
  }

  get watcher(): FolderWatcher {
    if (this.#watcher === null) throw new Error('not started')
    return this.#watcher
  }

  /** Ends once changes are noticed (or are known not to be). */
  async start(
    change: Partial<WatchDeps> = {},
    filter: { include?: string[]; exclude?: string[]; leftOut?: string[] } = {},
  ): Promise<void> {
    const full = { include: [], exclude: [], leftOut: [], ...filter }
    this.#watcher = new FolderWatcher({ id: 'f', rootDir: this.root, filter: full }, { ...this.deps, ...change })
    await this.#watcher.start()
    if (this.watcher.state.phase === 'watching') {
      // The pass that the live watch asks for once it stands.
      await until('the live watch stands', () => this.passes > 0)
      await this.watcher.reconcile()
    }
  }

  path(name: string): string {
    return join(this.root, name)
  }

  write(name: string, content: string | Uint8Array = 'picture'): string {
    const path = this.path(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  }

  get passes(): number {
    return this.states.filter(({ phase }) => phase === 'reconciling').length
  }

  /** Names of what was taken in so far, relative to the root, in order. */
  get taken(): string[] {
    return this.stable.map(({ path }) => path.slice(this.root.length + 1)).sort()
  }

  /** Waits until everything found is taken in and nothing is on its way. */
  async idle(): Promise<void> {
    await this.watcher.reconcile()
    await until('nothing is on its way', () => this.watcher.arriving === 0)
  }

  async startAndTakeIn(...given: Parameters<FolderHarness['start']>): Promise<void> {
    await this.start(...given)
    await this.idle()
  }

  async end(): Promise<void> {
    await this.#watcher?.stop()
    rmSync(this.base, { recursive: true, force: true })
  }
}
