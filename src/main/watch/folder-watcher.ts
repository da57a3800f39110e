import type { Background, BackgroundTask } from '../../shared/runtime/background.ts'
import type { FolderPhase } from '../../shared/contract/folders.ts'
import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import type { Clock, Logger, Random } from '../../shared/runtime/ports.ts'
import { coalesce } from './coalesce.ts'
import { DroppedEvents } from './dropped-events.ts'
import type { FolderState } from './folder-state.ts'
import type { KnownFileSource } from './known-files.ts'
import { watchFolders } from './folder-watches.ts'
import { LiveTree } from './live-tree.ts'
import { createPathFilter, type FilterOptions, type PathFilter } from './path-filter.ts'
import type { ReconcileResult } from './reconcile.ts'
import { findRootFolder, whyMissing, type RootFolder } from './root-folder.ts'
import type { OfferResult } from './settle.ts'
import type { WatchTree } from './tree-watch.ts'
import { watchWithChokidar } from './watch-with-chokidar.ts'
import { WATCH_TIMING, type WatchTiming } from './watch-timing.ts'
import { WatchedTree, type StableFile } from './watched-tree.ts'

export interface WatchDeps {
  clock: Clock
  random: Random
  logger: Logger
  background: Background
  seen: KnownFileSource
  /** At most `settle.workers` calls per folder are pending. `again`, or rejecting: offered again later. `stop` waits for it. */
  onStable(file: StableFile): OfferResult | Promise<OfferResult>
  /** A known or settling file is gone. Only a hint: its folder may be on a drive that comes back. */
  onGone(path: string): void
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
  takePlace?: (realRoot: string) => Promise<FolderReason | null>
}

const watchTree: WatchTree = process.platform === 'linux' ? watchFolders : watchWithChokidar

/** Decides when one folder is scanned, whether it is there, and whether it is watched live. The live watch only gives hints. */
export class FolderWatcher {
  readonly #deps: WatchDeps
  readonly #options: FolderOptions
  readonly #timing: WatchTiming
  readonly #abort = new AbortController()
  readonly #dropped: DroppedEvents
  readonly #live: LiveTree
  readonly #scan = coalesce(() => this.#scanOrRetry())
  #filter: PathFilter
  /** The settings, as JSON, that it was made from. */
  #filterJson: string
  /** Null while there is no folder at the path. */
  #tree: WatchedTree | null = null
  /** The `watchVersion` that the live watch was started with. */
  #liveVersion = 0
  #state: FolderState = { phase: 'starting', because: null, lastScan: null }
  /** Why there is no live watch, or null. */
  #pollBecause: FolderReason | null = null
  #cancelScanTimer: (() => void) | null = null
  #cancelLookTimer: (() => void) | null = null
  /** Of the folder that was last at the path; null before there was one. */
  #identity: string | null = null
  /** Another folder came to the path, and none of the known pictures is in it. */
  #isReplaced = false
  readonly #offers = new Set<Promise<unknown>>()

  constructor(options: FolderOptions, deps: WatchDeps) {
    this.#options = options
    this.#deps = deps
    this.#timing = deps.timing ?? WATCH_TIMING
    this.#filter = createPathFilter(options.filter)
    this.#filterJson = JSON.stringify(options.filter)
    this.#dropped = new DroppedEvents(deps.clock, this.#timing, () => this.#scanSoon())
    this.#live = new LiveTree({
      clock: deps.clock,
      logger: deps.logger,
      timing: this.#timing,
      watchTree: deps.watchTree ?? watchTree,
      onChange: (because) => this.#setPolling(because),
    })
  }

  get state(): FolderState {
    return this.#state
  }

  /** Files reported and not yet taken in, without those found incomplete. */
  get arriving(): number {
    return this.#tree?.arriving ?? 0
  }

  /** Resolves after the first scan. */
  start(): Promise<void> {
    this.#deps.onState(this.#options.id, this.#state)
    return this.#scan()
  }

  /** Scans the whole folder now, or after the running scan if there is one. */
  reconcile(): Promise<void> {
    return this.#scan()
  }

  /** Applies other globs or left-out folders from now on. Resolves after a scan, which finds what they newly admit. */
  setFilter(filter: FilterOptions): Promise<void> {
    const json = JSON.stringify(filter)
    if (json === this.#filterJson) return Promise.resolve()
    this.#filterJson = json
    this.#filter = createPathFilter(filter)
    const tree = this.#tree
    if (tree !== null) {
      tree.setFilter(this.#filter)
      if (this.#live.isStarted) this.#startLive(tree)
    }
    return this.#scan()
  }

  /** Resolves when nothing of this folder runs any more, including offers. */
  async stop(): Promise<void> {
    this.#abort.abort()
    this.#dropped.stop()
    this.#endTree()
    await this.#live.stop()
    await this.#scan()
    await Promise.allSettled(this.#offers)
    this.#deps.background.forget(this.#options.id)
  }

  // ---- scans

  #run(task: BackgroundTask, work: () => unknown): void {
    this.#deps.background.run(task, work, this.#options.id)
  }

  #scanInBackground(): void {
    this.#run('folder_scan', () => this.#scan())
  }

  /** Scans soon; a tree that takes long to scan is not scanned continuously. */
  #scanSoon(): void {
    const last = this.#state.lastScan
    const restMs = last === null ? 0 : last.endedAtMs + 9 * last.durationMs - this.#deps.clock.nowMs()
    if (restMs <= 0 || last === null) this.#scanInBackground()
    else this.#setScanTimer(Math.min(restMs, 9 * last.durationMs))
  }

  async #scanOrRetry(): Promise<void> {
    try {
      await this.#scanNow()
    } catch (error) {
      if (this.#abort.signal.aborted) return
      // Most likely the journal's disk is full: the next scan finds what was not recorded.
      if (this.#tree !== null) this.#setIdleState(null)
      else this.#setState('starting', null)
      this.#setScanTimer(this.#timing.missingRetryMs)
      throw error
    }
  }

  async #scanNow(): Promise<void> {
    if (this.#abort.signal.aborted) return
    const startedAtMs = this.#deps.clock.monotonicMs()
    const root = await this.#findRoot()
    if (this.#abort.signal.aborted) return
    if (root.kind === 'missing') return this.#becomeAway('missing', root.why)
    const refusal = (await this.#options.takePlace?.(root.realRoot)) ?? null
    if (this.#abort.signal.aborted) return
    if (refusal !== null) return this.#becomeAway('refused', refusal)
    const tree = this.#treeAt(root)
    const isNew = ['starting', 'missing', 'refused'].includes(this.#state.phase)
    const { because } = this.#state
    this.#setState(isNew ? 'starting' : 'reconciling', because !== null && isUnplugged(because) ? because : null)
    let result: ReconcileResult
    try {
      result = await tree.scan(this.#abort.signal)
    } catch (error) {
      if (this.#abort.signal.aborted) return
      return this.#becomeAway('missing', whyMissing(error))
    }
    await this.#finishScan(tree, result, startedAtMs)
  }

  async #finishScan(tree: WatchedTree, result: ReconcileResult, startedAtMs: number): Promise<void> {
    const after = await this.#findRoot()
    if (this.#abort.signal.aborted) return
    if (after.kind === 'missing') return this.#becomeAway('missing', after.why)
    if (after.identity !== tree.root.identity) return this.#scanInBackground()
    // A known picture that changed with the folder, as in a copy of it, is not gone.
    if (result.gone.length === 0 || result.files > result.changed) this.#isReplaced = false
    const unplugged = whyUnplugged(result, this.#isReplaced)
    if (unplugged === null) tree.reportGone(result.gone)
    const { clock } = this.#deps
    const durationMs = clock.monotonicMs() - startedAtMs
    const { files, problemCount, problems } = result
    this.#state = {
      ...this.#state,
      lastScan: { endedAtMs: clock.nowMs(), durationMs, files, problemCount, problems },
    }
    if (tree.root.network === null) this.#keepLive(tree)
    this.#setIdleState(unplugged)
    this.#scheduleScan(durationMs)
    this.#lookLater()
  }

  /** A drive that comes or goes and a link that points elsewhere cause no event, so the place is looked at regularly. */
  #lookLater(): void {
    this.#cancelLookTimer?.()
    const { clock } = this.#deps
    const { lookEveryMs } = this.#timing
    // All folders at the same moment, which wakes an idle computer once.
    const delayMs = lookEveryMs - (clock.monotonicMs() % lookEveryMs)
    this.#cancelLookTimer = clock.setTimer(delayMs, () => this.#run('folder_scan', () => this.#look()))
  }

  async #look(): Promise<void> {
    const tree = this.#tree
    if (tree === null || !(await tree.isStillThere())) return this.#scan()
    if (this.#tree === tree) this.#lookLater()
  }

  #scheduleScan(durationMs: number): void {
    const { pollEveryMs, scanEveryMs, missingRetryMs } = this.#timing
    const random = this.#deps.random()
    const isAway = this.#state.because !== null && isUnplugged(this.#state.because)
    const everyMs = this.#pollBecause !== null ? pollEveryMs * (1 + random) : scanEveryMs * (0.8 + 0.4 * random)
    const delayMs = Math.max(isAway ? missingRetryMs : everyMs, durationMs * 9)
    this.#setScanTimer(delayMs)
  }

  #setScanTimer(delayMs: number): void {
    this.#cancelScanTimer?.()
    this.#cancelScanTimer = this.#deps.clock.setTimer(delayMs, () => this.#scanInBackground())
  }

  // ---- the root

  #findRoot(): Promise<RootFolder> {
    return (this.#deps.findRoot ?? findRootFolder)(this.#options.rootDir)
  }

  /** Marks the folder as missing or refused, to be retried. Nothing in it is treated as deleted. */
  #becomeAway(phase: 'missing' | 'refused', why: FolderReason): void {
    this.#endTree()
    this.#run('folder_watch', () => this.#live.stop())
    this.#setState(phase, why)
    this.#setScanTimer(this.#timing.missingRetryMs)
  }

  /** The tree so far while the same folder is at the path, else a new one. */
  #treeAt(root: RootFolder & { kind: 'there' }): WatchedTree {
    if (this.#tree?.isAt(root) === true) return this.#tree
    if (this.#identity !== null && this.#identity !== root.identity) this.#isReplaced = true
    this.#identity = root.identity
    this.#endTree()
    this.#run('folder_watch', () => this.#live.stop())
    const { id, rootDir } = this.#options
    const { clock, background, seen } = this.#deps
    const tree = new WatchedTree(root, this.#filter, {
      folderId: id,
      rootDir,
      clock,
      background,
      timing: this.#timing,
      seen,
      offer: (file) => this.#offer(file),
      onGone: (path) => this.#deps.onGone(path),
      findRoot: () => this.#findRoot(),
      onEvent: () => this.#dropped.count(),
      rescanSoon: () => this.#dropped.requestRescan(),
      rescan: () => this.#scanInBackground(),
    })
    this.#tree = tree
    this.#pollBecause = root.network === null ? null : folderReason('network_drive', { fileSystem: root.network })
    return tree
  }

  #endTree(): void {
    this.#tree?.end()
    this.#tree = null
    this.#cancelScanTimer?.()
    this.#cancelScanTimer = null
    this.#cancelLookTimer?.()
    this.#cancelLookTimer = null
  }

  /** Starts the live watch, or restarts it when what is to be watched has changed. */
  #keepLive(tree: WatchedTree): void {
    if (!this.#live.isStarted || this.#liveVersion !== tree.watchVersion) this.#startLive(tree)
  }

  #startLive(tree: WatchedTree): void {
    this.#liveVersion = tree.watchVersion
    this.#live.start(tree.liveWatch())
  }

  async #offer(file: StableFile): Promise<OfferResult> {
    const offer = Promise.resolve(this.#deps.onStable(file))
    this.#offers.add(offer)
    try {
      return await offer
    } finally {
      this.#offers.delete(offer)
    }
  }

  // ---- state

  #setPolling(because: FolderReason | null): void {
    if (this.#tree?.root.network !== null || this.#pollBecause?.code === because?.code) return
    this.#pollBecause = because
    if (this.#state.phase !== 'watching' && this.#state.phase !== 'polling') return
    this.#setIdleState(null)
    this.#scheduleScan(this.#state.lastScan?.durationMs ?? 0)
  }

  #setIdleState(unplugged: FolderReason | null): void {
    const from = Math.round(this.#timing.pollEveryMs / 1000)
    const every = { from, to: 2 * from }
    if (this.#pollBecause === null) return this.#setState('watching', unplugged)
    const { code, values } = this.#pollBecause
    this.#setState('polling', unplugged ?? { code, values: { ...values, ...every } })
  }

  #setState(phase: FolderPhase, because: FolderReason | null): void {
    if (this.#abort.signal.aborted) return
    this.#state = { ...this.#state, phase, because }
    this.#deps.onState(this.#options.id, this.#state)
  }
}

/** Why what a scan does not find is not treated as deleted: it may be on a drive that is not there. */
function whyUnplugged({ gone, rootIsEmpty }: ReconcileResult, isReplaced: boolean): FolderReason | null {
  if (gone.length === 0) return null
  return rootIsEmpty ? folderReason('emptied') : isReplaced ? folderReason('replaced') : null
}

const isUnplugged = ({ code }: FolderReason) => code === 'emptied' || code === 'replaced'
