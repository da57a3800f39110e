import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Background } from '../../shared/runtime/background.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { FileAt } from '../core/source-read.ts'
import { sampleFile, versionOf, type FileSample } from './file-sample.ts'
import { KnownFiles, type KnownFileSource } from './known-files.ts'
import { acceptsPath, baseName, type PathFilter } from './path-filter.ts'
import { relativeTo } from './real-path.ts'
import { reconcile, type ReconcileResult } from './reconcile.ts'
import { Removals } from './removals.ts'
import { isStillThere, type RootFolder } from './root-folder.ts'
import { Settle, type OfferResult } from './settle.ts'
import type { TreeWatchOptions } from './tree-watch.ts'
import type { WatchTiming } from './watch-timing.ts'

/** A file that has stopped changing. */
export interface StableFile extends FileAt {
  folderId: string
  /** The folder's root as configured, which is in `path` too. */
  rootDir: string
  /** The last offer of this state, even after `again`: report it as broken now. */
  finalTry: boolean
}

interface WatchedTreeDeps {
  folderId: string
  /** The root as configured; the journal's paths are below it. */
  rootDir: string
  clock: Clock
  background: Background
  timing: WatchTiming
  seen: KnownFileSource
  offer(file: StableFile): Promise<OfferResult>
  onGone(path: string): void
  /** The root as it is now. */
  findRoot(): Promise<RootFolder>
  /** The live watch reported a change. */
  onEvent(): void
  /** Asks for a scan of the tree in a few seconds. */
  rescanSoon(): void
  /** Scans the tree now. */
  rescan(): void
}

/** The files of a watched folder while the same folder is at its path. It ends when the folder is gone or replaced by another. */
export class WatchedTree {
  readonly root: RootFolder & { kind: 'there' }
  readonly #deps: WatchedTreeDeps
  readonly #known: KnownFiles
  readonly #settle: Settle
  readonly #removals: Removals
  #filter: PathFilter
  #watchVersion = 0
  #ended = false

  /** Throws what the journal throws. */
  constructor(root: RootFolder & { kind: 'there' }, filter: PathFilter, deps: WatchedTreeDeps) {
    const { clock, background, timing, folderId, rootDir } = deps
    this.root = root
    this.#deps = deps
    const compareIno = root.network === null
    this.#known = new KnownFiles({ compareIno })
    this.#known.load(deps.seen.load(rootDir), (path) => relativeTo(rootDir, path))
    this.#settle = new Settle({
      clock,
      background,
      folderId,
      timing: timing.settle,
      compareIno,
      sample: (relativePath) => sampleFile(`${root.realRoot}/${relativePath}`),
      isKnown: (relativePath, sample) => this.#known.matches(relativePath, sample),
      offer: (relativePath, sample, finalTry) => this.#offer(relativePath, sample, finalTry),
      onGone: (relativePath) => this.#removals.note(relativePath),
    })
    this.#filter = filter
    const files = { root, known: this.#known, settle: this.#settle }
    this.#removals = new Removals({
      clock,
      timing,
      run: (check) => background.run('folder_removals', check, folderId),
      files: () => (this.#ended ? null : files),
      report: (gone) => this.#reportRemoved(gone),
      scan: () => deps.rescan(),
    })
  }

  /** Files reported and not yet taken in, without those found incomplete. */
  get arriving(): number {
    return this.#settle.arriving
  }

  /** Grows when a live watch has to begin again, because the root itself came or went. */
  get watchVersion(): number {
    return this.#watchVersion
  }

  isAt(root: RootFolder & { kind: 'there' }): boolean {
    return this.root.identity === root.identity && this.root.realRoot === root.realRoot
  }

  setFilter(filter: PathFilter): void {
    this.#filter = filter
  }

  /** Drops what is settling; pending offers are left to their owner. */
  end(): void {
    this.#ended = true
    this.#settle.clear()
    this.#removals.clear()
  }

  /** Compares the whole tree with the known files, and has what changed settle. Rejects as `reconcile` does. */
  scan(signal: AbortSignal): Promise<ReconcileResult> {
    return reconcile({
      realRoot: this.root.realRoot,
      filter: this.#filter,
      known: this.#known,
      direct: this.root.network === null,
      signal,
      onChanged: (folder, files) => this.#settle.touchAll(folder, files),
    })
  }

  /** Whether the same folder is still at the path. */
  isStillThere(): Promise<boolean> {
    return isStillThere(this.#deps.rootDir, this.root)
  }

  /** What a live watch of the tree leaves out, and what its events lead to. */
  liveWatch(): TreeWatchOptions {
    const withPath =
      (handle: (relativePath: string) => void) =>
      (path: string): void => {
        this.#deps.onEvent()
        const relativePath = relativeTo(this.root.realRoot, path)
        if (relativePath !== null) return handle(relativePath)
        // The root itself: a scan finds out whether it came or went.
        this.#watchVersion += 1
        this.#deps.rescan()
      }
    return {
      rootDir: this.root.realRoot,
      ignored: (path, isFolder) => this.#isIgnored(path, isFolder),
      onTouched: withPath((relativePath) => this.#touched(relativePath)),
      onRemoved: withPath((relativePath) => this.#removals.note(relativePath)),
      onMissed: () => this.#deps.rescanSoon(),
      // Changes between the previous scan and now went unnoticed.
      onReady: () => this.#deps.rescan(),
      onError: () => undefined,
    }
  }

  #isIgnored(path: string, isFolder: boolean | null): boolean {
    const relativePath = relativeTo(this.root.realRoot, path)
    if (relativePath === null) return false
    const name = baseName(relativePath)
    if (isFolder === true) return !this.#filter.folder(relativePath, name)
    if (isFolder === false) return !this.#filter.file(relativePath, name)
    return name.startsWith('.')
  }

  #touched(relativePath: string): void {
    if (acceptsPath(this.#filter, relativePath)) this.#settle.touch(relativePath)
  }

  async #offer(relativePath: string, sample: FileSample, finalTry: boolean): Promise<OfferResult> {
    // Reported before a setting excluded it.
    if (!acceptsPath(this.#filter, relativePath)) return 'taken'
    const { folderId, rootDir } = this.#deps
    const result = await this.#deps.offer({
      folderId,
      rootDir,
      path: join(rootDir, relativePath),
      ...versionOf(sample),
      finalTry,
    })
    if (result === 'taken') this.#known.set(relativePath, sample)
    return result
  }

  async #reportRemoved(gone: readonly string[]): Promise<void> {
    const root = await this.#deps.findRoot()
    if (this.#ended) return
    if (root.kind === 'missing' || root.identity !== this.root.identity) return this.#deps.rescan()
    this.reportGone(await this.#notEmptied(gone))
  }

  /** Without those above which the nearest folder that is left is empty, as the mount point of a drive that is away. */
  async #notEmptied(gone: readonly string[]): Promise<string[]> {
    const found = new Map<string, Promise<boolean>>()
    const isEmptied = (folder: string): Promise<boolean> => {
      if (folder === '.') return Promise.resolve(false)
      const names = () => readdir(join(this.root.realRoot, folder))
      const known =
        found.get(folder) ??
        names().then(
          ({ length }) => length === 0,
          () => isEmptied(dirname(folder)),
        )
      found.set(folder, known)
      return known
    }
    const emptied = await Promise.all(gone.map((relativePath) => isEmptied(dirname(relativePath))))
    return gone.filter((_, n) => !emptied[n])
  }

  /** Relative to the root. Throws what the owner throws; files not yet reported stay known, and the next scan finds them gone. */
  reportGone(gone: readonly string[]): void {
    for (const relativePath of gone) {
      // A scan and an event may both have found it gone.
      if (!this.#known.has(relativePath) && !this.#settle.has(relativePath)) continue
      this.#deps.onGone(join(this.#deps.rootDir, relativePath))
      // An event may have told since that it is there again, which must not be lost.
      this.#settle.lookAgain(relativePath)
      this.#known.delete(relativePath)
    }
  }
}
