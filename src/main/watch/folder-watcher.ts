import type { Background, BackgroundTask } from '../../shared/background.ts'
import { folderReason, type FolderReason } from '../../shared/folder-reason.ts'
import type { Clock, Logger, Random } from '../../shared/ports.ts'
import { coalesce } from './coalesce.ts'
import { EventBurst } from './event-burst.ts'
import { sampleFile, type FileSample } from './file-sample.ts'
import type { FolderPhase, FolderState, LastScan } from './folder-state.ts'
import { IgnoreFiles } from './ignore-files.ts'
import { KnownFiles, type KnownFileSource } from './known-files.ts'
import { LiveTree } from './live-tree.ts'
import {
  acceptsPath,
  baseName,
  createPathFilter,
  IGNORE_FILE,
  type FilterOptions,
  type PathFilter,
} from './path-filter.ts'
import { reconcile, type ReconcileResult } from './reconcile.ts'
import { relativeTo } from './real-path.ts'
import { Removals, type WatchedFiles } from './removals.ts'
import { findRootFolder, whyMissing, type RootFolder } from './root-folder.ts'
import { Settle, type OfferResult } from './settle.ts'
import { watchTreeWithChokidar, type TreeWatchOptions, type WatchTree } from './tree-watch.ts'
import { WATCH_TIMING, type WatchTiming } from './watch-timing.ts'

/** A file that has stopped changing. Big integers are decimal strings, as in the journal. */
export interface StableFile {
  folderId: string
  /** The folder's root as configured. */
  rootDir: string
  /** Absolute, below `rootDir`. */
  path: string
  sizeBytes: number
  mtimeNs: string
  ino: string
  /** The last offer of this state, even after `again`: report it as broken now. */
  finalTry: boolean
}

export interface WatchDeps {
  clock: Clock
  random: Random
  logger: Logger
  background: Background
  seen: KnownFileSource
  /**
   * Takes a file in. At most `settle.lanes` calls per folder are pending at a time, so slow answers throttle the
   * folder. `again` when its content is incomplete: it is offered again later, sooner if it changes. Rejecting means
   * the same. Must finish on its own at shutdown, since `stop` waits for it.
   */
  onStable(file: StableFile): OfferResult | Promise<OfferResult>
  /** A known or settling file is gone. Only a hint: its folder may be on a drive that comes back. */
  onGone(path: string, folderId: string): void
  onState(folderId: string, state: FolderState): void
  watchTree?: WatchTree
  findRoot?: (rootDir: string) => Promise<RootFolder>
  timing?: WatchTiming
}

interface FolderOptions {
  id: string
  /** Absolute, without a trailing separator. */
  rootDir: string
  filter: FilterOptions
  /** Called in each scan with the folder's real path: why it cannot be watched there, or null. */
  claim?: (realRoot: string) => Promise<FolderReason | null>
}

type Root = RootFolder & { kind: 'there' }

/** State tied to one identity of the root; it ends when the root is gone or replaced by another folder. */
interface Session {
  root: Root
  known: KnownFiles
  settle: Settle
  ignoreFiles: IgnoreFiles
  /** Names, globs and ignore files combined. */
  filter: PathFilter
  /** The `ignoreFiles.version` that the live watch was started with. */
  watchedVersion: number
}

/** Watches one folder from `start` to `stop`. The live watch only gives hints; scans are authoritative. */
export class FolderWatcher {
  readonly #deps: WatchDeps
  readonly #options: FolderOptions
  readonly #timing: WatchTiming
  readonly #abort = new AbortController()
  readonly #burst: EventBurst
  readonly #live: LiveTree
  readonly #removals: Removals
  readonly #pass = coalesce(() => this.#runPass())
  #names: PathFilter
  /** The settings, as JSON, that `#names` was made from. */
  #written: string
  #session: Session | null = null
  #state: FolderState = { phase: 'starting', because: null, lastScan: null }
  /** Why there is no live watch, or null. */
  #pollBecause: FolderReason | null = null
  #cancelPassTimer: (() => void) | null = null
  readonly #offers = new Set<Promise<unknown>>()

  constructor(options: FolderOptions, deps: WatchDeps) {
    this.#options = options
    this.#deps = deps
    this.#timing = deps.timing ?? WATCH_TIMING
    this.#names = createPathFilter(options.filter)
    this.#written = JSON.stringify(options.filter)
    this.#burst = new EventBurst(deps.clock, this.#timing, () => this.#passSoon())
    this.#live = new LiveTree({
      clock: deps.clock,
      logger: deps.logger,
      timing: this.#timing,
      watchTree: deps.watchTree ?? watchTreeWithChokidar,
      onChange: (because) => this.#setPolling(because),
    })
    this.#removals = new Removals({
      clock: deps.clock,
      timing: this.#timing,
      run: (check) => this.#run('folder_removals', check),
      files: () => this.#session,
      report: (files, gone) => this.#reportRemoved(files, gone),
      scan: () => this.#background(),
    })
  }

  get state(): FolderState {
    return this.#state
  }

  /** Files reported and not yet taken in. */
  get pending(): number {
    return this.#session?.settle.pending ?? 0
  }

  /** Files reported and not yet taken in, without those found incomplete. */
  get arriving(): number {
    return this.#session?.settle.arriving ?? 0
  }

  /** Resolves after the first scan. */
  start(): Promise<void> {
    this.#deps.onState(this.#options.id, this.#state)
    return this.#pass()
  }

  /** Scans the whole folder now, or after the running scan if there is one. */
  reconcile(): Promise<void> {
    return this.#pass()
  }

  /** Applies other globs or left-out folders from now on. Resolves after a scan, which finds what they newly admit. */
  setFilter(filter: FilterOptions): Promise<void> {
    const written = JSON.stringify(filter)
    if (written === this.#written) return Promise.resolve()
    this.#written = written
    this.#names = createPathFilter(filter)
    const session = this.#session
    if (session !== null) {
      session.filter = session.ignoreFiles.filter(this.#names)
      if (this.#live.isStarted) this.#startLive(session)
    }
    return this.#pass()
  }

  /** Resolves when nothing of this folder runs any more, including offers. */
  async stop(): Promise<void> {
    this.#abort.abort()
    this.#burst.stop()
    this.#endSession()
    await this.#live.stop()
    await this.#pass()
    await Promise.allSettled(this.#offers)
    this.#deps.background.forget(this.#options.id)
  }

  // ---- scans

  #run(task: BackgroundTask, work: () => unknown): void {
    this.#deps.background.run(task, work, this.#options.id)
  }

  #background(): void {
    this.#run('folder_scan', () => this.#pass())
  }

  /** Scans soon; a tree that takes long to scan is not scanned continuously. */
  #passSoon(): void {
    const last = this.#state.lastScan
    const restMs = last === null ? 0 : last.endedAtMs + 9 * last.durationMs - this.#deps.clock.nowMs()
    if (restMs <= 0 || last === null) this.#background()
    else this.#setPassTimer(Math.min(restMs, 9 * last.durationMs))
  }

  async #runPass(): Promise<void> {
    try {
      await this.#scanNow()
    } catch (error) {
      if (this.#abort.signal.aborted) return
      // Most likely the journal's disk is full: the next scan finds what was not recorded.
      if (this.#session !== null) this.#setIdleState(false)
      else this.#setState('starting', null)
      this.#setPassTimer(this.#timing.missingRetryMs)
      throw error
    }
  }

  async #scanNow(): Promise<void> {
    if (this.#abort.signal.aborted) return
    const startedAtMs = this.#deps.clock.monotonicMs()
    const root = await this.#findRoot()
    if (this.#abort.signal.aborted) return
    if (root.kind === 'missing') return this.#becomeAway('missing', root.why)
    const refusal = (await this.#options.claim?.(root.realRoot)) ?? null
    if (this.#abort.signal.aborted) return
    if (refusal !== null) return this.#becomeAway('refused', refusal)
    const session = this.#sessionFor(root)
    const isNew = ['starting', 'missing', 'refused'].includes(this.#state.phase)
    this.#setState(isNew ? 'starting' : 'reconciling', null)
    let result: ReconcileResult
    try {
      result = await this.#look(session)
    } catch (error) {
      if (this.#abort.signal.aborted) return
      return this.#becomeAway('missing', whyMissing(error))
    }
    await this.#finishPass(session, result, startedAtMs)
  }

  #look(session: Session): Promise<ReconcileResult> {
    return reconcile({
      realRoot: session.root.realRoot,
      filter: session.filter,
      ignoreFiles: session.ignoreFiles,
      known: session.known,
      direct: session.root.network === null,
      signal: this.#abort.signal,
      onChanged: (relativePath, sample) => session.settle.touch(relativePath, sample),
    })
  }

  async #finishPass(session: Session, result: ReconcileResult, startedAtMs: number): Promise<void> {
    const after = await this.#findRoot()
    if (this.#abort.signal.aborted) return
    if (after.kind === 'missing') return this.#becomeAway('missing', after.why)
    if (after.identity !== session.root.identity) return this.#background()
    const looksUnplugged = result.rootIsEmpty && result.gone.length > 0
    if (!looksUnplugged) this.#reportGone(session, result.gone)
    const { clock } = this.#deps
    const durationMs = clock.monotonicMs() - startedAtMs
    const { files, changed, problemCount, problems } = result
    this.#state = {
      ...this.#state,
      lastScan: { endedAtMs: clock.nowMs(), durationMs, files, changed, problemCount, problems } satisfies LastScan,
    }
    if (session.root.network === null) this.#keepLive(session)
    this.#setIdleState(looksUnplugged)
    this.#schedulePass(durationMs)
  }

  #schedulePass(durationMs: number): void {
    const { pollEveryMs, passEveryMs } = this.#timing
    const random = this.#deps.random()
    const delayMs =
      this.#pollBecause === null
        ? passEveryMs * (0.8 + 0.4 * random)
        : Math.max(pollEveryMs * (1 + random), durationMs * 9)
    this.#setPassTimer(delayMs)
  }

  #setPassTimer(delayMs: number): void {
    this.#cancelPassTimer?.()
    this.#cancelPassTimer = this.#deps.clock.setTimer(delayMs, () => this.#background())
  }

  // ---- the root

  #findRoot(): Promise<RootFolder> {
    return (this.#deps.findRoot ?? findRootFolder)(this.#options.rootDir)
  }

  /** Marks the folder as missing or refused, to be retried. Nothing in it counts as deleted. */
  #becomeAway(phase: 'missing' | 'refused', why: FolderReason): void {
    this.#endSession()
    this.#run('folder_watch', () => this.#live.stop())
    this.#setState(phase, why)
    this.#setPassTimer(this.#timing.missingRetryMs)
  }

  /** Continues the session while the same folder is at the path. */
  #sessionFor(root: Root): Session {
    const current = this.#session
    if (current !== null && current.root.identity === root.identity && current.root.realRoot === root.realRoot)
      return current
    this.#endSession()
    this.#run('folder_watch', () => this.#live.stop())
    const compareIno = root.network === null
    const known = new KnownFiles({ compareIno })
    known.load(this.#deps.seen.load(this.#options.rootDir), (path) => relativeTo(this.#options.rootDir, path))
    const settle: Settle = new Settle({
      clock: this.#deps.clock,
      logger: this.#deps.logger,
      background: this.#deps.background,
      folderId: this.#options.id,
      timing: this.#timing.settle,
      compareIno,
      sample: (relativePath) => sampleFile(`${root.realRoot}/${relativePath}`),
      isKnown: (relativePath, sample) => known.matches(relativePath, sample),
      offer: (relativePath, sample, finalTry) => this.#offer(session, relativePath, sample, finalTry),
      onGone: (relativePath) => this.#noteRemoved(relativePath),
    })
    const ignoreFiles = new IgnoreFiles(root.realRoot)
    const filter = ignoreFiles.filter(this.#names)
    const session: Session = { root, known, settle, ignoreFiles, filter, watchedVersion: 0 }
    this.#session = session
    this.#pollBecause = root.network === null ? null : folderReason('network_drive', { fileSystem: root.network })
    return session
  }

  #endSession(): void {
    this.#session?.settle.clear()
    this.#session = null
    this.#removals.clear()
    this.#cancelPassTimer?.()
    this.#cancelPassTimer = null
  }

  // ---- hints

  /** Starts the live watch, or restarts it when a changed ignore file changes what to watch. */
  #keepLive(session: Session): void {
    if (!this.#live.isStarted || session.watchedVersion !== session.ignoreFiles.version) this.#startLive(session)
  }

  #startLive(session: Session): void {
    session.watchedVersion = session.ignoreFiles.version
    const { realRoot } = session.root
    const withPath =
      (handle: (relativePath: string) => void) =>
      (path: string): void => {
        this.#burst.event()
        const relativePath = relativeTo(realRoot, path)
        // The root itself: a scan finds out whether it came or went.
        if (relativePath === null) this.#background()
        else handle(relativePath)
      }
    this.#live.start({
      rootDir: realRoot,
      ignored: this.#ignoredBy(session),
      onTouched: withPath((relativePath) => this.#touched(session, relativePath)),
      onRemoved: withPath((relativePath) => this.#noteRemoved(relativePath)),
      onFolderAdded: withPath(() => this.#burst.wanted()),
      // Changes between the previous scan and now went unnoticed.
      onReady: () => this.#background(),
      onError: () => undefined,
    })
  }

  #ignoredBy(session: Session): TreeWatchOptions['ignored'] {
    return (path, isFolder) => {
      const relativePath = relativeTo(session.root.realRoot, path)
      if (relativePath === null) return false
      const name = baseName(relativePath)
      if (name === IGNORE_FILE) return false
      if (isFolder === true) return !session.filter.folder(relativePath, name)
      if (isFolder === false) return !session.filter.file(relativePath, name)
      return name.startsWith('.')
    }
  }

  #touched(session: Session, relativePath: string): void {
    if (baseName(relativePath) === IGNORE_FILE) {
      // At once, so that files it now excludes are not taken in meanwhile; the scan finds those it now admits.
      const folder = relativePath.slice(0, Math.max(0, relativePath.lastIndexOf('/')))
      this.#run('folder_scan', () => session.ignoreFiles.refresh(folder, true))
      this.#burst.wanted()
    } else if (acceptsPath(session.filter, relativePath)) session.settle.touch(relativePath)
  }

  // ---- taking in

  async #offer(session: Session, relativePath: string, sample: FileSample, finalTry: boolean): Promise<OfferResult> {
    // Reported before an ignore file or a setting excluded it.
    if (!acceptsPath(session.filter, relativePath)) return 'taken'
    const { id, rootDir } = this.#options
    const { sizeBytes, mtimeNs, ino } = sample
    const file = { sizeBytes, mtimeNs: mtimeNs.toString(), ino: ino.toString(), finalTry }
    const offer = Promise.resolve(
      this.#deps.onStable({ folderId: id, rootDir, path: `${rootDir}/${relativePath}`, ...file }),
    )
    this.#offers.add(offer)
    try {
      const result = await offer
      if (result === 'taken' || finalTry) {
        session.known.set(relativePath, sample)
        return 'taken'
      }
      return result
    } finally {
      this.#offers.delete(offer)
    }
  }

  // ---- removals

  #noteRemoved(relativePath: string): void {
    if (baseName(relativePath) === IGNORE_FILE) this.#burst.wanted()
    this.#removals.note(relativePath)
  }

  async #reportRemoved(files: WatchedFiles, gone: readonly string[]): Promise<void> {
    const root = await this.#findRoot()
    const session = this.#session
    if (session !== files) return
    if (root.kind === 'missing' || root.identity !== session.root.identity) this.#background()
    else this.#reportGone(session, gone)
  }

  /** Throws what the owner throws; files not yet reported stay known, and the next scan finds them gone. */
  #reportGone(session: Session, gone: readonly string[]): void {
    for (const relativePath of gone) {
      // A scan and an event may both have found it gone.
      if (!session.known.has(relativePath) && !session.settle.has(relativePath)) continue
      this.#deps.onGone(`${this.#options.rootDir}/${relativePath}`, this.#options.id)
      session.settle.drop(relativePath)
      session.known.delete(relativePath)
    }
  }

  // ---- state

  #setPolling(because: FolderReason | null): void {
    if (this.#session?.root.network !== null || this.#pollBecause?.code === because?.code) return
    this.#pollBecause = because
    if (this.#state.phase !== 'watching' && this.#state.phase !== 'polling') return
    this.#setIdleState(false)
    this.#schedulePass(this.#state.lastScan?.durationMs ?? 0)
  }

  #setIdleState(looksUnplugged: boolean): void {
    if (this.#pollBecause === null) this.#setState('watching', looksUnplugged ? folderReason('emptied') : null)
    else {
      const from = Math.round(this.#timing.pollEveryMs / 1000)
      const { code, values } = this.#pollBecause
      this.#setState(
        'polling',
        looksUnplugged ? folderReason('emptied') : { code, values: { ...values, from, to: 2 * from } },
      )
    }
  }

  #setState(phase: FolderPhase, because: FolderReason | null): void {
    if (this.#abort.signal.aborted) return
    this.#state = { ...this.#state, phase, because }
    this.#deps.onState(this.#options.id, this.#state)
  }
}
