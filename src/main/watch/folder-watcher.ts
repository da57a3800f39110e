import type { Background, BackgroundTask } from '../../shared/background.ts'
import { folderReason, type FolderReason } from '../../shared/folder-reason.ts'
import type { Clock, Logger, Random } from '../../shared/ports.ts'
import { coalesce } from './coalesce.ts'
import { EventBurst } from './event-burst.ts'
import { sampleFile, type FileSample } from './file-sample.ts'
import type { FolderPhase, FolderState, LastPass } from './folder-state.ts'
import { IgnoreFiles } from './ignore-files.ts'
import { KnownFiles, type SeenIndex } from './known-files.ts'
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

/** A file that has stopped changing. Big integers are decimal strings, as journalled. */
export interface StableFile {
  folderId: string
  /** The folder's root as it was given. */
  rootDir: string
  /** Absolute, below `rootDir`. */
  path: string
  sizeBytes: number
  mtimeNs: string
  ino: string
  /** No further offer of this very state follows an `again`: say now that it is broken. */
  finalTry: boolean
}

export interface WatchDeps {
  clock: Clock
  random: Random
  logger: Logger
  background: Background
  seen: SeenIndex
  /**
   * Takes a file in. At most `settle.lanes` calls a folder are out at once, so a slow answer slows the folder down.
   * `again` when its content is not whole yet: it is offered again later, sooner if it changes. May reject: the same.
   * Must end by itself at shutdown, since `stop` waits for it.
   */
  onStable(file: StableFile): OfferResult | Promise<OfferResult>
  /** A file that was known or on its way is no more. A hint: the folder it was in may be a drive that comes back. */
  onGone(path: string, folderId: string): void
  onState(folderId: string, state: FolderState): void
  watchTree?: WatchTree
  findRoot?: (rootDir: string) => Promise<RootFolder>
  timing?: WatchTiming
}

export interface FolderOptions {
  id: string
  /** Absolute, without a trailing separator. */
  rootDir: string
  filter: FilterOptions
  /** Asked in each pass where the folder really is: why it cannot be watched there, or null. */
  claim?: (realRoot: string) => Promise<FolderReason | null>
}

type Root = RootFolder & { kind: 'there' }

/** What belongs to one find of the root; another find, or the root gone, ends it. */
interface Session {
  root: Root
  known: KnownFiles
  settle: Settle
  ignoreFiles: IgnoreFiles
  /** Names, globs and ignore files together. */
  filter: PathFilter
  /** `ignoreFiles.version` when the live watch was started with it. */
  watchedVersion: number
}

/** Watches one folder from `start` to `stop`: the live watch gives hints, passes give the truth. */
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
  /** What `#names` was made from. */
  #written: string
  #session: Session | null = null
  #state: FolderState = { phase: 'starting', because: null, lastPass: null }
  /** Why changes are not noticed by themselves, or null. */
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

  /** Files named and not yet taken in. */
  get pending(): number {
    return this.#session?.settle.pending ?? 0
  }

  /** Files on their way in, without those that were found unfinished. */
  get arriving(): number {
    return this.#session?.settle.arriving ?? 0
  }

  /** Ends with the first pass. */
  start(): Promise<void> {
    this.#deps.onState(this.#options.id, this.#state)
    return this.#pass()
  }

  /** Looks through the whole folder now; after the pass that runs, if one does. */
  reconcile(): Promise<void> {
    return this.#pass()
  }

  /** Other globs or left-out folders apply from now on; what they let in is found by the pass that this ends with. */
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

  /** Ends when nothing of this folder runs any more, offers included. */
  async stop(): Promise<void> {
    this.#abort.abort()
    this.#burst.stop()
    this.#endSession()
    await this.#live.stop()
    await this.#pass()
    await Promise.allSettled([...this.#offers])
    this.#deps.background.forget(this.#options.id)
  }

  // ---- passes

  #run(task: BackgroundTask, work: () => unknown): void {
    this.#deps.background.run(task, work, this.#options.id)
  }

  #background(): void {
    this.#run('folder_scan', () => this.#pass())
  }

  /** Now, but a tree that takes long to look through is not looked through all the time. */
  #passSoon(): void {
    const last = this.#state.lastPass
    const restMs = last === null ? 0 : last.endedAtMs + 9 * last.durationMs - this.#deps.clock.nowMs()
    if (restMs <= 0 || last === null) this.#background()
    else this.#setPassTimer(Math.min(restMs, 9 * last.durationMs))
  }

  async #runPass(): Promise<void> {
    try {
      await this.#lookThrough()
    } catch (error) {
      if (this.#abort.signal.aborted) return
      // Most likely the journal's disk is full: the next pass finds what was not recorded.
      if (this.#session !== null) this.#setIdleState(false)
      else this.#setState('starting', null)
      this.#setPassTimer(this.#timing.missingRetryMs)
      throw error
    }
  }

  async #lookThrough(): Promise<void> {
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
      lastPass: { endedAtMs: clock.nowMs(), durationMs, files, changed, problemCount, problems } satisfies LastPass,
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

  /** Nothing in it counts as deleted, and it is tried again. */
  #becomeAway(phase: 'missing' | 'refused', why: FolderReason): void {
    this.#endSession()
    this.#run('folder_watch', () => this.#live.stop())
    this.#setState(phase, why)
    this.#setPassTimer(this.#timing.missingRetryMs)
  }

  /** The session goes on as long as the same folder is in the place. */
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

  /** Starts the live watch, or restarts it when an ignore file changed what it has to watch. */
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
        // The root itself: its coming and going is for a pass to find out.
        if (relativePath === null) this.#background()
        else handle(relativePath)
      }
    this.#live.start({
      rootDir: realRoot,
      ignored: this.#ignoredBy(session),
      onTouched: withPath((relativePath) => this.#touched(session, relativePath)),
      onRemoved: withPath((relativePath) => this.#noteRemoved(relativePath)),
      onFolderAdded: withPath(() => this.#burst.wanted()),
      // Between the pass before and now, changes went unnoticed.
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
      // At once, so that what it leaves out is not taken in meanwhile; the pass is for what it lets in.
      const folder = relativePath.slice(0, Math.max(0, relativePath.lastIndexOf('/')))
      this.#run('folder_scan', () => session.ignoreFiles.refresh(folder, true))
      this.#burst.wanted()
    } else if (acceptsPath(session.filter, relativePath)) session.settle.touch(relativePath)
  }

  // ---- taking in

  async #offer(session: Session, relativePath: string, sample: FileSample, finalTry: boolean): Promise<OfferResult> {
    // Named before an ignore file or a setting left it out.
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

  /** Throws what the owner throws; what was not reported then is still known, and gone at the next look. */
  #reportGone(session: Session, gone: readonly string[]): void {
    for (const relativePath of gone) {
      // A pass and an event may both have found it out.
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
    this.#schedulePass(this.#state.lastPass?.durationMs ?? 0)
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
