import type { Background } from '../../shared/runtime/background.ts'
import { NO_CHARGERS, type ChargerStatus } from '../../shared/chargers/charger-status.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, Logger, Random, RatePause } from '../../shared/runtime/ports.ts'
import type { ChargerCache } from './charger-cache.ts'
import { nextSet, type ChargerSet } from './charger-set.ts'
import type { ChargerReading, ChargerSource, ReadingOutcome } from './ports.ts'
import { RefreshTimer } from './refresh-timer.ts'
import { refreshDelayMs, soonMs } from './refresh-times.ts'
import { watchedChanges, type LastKnown } from './watched-changes.ts'

/** Retry interval after a local failure, such as of the journal. */
const AGAIN_MS = 60_000

interface ChargerBookDeps {
  cache: Pick<ChargerCache, 'load' | 'save'>
  /** The service in use; null when none is set up. */
  source: () => ChargerSource | null
  refreshMinutes: () => number
  /** Ids of the chargers whose changes a person is told of. */
  watched: () => ReadonlySet<number>
  clock: Clock
  random: Random
  log: Logger
  background: Background
  /** The status has changed. */
  onChange: () => void
}

/** Minimum time between progress events of a refresh. */
const PROGRESS_MS = 1000

type ReadOptions = Parameters<ChargerSource['read']>[0]
type Problem = NonNullable<ChargerStatus['problem']> & { retryAfterMs: number | null }

/** What is known of one service, and its running refresh. Another service has its own. */
interface ServiceState {
  source: ChargerSource | null
  set: ChargerSet | null
  problem: Problem | null
  failures: number
  changes: Pick<ChargerStatus, 'changes' | 'changesAtMs'>
  /** By id: see `watchedChanges`. */
  readonly lastKnown: Map<number, LastKnown>
  run: AbortController | null
  progress: ChargerStatus['progress']
  pausedUntilMs: number | null
}

/**
 * The chargers of the service in use: cached on this disk, refreshed on a timer and on request, one refresh at a time.
 * What cannot be refreshed stays, with its age. Nothing read from one service is ever shown for another.
 */
export class ChargerBook {
  readonly #deps: ChargerBookDeps
  readonly #timer: RefreshTimer
  #state: ServiceState = newState(null)
  #opening: Promise<void> | null = null
  /** Refreshes on a timer; otherwise only on request. */
  #isRunning = false
  #isClosed = false
  #lastVersion = 0
  #saving: Promise<void> = Promise.resolve()

  constructor(deps: ChargerBookDeps) {
    this.#deps = deps
    this.#timer = new RefreshTimer(deps.clock, () => deps.background.run('chargers_refresh', () => this.#refreshDue()))
  }

  status(): ChargerStatus {
    const { source, set, problem, run, progress, pausedUntilMs, changes } = this.#state
    return {
      ...NO_CHARGERS,
      ...(set !== null && {
        version: set.version,
        atMs: set.atMs,
        count: set.chargers.length,
        unusable: set.unusable,
        duplicates: set.duplicates,
        gap: set.gap,
      }),
      sample: source?.sample ?? false,
      refreshing: run !== null,
      progress: run === null ? null : progress,
      problem: problem && {
        code: problem.code,
        sentence: problem.sentence,
        retryable: problem.retryable,
        atMs: problem.atMs,
      },
      nextAtMs: run === null ? this.#timer.atMs : pausedUntilMs,
      ...changes,
    }
  }

  /** Resolves when the cached set of the service in use is loaded. */
  open(): Promise<void> {
    this.#opening ??= this.#load()
    return this.#opening
  }

  /** The set as JSON; null until there is one. */
  async data(): Promise<{ bytes: Uint8Array; version: number } | null> {
    await this.open()
    const { set } = this.#state
    return set === null ? null : { bytes: set.bytes, version: set.version }
  }

  /** Loads the cached set, and from then on refreshes as set. */
  async start(): Promise<void> {
    this.#isRunning = true
    await this.open()
    if (this.#isClosed) return
    this.#schedule()
    this.#deps.onChange()
  }

  /**
   * Refreshes now, or joins the running refresh. While the service asks for a pause, as soon as that is over. Resolves
   * when the refresh has started or has been put off.
   */
  async refresh(): Promise<void> {
    await this.open()
    const waitMs = this.#askedToWaitMs()
    if (waitMs === null || this.#isClosed) return this.#begin()
    this.#timer.set(waitMs)
    this.#deps.onChange()
  }

  #askedToWaitMs(): number | null {
    const { problem, run } = this.#state
    if (run !== null || problem === null || problem.code !== 'rate_limited' || problem.retryAfterMs === null)
      return null
    const passedMs = this.#deps.clock.nowMs() - problem.atMs
    return passedMs >= 0 && passedMs < problem.retryAfterMs ? problem.retryAfterMs - passedMs : null
  }

  /** The address, the practice service or the refresh interval may have changed. */
  async sourceChanged(): Promise<void> {
    const source = this.#deps.source()
    const before = this.#state.source
    if (source?.id === before?.id && this.#opening !== null) {
      if (source?.access === before?.access) {
        this.#schedule()
        return this.#deps.onChange()
      }
      this.#state.source = source
      return this.#requestAgain()
    }
    this.#leave()
    if (!this.#isRunning) return
    await this.open()
    if (this.#isClosed) return
    this.#schedule()
    this.#deps.onChange()
  }

  /** The key has changed: what was refused may not be refused now. */
  keyChanged(): void {
    this.#requestAgain()
  }

  /** The machine woke from sleep. */
  resumed(): void {
    if (this.#state.run === null && this.#timer.isMissed) this.#timer.set(soonMs(this.#deps.random))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#leave()
    await this.#saving
  }

  async #load(): Promise<void> {
    const state = newState(this.#deps.source())
    this.#state = state
    const { source } = state
    if (source === null || source.sample) return
    await this.#saving
    const kept = await this.#deps.cache.load(source.id, this.#lastVersion)
    if (kept === null || this.#state !== state) return
    state.set = kept
    this.#lastVersion = kept.version
  }

  /** Aborts what runs for the service so far; what is known of it stays on the disk. */
  #leave(): void {
    const state = this.#state
    state.run?.abort()
    state.run = null
    this.#timer.set(null)
    this.#state = newState(null)
    this.#opening = null
  }

  /**
   * Restarts a running refresh; otherwise schedules one soon, if refreshing is automatic or failed for lack of a key.
   */
  #requestAgain(): void {
    const state = this.#state
    const wasRunning = state.run !== null
    const wasRefused = state.problem !== null && !state.problem.retryable
    state.run?.abort()
    Object.assign(state, { run: null, pausedUntilMs: null, problem: null, failures: 0 } satisfies Partial<ServiceState>)
    if (wasRunning) return this.#begin()
    const mayAsk = this.#isRunning && state.source !== null
    const isWanted = mayAsk && (wasRefused || this.#deps.refreshMinutes() > 0)
    this.#timer.set(isWanted ? soonMs(() => 0) : null)
    this.#deps.onChange()
  }

  #schedule(): void {
    if (!this.#isRunning || this.#isClosed || this.#state.run !== null) return
    const { set, problem, failures, source } = this.#state
    const { clock, random } = this.#deps
    const refreshMinutes = source === null ? 0 : this.#deps.refreshMinutes()
    const facts = { refreshMinutes, atMs: set?.atMs ?? null, problem, failures, nowMs: clock.nowMs() }
    this.#timer.set(refreshDelayMs(facts, random))
  }

  /**
   * A refresh missed during sleep is made up for a little later: the network needs a moment, and other machines wake at
   * the same time.
   */
  #refreshDue(): void {
    if (this.#timer.isMissed) return this.#timer.set(soonMs(this.#deps.random))
    try {
      this.#begin()
    } catch (error) {
      this.#timer.set(AGAIN_MS)
      throw error
    }
  }

  #begin(): void {
    const state = this.#state
    if (state.run !== null || this.#isClosed) return
    this.#timer.set(null)
    if (state.source === null) {
      const error = new AppError('key_missing', say('chargers_not_set_up'))
      state.problem = this.#problemOf(error, null)
      return this.#deps.onChange()
    }
    const run = new AbortController()
    state.run = run
    state.progress = null
    this.#deps.onChange()
    const reading = this.#read(state, state.source, run).finally(() => {
      if (state.run !== run) return
      state.run = null
      state.pausedUntilMs = null
      this.#schedule()
      this.#deps.onChange()
    })
    this.#deps.background.run('chargers_refresh', () => reading)
  }

  async #read(state: ServiceState, source: ChargerSource, run: AbortController): Promise<void> {
    const { log, clock } = this.#deps
    const onPause = (pause: RatePause | null) => {
      if (state.run === run) this.#pause(state, pause)
    }
    let reportedMs = clock.monotonicMs()
    const onProgress: ReadOptions['onProgress'] = (progress) => {
      state.progress = progress
      // A short list is complete before anyone could read a count.
      if (state.run !== run || clock.monotonicMs() - reportedMs < PROGRESS_MS) return
      reportedMs = clock.monotonicMs()
      this.#deps.onChange()
    }
    try {
      const outcome: ReadingOutcome = await source.read({ signal: run.signal, onPause, onProgress })
      if (run.signal.aborted) return
      if (outcome.kind === 'read') return await this.#take(state, source, outcome.reading, run.signal)
      const { error, retryAfterMs } = outcome
      state.problem = this.#problemOf(error, retryAfterMs)
      log.warn('the chargers could not be refreshed', { code: error.code })
    } catch (error) {
      if (run.signal.aborted) return
      state.problem = this.#problemOf(new AppError('internal', say('chargers_not_taken_in')), null)
      log.error('the chargers could not be taken in', { error: String(error) })
    }
    state.failures += 1
  }

  async #take(state: ServiceState, source: ChargerSource, reading: ChargerReading, signal: AbortSignal): Promise<void> {
    const { clock, watched } = this.#deps
    const before = state.set
    const set = await nextSet(before, reading, { atMs: clock.nowMs(), lastVersion: this.#lastVersion })
    if (signal.aborted) return
    const changes = before === null ? [] : watchedChanges(before, set, watched(), state.lastKnown)
    state.set = set
    this.#lastVersion = set.version
    if (changes.length > 0) state.changes = { changes, changesAtMs: set.atMs }
    state.problem = null
    state.failures = 0
    this.#save(source, set)
  }

  #pause(state: ServiceState, pause: RatePause | null): void {
    state.pausedUntilMs = pause?.untilMs ?? null
    const problem = this.#problemOf(new AppError('rate_limited', say('chargers_over_rate')), null)
    state.problem = pause && { ...problem, atMs: pause.sinceMs }
    this.#deps.onChange()
  }

  #save(source: ChargerSource, set: ChargerSet): void {
    if (source.sample) return
    // Serialised: an older set must not replace a newer one.
    this.#saving = this.#saving.then(() => this.#deps.cache.save(source.id, set))
    this.#deps.background.run('chargers_save', () => this.#saving)
  }

  #problemOf({ shape }: AppError, retryAfterMs: number | null): Problem {
    return { ...shape, atMs: this.#deps.clock.nowMs(), retryAfterMs }
  }
}

function newState(source: ChargerSource | null): ServiceState {
  return {
    source,
    set: null,
    problem: null,
    failures: 0,
    changes: { changes: [], changesAtMs: null },
    lastKnown: new Map(),
    run: null,
    progress: null,
    pausedUntilMs: null,
  }
}
