import { isAbsolute, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { Arrivals, FolderState } from './folder-state.ts'
import { FolderWatcher, type WatchDeps } from './folder-watcher.ts'
import { createPathFilter, type FilterOptions } from './path-filter.ts'
import { isHangarsOwn, realAsFarAsItExists, relativeTo } from './real-path.ts'

/** One watched folder as a person set it up. What is done to its pictures is the owner's business. */
export interface WatchedFolder {
  id: string
  /** Absolute. Need not exist at the moment. */
  rootDir: string
  include: string[]
  exclude: string[]
  paused: boolean
  /** Where its results go when not beside the originals: that folder is left out everywhere. Absolute. */
  outputDir: string | null
}

interface Held {
  folder: WatchedFolder
  /** With symbolic links resolved as far as the path exists: what folders are compared by. */
  realRoot: string
  realOutput: string | null
  watcher: FolderWatcher | null
}

/** The clocks are compared this often. */
const HEARTBEAT_MS = 5_000
/** So far behind, and the process stood still or the computer slept: events may have been lost. */
const DRIFT_MS = 10_000

/**
 * All watched folders. A file belongs to the innermost folder that holds it, paused or not; output folders belong to none.
 * Changes are made one after another; each promise ends when its change is in effect, passes excluded.
 */
export class WatcherSet {
  readonly #deps: WatchDeps
  readonly #held = new Map<string, Held>()
  #queue: Promise<unknown> = Promise.resolve()
  #cancelHeartbeat: (() => void) | null = null
  #stopped = false

  constructor(deps: WatchDeps) {
    this.#deps = deps
    this.#beat()
  }

  /** Throws `bad_request` for a folder watched already, useless globs, or an output folder that would leave nothing to watch. */
  add(folder: WatchedFolder): Promise<void> {
    return this.#serial(async () => {
      if (this.#held.has(folder.id)) throw new AppError('bad_request', 'This folder is watched already.')
      const held = await this.#check(folder)
      this.#held.set(folder.id, held)
      this.#applyFilters(folder.id)
      this.#run(held)
    })
  }

  /** Replaces everything about a folder but its id. Throws as `add` does; then nothing has changed. */
  update(folder: WatchedFolder): Promise<void> {
    return this.#serial(async () => {
      const before = this.#get(folder.id)
      const held = await this.#check(folder)
      if (held.realRoot === before.realRoot && folder.rootDir === before.folder.rootDir) held.watcher = before.watcher
      else await before.watcher?.stop()
      this.#held.set(folder.id, held)
      this.#applyFilters(null)
      if (folder.paused) await this.#halt(held)
      else this.#run(held)
    })
  }

  remove(id: string): Promise<void> {
    return this.#serial(async () => {
      const held = this.#get(id)
      this.#held.delete(id)
      await held.watcher?.stop()
      this.#applyFilters(null)
    })
  }

  /** Ends when nothing of the folder runs any more; what was offered is waited for. */
  pause(id: string): Promise<void> {
    return this.#serial(async () => {
      const held = this.#get(id)
      held.folder = { ...held.folder, paused: true }
      await this.#halt(held)
    })
  }

  resume(id: string): Promise<void> {
    return this.#serial(async () => {
      const held = this.#get(id)
      held.folder = { ...held.folder, paused: false }
      this.#run(held)
    })
  }

  /** Looks through one folder now; ends with the pass. A paused folder is not looked at. */
  async reconcile(id: string): Promise<void> {
    await this.#get(id).watcher?.reconcile()
  }

  /** The computer woke up: every folder is looked through. */
  resumed(): void {
    for (const held of this.#held.values()) this.#runPass(held, () => held.watcher?.reconcile())
  }

  state(id: string): FolderState {
    return this.#get(id).watcher?.state ?? PAUSED
  }

  /** Nothing more comes of a folder that is not watched any more. */
  arrivals(id: string): Arrivals {
    const watcher = this.#held.get(id)?.watcher
    return { files: watcher?.arriving ?? 0, phase: watcher?.state.phase ?? 'paused' }
  }

  /** Files named and not yet taken in, in all folders. */
  get pending(): number {
    let pending = 0
    for (const { watcher } of this.#held.values()) pending += watcher?.pending ?? 0
    return pending
  }

  /** Ends when nothing runs any more. Changes asked for later are refused with `aborted`. */
  stop(): Promise<void> {
    const stopped = this.#serial(async () => {
      await Promise.all([...this.#held.values()].map(async (held) => held.watcher?.stop()))
      this.#held.clear()
    })
    this.#stopped = true
    this.#cancelHeartbeat?.()
    return stopped
  }

  #serial<T>(change: () => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(new AppError('aborted', 'Watching has ended.'))
    const result = this.#queue.then(change)
    this.#queue = result.catch(() => undefined)
    return result
  }

  #get(id: string): Held {
    const held = this.#held.get(id)
    if (held === undefined) throw new AppError('not_found', 'This folder is not watched.')
    return held
  }

  #run(held: Held): void {
    if (held.folder.paused) {
      this.#deps.onState(held.folder.id, PAUSED)
    } else if (held.watcher === null) {
      const { id, rootDir } = held.folder
      held.watcher = new FolderWatcher({ id, rootDir, filter: this.#filterOf(held) }, this.#deps)
      const { watcher } = held
      this.#runPass(held, () => watcher.start())
    }
  }

  async #halt(held: Held): Promise<void> {
    const { watcher } = held
    held.watcher = null
    await watcher?.stop()
    this.#deps.onState(held.folder.id, PAUSED)
  }

  async #check(folder: WatchedFolder): Promise<Held> {
    if (!isAbsolute(folder.rootDir)) throw new AppError('bad_request', 'A watched folder is given by its full path.')
    createPathFilter({ include: folder.include, exclude: folder.exclude, leftOut: [] })
    const rootDir = resolve(folder.rootDir)
    const realRoot = await realAsFarAsItExists(rootDir)
    if (isHangarsOwn(realRoot)) throw new AppError('bad_request', ownSentence('folder_own'))
    const realOutput = folder.outputDir === null ? null : await realAsFarAsItExists(resolve(folder.outputDir))
    const others = [...this.#held.values()].filter((held) => held.folder.id !== folder.id)
    const twin = others.find((held) => held.realRoot === realRoot)
    if (twin !== undefined) throw new AppError('bad_request', ownSentence('folder_known'))
    const held: Held = { folder: { ...folder, rootDir }, realRoot, realOutput, watcher: null }
    for (const one of [...others, held]) {
      for (const { realOutput: output } of [...others, held]) {
        if (output !== null && isSameOrInside(output, one.realRoot))
          throw new AppError('bad_request', ownSentence('folder_hidden'))
      }
    }
    return held
  }

  /** Who owns what may have changed with any change of the set. */
  #applyFilters(except: string | null): void {
    for (const held of this.#held.values()) {
      if (held.folder.id !== except) this.#runPass(held, () => held.watcher?.setFilter(this.#filterOf(held)))
    }
  }

  #runPass(held: Held, pass: () => unknown): void {
    this.#deps.background.run('folder_scan', pass, held.folder.id)
  }

  #filterOf(held: Held): FilterOptions {
    const leftOut: string[] = []
    for (const other of this.#held.values()) {
      for (const dir of [other.realRoot, other.realOutput]) {
        const relative = dir === null ? null : relativeTo(held.realRoot, dir)
        if (relative !== null) leftOut.push(relative)
      }
    }
    return { include: held.folder.include, exclude: held.folder.exclude, leftOut }
  }

  #beat(): void {
    const { clock, logger } = this.#deps
    const wallMs = clock.nowMs()
    const monotonicMs = clock.monotonicMs()
    this.#cancelHeartbeat = clock.setTimer(HEARTBEAT_MS, () => {
      const monotonicDriftMs = clock.monotonicMs() - monotonicMs - HEARTBEAT_MS
      const wallDriftMs = Math.abs(clock.nowMs() - wallMs - HEARTBEAT_MS)
      if (monotonicDriftMs > DRIFT_MS || wallDriftMs > DRIFT_MS) {
        logger.info('the clock jumped or the process stood still; folders are looked through', { wallDriftMs })
        this.resumed()
      }
      this.#beat()
    })
  }
}

const PAUSED: FolderState = { phase: 'paused', because: null, lastPass: null }

function isSameOrInside(dir: string, path: string): boolean {
  return dir === path || relativeTo(dir, path) !== null
}
