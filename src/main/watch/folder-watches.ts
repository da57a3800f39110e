import { readFileSync, watch, type Dirent, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { lstatMany, type StatPace } from './lstat-many.ts'
import { baseName } from './path-filter.ts'
import type { TreeWatchOptions, WatchTree } from './tree-watch.ts'

/** Events are gathered for this long, so that a save through a temporary file or a growing file is looked at once. */
const GATHER_MS = 50
/** The longest synchronous work before yielding to the event loop. */
const SLICE_MS = 4
/** Where a folder that cannot be watched is only left out: a scan says what is wrong with it. */
const LEFT_OUT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])

/** A watched folder of a tree. */
interface Folder {
  path: string
  parent: Folder | null
  watcher: FSWatcher | null
  /** The watched folders in it, by name; null without any. */
  inside: Map<string, Folder> | null
  /** The names that events came for and that were not looked at yet; true if something may have come, gone or been replaced. */
  stirred: Map<string, boolean> | null
}

/**
 * Watches a tree on Linux with one inotify watch per folder. Symbolic links are not followed, except for `rootDir` itself, which
 * must be a real path. An event only says which name to look at; what is there then decides. A folder is watched before it is
 * listed, so what appears in it meanwhile is told of. A folder whose name comes up as renamed is watched afresh with all below, for
 * it may be another one.
 */
export const watchFolders: WatchTree = (options) => {
  const watches = new FolderWatches(options)
  return { close: () => watches.close() }
}

class FolderWatches {
  readonly #options: TreeWatchOptions
  readonly #pace: StatPace = { direct: true }
  #root: Folder
  /** Folders with names to look at. */
  #stirred: Folder[] = []
  #isOverrun = false
  #isClosed = false
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> | null = null

  constructor(options: TreeWatchOptions) {
    this.#options = options
    this.#root = folderAt(options.rootDir, null)
    kernelQueue.add(this.#onOverrun)
    this.#work(() => this.#start())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    kernelQueue.delete(this.#onOverrun)
    if (this.#timer !== null) clearTimeout(this.#timer)
    unwatch(this.#root)
    await this.#working
  }

  async #start(): Promise<void> {
    this.#isOverrun = false
    await this.#enter(this.#root, false)
    if (!this.#isClosed) this.#options.onReady()
  }

  readonly #onOverrun = (): void => {
    this.#isOverrun = true
    this.#workSoon()
  }

  #onEvent(folder: Folder, kind: string, name: string | null): void {
    kernelQueue.count()
    // Nothing is told of what is hidden, as Hangar's own unfinished results are.
    if (name === null || (name.startsWith('.') && this.#options.ignored(`${folder.path}/${name}`, null))) return
    if (folder.stirred === null) {
      folder.stirred = new Map()
      this.#stirred.push(folder)
    }
    folder.stirred.set(name, kind === 'rename' || folder.stirred.get(name) === true)
    this.#workSoon()
  }

  #workSoon(): void {
    if (this.#working !== null || this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#work(() => this.#lookAround())
    }, GATHER_MS)
  }

  /** One piece of work at a time; what comes up meanwhile is next. */
  #work(task: () => Promise<void>): void {
    this.#working = task()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#options.onError(error)
      })
      .then(() => {
        this.#working = null
        if (this.#stirred.length > 0 || this.#isOverrun) this.#workSoon()
      })
  }

  async #lookAround(): Promise<void> {
    if (this.#isOverrun) {
      // Which folders came and went is not known any more.
      unwatch(this.#root)
      this.#stirred = []
      this.#root = folderAt(this.#options.rootDir, null)
      return this.#start()
    }
    const stirred = this.#stirred
    this.#stirred = []
    for (const folder of stirred) {
      const names = folder.stirred
      folder.stirred = null
      if (names !== null && folder.watcher !== null) await this.#lookInto(folder, names)
      if (this.#isClosed) return
    }
  }

  async #lookInto(folder: Folder, names: ReadonlyMap<string, boolean>): Promise<void> {
    const options = this.#options
    const stats = await lstatMany(folder.path, [...names.keys()], this.#pace)
    let at = 0
    for (const [name, isRenamed] of names) {
      const there = stats[at++] ?? null
      if (this.#isClosed) return
      const path = `${folder.path}/${name}`
      const before = folder.inside?.get(name)
      const isFolder = there?.isDirectory() === true
      if (before !== undefined && (isRenamed || !isFolder)) leave(before)
      if (isFolder) {
        if (folder.inside?.has(name) === true || options.ignored(path, true)) continue
        options.onFolderAdded(path)
        await this.#enter(folderIn(folder, name), true)
        continue
      }
      const isPicture = !options.ignored(path, false)
      if (before !== undefined || (there === null && isPicture)) options.onRemoved(path)
      if (there !== null && isPicture) options.onTouched(path)
      // An event of the root itself bears the root's name.
      if (there === null && folder === this.#root && name === baseName(folder.path)) options.onRemoved(folder.path)
    }
  }

  /** Watches a folder and all below, and with `tells` tells of the files in them. Rejects when there are no watches left. */
  async #enter(first: Folder, tells: boolean): Promise<void> {
    const waiting = [first]
    let sliceEndMs = performance.now() + SLICE_MS
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const entries = await this.#openAndList(folder)
      for (const entry of entries) {
        if (performance.now() > sliceEndMs) {
          await nextTurn()
          sliceEndMs = performance.now() + SLICE_MS
        }
        if (this.#isClosed) return
        const path = `${folder.path}/${entry.name}`
        if (entry.isDirectory()) {
          if (!this.#options.ignored(path, true)) waiting.push(folderIn(folder, entry.name))
        } else if (tells && entry.isFile() && !this.#options.ignored(path, false)) this.#options.onTouched(path)
      }
    }
  }

  async #openAndList(folder: Folder): Promise<Dirent[]> {
    try {
      this.#open(folder)
      return await readdir(folder.path, { withFileTypes: true })
    } catch (error) {
      if (folder.parent === null || !LEFT_OUT.has((error as NodeJS.ErrnoException).code)) throw error
      leave(folder)
      return []
    }
  }

  #open(folder: Folder): void {
    if (this.#isClosed) return
    folder.watcher = watch(folder.path, (kind, name) => this.#onEvent(folder, kind, name))
    folder.watcher.on('error', (error) => this.#options.onError(error))
  }
}

function folderAt(path: string, parent: Folder | null): Folder {
  return { path, parent, watcher: null, inside: null, stirred: null }
}

function folderIn(parent: Folder, name: string): Folder {
  const folder = folderAt(`${parent.path}/${name}`, parent)
  parent.inside ??= new Map()
  parent.inside.set(name, folder)
  return folder
}

/** Takes a folder out of its tree. */
function leave(folder: Folder): void {
  folder.parent?.inside?.delete(baseName(folder.path))
  unwatch(folder)
}

function unwatch(folder: Folder): void {
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    next.watcher?.close()
    next.watcher = null
    if (next.inside !== null) waiting.push(...next.inside.values())
  }
}

/**
 * The queue of events that the kernel keeps for all watches of this process together. It drops what does not fit, and that it did
 * is not told. All that it holds is read in one turn of the event loop; so many events in one turn mean that some may be missing.
 */
class KernelQueue {
  readonly #listeners = new Set<() => void>()
  #eventsOfTurn = 0
  #suspicious = 0

  add(onOverrun: () => void): void {
    if (this.#suspicious === 0) this.#suspicious = sizeOfQueue() / 2
    this.#listeners.add(onOverrun)
  }

  delete(onOverrun: () => void): void {
    this.#listeners.delete(onOverrun)
  }

  count(): void {
    if (this.#eventsOfTurn === 0) setImmediate(() => (this.#eventsOfTurn = 0))
    this.#eventsOfTurn += 1
    if (this.#eventsOfTurn === Math.floor(this.#suspicious)) for (const listener of this.#listeners) listener()
  }
}

const kernelQueue = new KernelQueue()

/** inotify(7), "/proc interfaces". */
function sizeOfQueue(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
