import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import { Folder } from '../../shared/contract/folders.ts'
import type { Hook } from '../../shared/contract/hooks.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import { problemKey, problemsIn, type Problem } from '../core/attention.ts'
import { allEnded, EndingBatches } from '../core/ending-batches.ts'
import { ConditionDebouncer } from '../core/condition-debouncer.ts'
import { HookQueue, hookName, type HookRun, type HookPayload, type HookSetup } from '../hooks/hook.ts'
import { postSigned } from '../hooks/post-signed.ts'
import { hookEnvironment, runProgram } from '../hooks/run-program.ts'
import { findBatch, type Batch } from '../journal/batches.ts'
import { lastEventMs } from '../journal/history.ts'
import { HOOKS, ToldCredits, ToldProblems } from '../journal/hook-records.ts'
import { waitingIn } from '../journal/waiting-jobs.ts'
import type { Folders } from '../intake/watched-folders.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineEvents } from './engine-events.ts'
import type { Queue } from './engine-queue.ts'
import type { EngineRun } from './engine-run.ts'

const SECOND = 1000
/** A hook that takes longer is ended, or given up. */
const LIMIT_MS = 60 * SECOND
/** How long hooks may still run when Hangar stops. */
const CLOSE_MS = 3 * SECOND
/** A batch without events for this long is looked at. */
const QUIET_MS = 1000
/** How often to look for what needs a person: while things change, and otherwise. */
const LOOK_MS = { changing: 5 * SECOND, still: 60 * SECOND }
/** Of the output of a program, in the log. */
const LOGGED_LINES = 100

interface HooksDeps extends Pick<EngineRun, 'dataDir' | 'scope' | 'background' | 'clock' | 'random' | 'http' | 'log'> {
  data: Pick<EngineData, 'db' | 'documents' | 'makeId' | 'settings'>
  queue: Pick<Queue, 'context' | 'startedMs' | 'status' | 'team'>
  /** Null where folders are not watched. */
  folders: Pick<Folders, 'views'> | null
  events: EngineEvents
}

/** Tells other programs what happens. Nothing here holds up the queue. */
export class EngineHooks {
  readonly #setup: HookSetup
  readonly #deps: HooksDeps
  readonly #queue: HookQueue
  readonly #batches = new EndingBatches(QUIET_MS)
  readonly #attention: ConditionDebouncer
  readonly #unsubscribe: () => void
  #toldCredits: ToldCredits
  #toldProblems: string
  #lookedMs = -Infinity
  #hasChanged = true
  #timer: { atMs: number; cancel: () => void } | null = null
  #isClosed = false

  constructor(setup: HookSetup, deps: HooksDeps) {
    this.#setup = setup
    this.#deps = deps
    const { clock, log, events, background, data, queue } = deps
    this.#queue = new HookQueue({
      clock,
      log,
      run: (...one) => this.#run(...one),
      onEnd: (...end) => this.#ended(...end),
    })
    const told = data.documents.get(HOOKS, 'told_problems', ToldProblems) ?? []
    this.#toldProblems = JSON.stringify(told)
    const nowMs = clock.monotonicMs()
    const passedMs = (sinceMs: number) => Math.max(0, clock.nowMs() - sinceMs)
    const seen = told.map(({ key, seenMs }) => ({ key, seenMs: nowMs - passedMs(seenMs) }))
    this.#attention = new ConditionDebouncer(seen, nowMs)
    this.#toldCredits = data.documents.get(HOOKS, 'told_credits', ToldCredits) ?? {}
    this.#guarded(() => this.#noteCredits(queue.status()))
    const stops = [
      events.subscribe((event) => this.#hear(event)),
      background.onChange(() => {
        this.#hasChanged = true
        this.#schedule()
      }),
    ]
    this.#unsubscribe = () => stops.forEach((stop) => stop())
    this.#schedule()
  }

  /** Looks for events that are not told yet, and waits until all hooks have run. */
  async finish(): Promise<void> {
    this.#guarded(() => {
      this.#lookForEnds(true)
      this.#look(true)
    })
    await this.#queue.idle()
  }

  /** As `finish`, but what needs a person is not looked for again, and hooks get three seconds. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#unsubscribe()
    this.#guarded(() => this.#lookForEnds(true))
    await this.#queue.close(CLOSE_MS)
  }

  #hear(event: EngineEvent): void {
    const nowMs = this.#deps.clock.monotonicMs()
    if (event.type === 'job') this.#batches.job(event.job, event.from, nowMs, event.left)
    if (event.type === 'batch') this.#batches.batch(event.batch, nowMs)
    if (event.type === 'service') this.#guarded(() => this.#noteCredits(event.status))
    this.#hasChanged = true
    this.#schedule()
  }

  #noteCredits(status: ServiceStatus | null): void {
    const { data, queue } = this.#deps
    // Since an earlier start asked for its balance, credits may have been bought.
    if (status === null || status.balance === null || status.balance.atMs < queue.startedMs) return
    const { serviceId, balance } = status
    const before = this.#toldCredits[serviceId] ?? []
    const still = before.filter((below) => balance.credits < below)
    const figures = new Set(this.#of('low_credits').flatMap(({ below }) => (below === undefined ? [] : [below])))
    const fallen = [...figures].filter((below) => balance.credits < below && !still.includes(below))
    for (const below of fallen) {
      const counts = queue.context.store.count()
      const hooks = this.#of('low_credits').filter((hook) => hook.below === below)
      this.#tell(hooks, { event: 'low_credits', ...this.#head(), batch: null, counts, below })
    }
    if (fallen.length === 0 && still.length === before.length) return
    const told = [...still, ...fallen]
    this.#toldCredits = { ...this.#toldCredits, [serviceId]: told }
    data.documents.put(HOOKS, 'told_credits', this.#toldCredits)
  }

  /** `isLast`: all batches are looked at, and a burst is not waited for to close. */
  #lookForEnds(isLast = false): void {
    const nowMs = this.#deps.clock.monotonicMs()
    const due = this.#batches.due(isLast ? Infinity : nowMs)
    for (const [n, id] of due.entries())
      try {
        this.#lookForEnd(id, nowMs, isLast)
      } catch (error) {
        for (const left of due.slice(n)) this.#batches.lookAgain(left, nowMs)
        throw error
      }
  }

  #lookForEnd(id: string, nowMs: number, isLast: boolean): void {
    const { data, queue } = this.#deps
    const batch = findBatch(data.db, id)
    if (batch === null) return
    const counts = queue.context.store.count({ batchId: id })
    const mayGrow = batch.open && (batch.kind === 'run' || !isLast)
    if (mayGrow && batch.kind === 'folder') this.#batches.lookAgain(id, nowMs)
    if (mayGrow || !allEnded(counts)) return
    const folder = this.#folderOf(batch)
    const payload = { event: 'done', ...this.#head(), batch: id, folder, counts } as const
    if (this.#batches.ended(id)) this.#tell(this.#of('done'), payload)
  }

  #look(isLast = false): void {
    const hooks = this.#of('attention')
    if (hooks.length === 0) return
    const { data, queue, clock } = this.#deps
    const nowMs = clock.monotonicMs()
    this.#lookedMs = nowMs
    this.#hasChanged = false
    const reasons = this.#problems()
    if (this.#attention.newlyActive(reasons.map(problemKey), nowMs, isLast).length > 0)
      this.#tell(hooks, {
        event: 'attention',
        ...this.#head(),
        batch: null,
        counts: queue.context.store.count(),
        reasons,
      })
    const atMs = (seenMs: number) => Math.round(clock.nowMs() - (nowMs - seenMs))
    const told = this.#attention.told().map(({ key, seenMs }) => ({ key, seenMs: atMs(seenMs) }))
    if (JSON.stringify(told) === this.#toldProblems) return
    data.documents.put(HOOKS, 'told_problems', told)
    this.#toldProblems = JSON.stringify(told)
  }

  #problems(): Problem[] {
    const { dataDir, data, queue, folders, background, clock } = this.#deps
    const { store } = queue.context
    return problemsIn({
      running: true,
      dataDir,
      folders: folders?.views().map(({ because, ...view }) => ({ ...view, reason: because })) ?? [],
      stopped: background.stopped(),
      ledger: queue.team.trouble(),
      waiting: waitingIn(data.db, store, ['held']),
      counts: store.count(),
      paused: data.settings().paused,
      lastEventMs: lastEventMs(data.db),
      nowMs: clock.nowMs(),
    })
  }

  #head(): { id: string; time: string; credits: number | null } {
    const { data, queue, clock } = this.#deps
    const credits = queue.status()?.balance?.credits ?? null
    return { id: data.makeId(), time: new Date(clock.nowMs()).toISOString(), credits }
  }

  #folderOf(batch: Batch): string | null {
    if (batch.folderId === null) return null
    return this.#deps.data.documents.get('folder', batch.folderId, Folder)?.path ?? null
  }

  #tell(hooks: readonly Hook[], payload: HookPayload): void {
    for (const hook of hooks) this.#queue.add({ hook, payload })
  }

  async #run({ hook, payload }: HookRun, signal: AbortSignal): Promise<Sentence | null> {
    const { dataDir, clock, random, http, log } = this.#deps
    const { on, run, post } = hook
    const body = JSON.stringify(payload)
    const common = { clock, signal, limitMs: LIMIT_MS }
    if (post !== undefined) {
      const secret = await this.#setup.secret()
      log.hideSecret?.(secret)
      return postSigned({ ...common, http, random, url: post, event: on, body, secret })
    }
    const env = hookEnvironment(this.#setup.env, on, dataDir)
    const [file = '', ...args] = run ?? []
    const { why, output } = await runProgram({ ...common, file, args, env, input: `${body}\n` })
    for (const line of output.split(/\r?\n/, LOGGED_LINES))
      if (line.trim() !== '') log[why === null ? 'info' : 'warn']('a hook wrote', { event: on, line })
    return why
  }

  #ended(one: HookRun, why: Sentence | null): void {
    const { log } = this.#deps
    const facts = { event: one.hook.on, hook: hookName(one.hook) }
    if (why === null) log.info('a hook has run', facts)
    else log.warn('a hook failed', { ...facts, why: englishText(why) })
    this.#setup.onEnd(one, why)
  }

  /** When to look next for what needs a person. */
  #lookAtMs(): number {
    if (this.#of('attention').length === 0) return Infinity
    const laterMs = this.#lookedMs + LOOK_MS[this.#hasChanged ? 'changing' : 'still']
    // A look that failed is not repeated at once.
    return Math.max(this.#lookedMs + SECOND, Math.min(this.#attention.nextAtMs(), laterMs))
  }

  #schedule(): void {
    const wantedMs = Math.min(this.#batches.nextAtMs(), this.#lookAtMs())
    if (this.#isClosed || wantedMs === Infinity || (this.#timer !== null && this.#timer.atMs <= wantedMs)) return
    this.#timer?.cancel()
    const { clock } = this.#deps
    const cancel = clock.setTimer(Math.max(0, wantedMs - clock.monotonicMs()), () => {
      this.#timer = null
      this.#guarded(() => {
        this.#lookForEnds()
        if (clock.monotonicMs() >= this.#lookAtMs()) this.#look()
      })
      this.#schedule()
    })
    this.#timer = { atMs: wantedMs, cancel }
  }

  /** The journal may be unreadable for a while; the next look tries again. */
  #guarded(look: () => void): void {
    try {
      look()
    } catch (error) {
      this.#deps.log.warn('what hooks are told could not be looked for', { error: String(error) })
    }
  }

  #of(on: Hook['on']): Hook[] {
    return this.#setup.hooks().filter((hook) => hook.on === on)
  }
}
