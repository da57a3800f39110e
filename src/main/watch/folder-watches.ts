import { readFileSync, watch, type BigIntStats, type Dirent, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { lstatMany, type StatPace } from './lstat-many.ts'
import { baseName } from './path-filter.ts'
import { EXHAUSTED, type TreeWatchOptions, type WatchTree } from './tree-watch.ts'

/** Events are gathered for this long, so that a save through a temporary file or a growing file is looked at once. */
const GATHER_MS = 50
/** The longest synchronous work before yielding to the event loop. */
const SLICE_MS = 4
/** So few watches are closed in one turn of the event loop that the kernel's queue, to which each adds an event, does not fill. */
const CLOSED_AT_ONCE = 500

/** A watched folder of a tree. */
interface Folder {
  path: string
  parent: Folder | null
  watcher: FSWatcher | null
  /** The watched folders in it, by name; null without any. */
  inside: Map<string, Folder> | null
  /** The names that events came for and that were not looked at yet. */
  dirtyNames: Set<string> | null
  /** Of when it was looked at before it was watched; null if it was not, or cannot be told from another. */
  identity: string | null
}

/**
 * Watches a tree on Linux with one inotify watch per folder. Links are not followed; `rootDir` must be a real path. An event only says which name
 * to look at. A folder is watched before it is listed. One whose name comes up is watched afresh with all below, unless it is known to be the
 * same.
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
  #dirtyFolders: Folder[] = []
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
    await unwatch(this.#root)
    await this.#working
  }

  async #start(): Promise<void> {
    this.#isOverrun = false
    this.#root.identity = await this.#identityNow(this.#root)
    await this.#enter(this.#root, false)
    if (!this.#isClosed) this.#options.onReady()
  }

  readonly #onOverrun = (): void => {
    this.#isOverrun = true
    this.#workSoon()
  }

  #onEvent(folder: Folder, name: string | null): void {
    kernelQueue.count()
    if (name === null) return
    // Nothing is told of what is hidden, as Hangar's own unfinished results are.
    const isHidden = name.startsWith('.') && this.#options.ignored(`${folder.path}/${name}`, null)
    if (isHidden && !this.#isRoot(folder, name)) return
    if (folder.dirtyNames === null) {
      folder.dirtyNames = new Set()
      this.#dirtyFolders.push(folder)
    }
    folder.dirtyNames.add(name)
    this.#workSoon()
  }

  /** Whether an event may be one of the root itself, which bears the root's name. */
  #isRoot(folder: Folder, name: string): boolean {
    return folder === this.#root && name === baseName(folder.path)
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
        if (this.#dirtyFolders.length > 0 || this.#isOverrun) this.#workSoon()
      })
  }

  async #lookAround(): Promise<void> {
    if (this.#isOverrun) {
      // Which folders came and went is not known any more.
      await unwatch(this.#root)
      this.#dirtyFolders = []
      this.#root = folderAt(this.#options.rootDir, null)
      return this.#start()
    }
    const folders = this.#dirtyFolders
    this.#dirtyFolders = []
    for (const folder of folders) {
      const names = folder.dirtyNames
      folder.dirtyNames = null
      if (names !== null && folder.watcher !== null) await this.#lookInto(folder, names)
      if (this.#isClosed) return
    }
  }

  async #lookInto(folder: Folder, names: ReadonlySet<string>): Promise<void> {
    const options = this.#options
    const stats = await lstatMany(folder.path, [...names], this.#pace)
    let at = 0
    for (const name of names) {
      const there = stats[at++] ?? null
      if (this.#isClosed) return
      const path = `${folder.path}/${name}`
      const before = folder.inside?.get(name)
      const identity = identityOf(there)
      if (this.#isRoot(folder, name) && !isSame(folder, await this.#identityNow(folder))) options.onRemoved(folder.path)
      if (before !== undefined && isSame(before, identity)) continue
      if (before !== undefined) await leave(before)
      if (this.#isClosed) return
      if (before !== undefined) options.onRemoved(path)
      if (there?.isDirectory() === true) {
        if (!options.ignored(path, true)) await this.#enter(folderIn(folder, name, identity), true)
        continue
      }
      if (options.ignored(path, false)) continue
      if (there !== null) options.onTouched(path)
      else if (before === undefined) options.onRemoved(path)
    }
  }

  /** Watches a folder and all below, and with `tells` tells of the files in them. Rejects when there are no watches left. */
  async #enter(first: Folder, tells: boolean): Promise<void> {
    const waiting = [first]
    let sliceEndMs = performance.now() + SLICE_MS
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const entries = await this.#openAndList(folder)
      if (this.#isClosed) return
      // A scan says what is wrong with a folder that cannot be watched, and with a name that is not valid UTF-8.
      if (tells && entries?.some(({ name }) => name.includes('\uFFFD')) !== false) this.#options.onMissed()
      for (const entry of entries ?? []) {
        if (performance.now() > sliceEndMs) {
          await nextTurn()
          sliceEndMs = performance.now() + SLICE_MS
        }
        if (this.#isClosed) return
        const path = `${folder.path}/${entry.name}`
        if (entry.isDirectory()) {
          // A name may come twice, made well-formed or made again while it was listed.
          if (folder.inside?.has(entry.name) !== true && !this.#options.ignored(path, true))
            waiting.push(folderIn(folder, entry.name))
        } else if (tells && entry.isFile() && !this.#options.ignored(path, false)) this.#options.onTouched(path)
      }
    }
  }

  /** Null for a folder that cannot be watched or listed, which is left out. */
  async #openAndList(folder: Folder): Promise<Dirent[] | null> {
    try {
      this.#open(folder)
      return await readdir(folder.path, { withFileTypes: true })
    } catch (error) {
      if (folder.parent === null || EXHAUSTED.has((error as NodeJS.ErrnoException).code)) throw error
      await leave(folder)
      return null
    }
  }

  async #identityNow(folder: Folder): Promise<string | null> {
    const [there] = await lstatMany(dirname(folder.path), [baseName(folder.path)], this.#pace)
    return identityOf(there ?? null)
  }

  #open(folder: Folder): void {
    if (this.#isClosed) return
    folder.watcher = watch(folder.path, (_kind, name) => this.#onEvent(folder, name))
    folder.watcher.on('error', (error) => this.#options.onError(error))
  }
}

function folderAt(path: string, parent: Folder | null, identity: string | null = null): Folder {
  return { path, parent, watcher: null, inside: null, dirtyNames: null, identity }
}

function folderIn(parent: Folder, name: string, identity: string | null = null): Folder {
  const folder = folderAt(`${parent.path}/${name}`, parent, identity)
  parent.inside ??= new Map()
  parent.inside.set(name, folder)
  return folder
}

/** Tells a folder from another one that got its inode, and from one that others may enter now. Null where it cannot be told. */
function identityOf(stats: BigIntStats | null): string | null {
  if (stats?.isDirectory() !== true || stats.birthtimeNs === 0n) return null
  const { dev, ino, birthtimeNs, mode, uid, gid } = stats
  return [dev, ino, birthtimeNs, mode, uid, gid].join(':')
}

const isSame = ({ identity }: Folder, now: string | null) => identity !== null && identity === now

/** Takes a folder out of its tree. */
async function leave(folder: Folder): Promise<void> {
  folder.parent?.inside?.delete(baseName(folder.path))
  await unwatch(folder)
}

async function unwatch(folder: Folder): Promise<void> {
  const waiting = [folder]
  let closed = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    next.watcher?.close()
    next.watcher = null
    for (const inside of next.inside?.values() ?? []) waiting.push(inside)
    closed += 1
    if (closed % CLOSED_AT_ONCE === 0) await nextTurn()
  }
}

/** The kernel's queue of events for all watches of this process. It does not say that it dropped some; this many in one turn mean that it may have. */
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
