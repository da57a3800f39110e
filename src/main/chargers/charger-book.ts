import type { Background } from '../../shared/runtime/background.ts'
import { NO_CHARGERS } from '../../shared/chargers/charger-status.ts'
import type { ChargerReading, ChargerStatus, ReadingProgress } from '../../shared/chargers/charger-status.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, Logger, Random, RatePause } from '../../shared/runtime/ports.ts'
import { RETRIES, retryMs } from '../core/retries.ts'
import type { ChargerCache } from './charger-cache.ts'
import { nextSet, type ChargerSet } from './charger-set.ts'
import { watchedChanges, type LastKnown } from './watched-changes.ts'

const MINUTE_MS = 60_000
/** A regular refresh is delayed by up to a tenth of the interval, at most a minute. */
const LATER_SHARE = 0.1
/** Retrying is useless until a person does something. */
const NEEDS_PERSON = ['key_missing', 'key_refused', 'address_wrong', 'address_insecure']

export type ReadingOutcome =
  | { kind: 'read'; reading: ChargerReading }
  /** `retryAfterMs`: the pause that the service asks for; null when it gives none. */
  | { kind: 'failed'; error: AppError; retryAfterMs: number | null }

/** A charger service as the charger book sees it. */
export interface ChargerSource {
  /** Identifies the service across restarts: what was read from one is never shown for another. */
  id: string
  /** The practice service: samples, which are not kept across restarts, and first read when someone asks. */
  sample: boolean
  /** Never rejects. `onPause`: null when the refresh continues. `onProgress`: after each page. */
  read(options: {
    signal: AbortSignal
    onPause: (pause: RatePause | null) => void
    onProgress: (progress: ReadingProgress) => void
  }): Promise<ReadingOutcome>
}

interface ChargerBookDeps {
  cache: Pick<ChargerCache, 'load' | 'save'>
  /** The service in use; null when none is set up. */
  source: () => ChargerSource | null
  /** 0: only on request. */
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

/** A running refresh. */
interface Run extends Pick<ChargerStatus, 'progress'> {
  stop: AbortController
  pausedUntilMs: number | null
}

/** What is known of one service, and its running refresh. Another service has its own. */
class ServiceState {
  source: ChargerSource | null
  set: ChargerSet | null = null
  problem: ChargerStatus['problem'] = null
  /** Refreshes that failed in a row. */
  failures = 0
  /** Until then the service asks to be left alone, in monotonic milliseconds. */
  heldUntilMs = 0
  changes: Pick<ChargerStatus, 'changes' | 'changesAtMs'> = { changes: [], changesAtMs: null }
  /** By id: see `watchedChanges`. */
  readonly lastKnown = new Map<number, LastKnown>()
  run: Run | null = null

  constructor(source: ChargerSource | null) {
    this.source = source
  }
}

/** Cached on this disk, refreshed on a timer and on request, once at a time. What is read from one service is never shown for another. */
export class ChargerBook {
  readonly #deps: ChargerBookDeps
  #state = new ServiceState(null)
  #opening: Promise<void> | null = null
  /** Refreshes on a timer; otherwise only on request. */
  #isStarted = false
  #isClosed = false
  #lastVersion = 0
  #saving: Promise<void> = Promise.resolve()
  /** When the next refresh starts, in Unix milliseconds. */
  #dueMs: number | null = null
  #cancelTimer: () => void = () => undefined

  constructor(deps: ChargerBookDeps) {
    this.#deps = deps
  }

  status(): ChargerStatus {
    const { source, set, problem, run, changes } = this.#state
    return {
      ...NO_CHARGERS,
      ...(set !== null && {
        version: set.version,
        atMs: set.atMs,
        count: set.chargers.length,
        unusable: set.unusable,
        gap: set.gap,
      }),
      sample: source?.sample ?? false,
      refreshing: run !== null,
      progress: run?.progress ?? null,
      problem,
      nextAtMs: run === null ? this.#dueMs : run.pausedUntilMs,
      ...changes,
    }
  }

  /** Resolves when the cached set of the service in use is loaded. */
  open(): Promise<void> {
    this.#opening ??= this.#load()
    return this.#opening
  }

  /** The chargers as a JSON array, one a line; null until there are any. */
  async data(): Promise<Uint8Array | null> {
    await this.open()
    const { set } = this.#state
    return set === null ? null : Buffer.concat([Buffer.from('[\n'), set.body, Buffer.from('\n]')])
  }

  /** Loads the cached set, and from then on refreshes as set. */
  async start(): Promise<void> {
    this.#isStarted = true
    await this.open()
    if (this.#isClosed) return
    this.#schedule()
    this.#deps.onChange()
  }

  /** Now, or joins the running refresh, or as soon as a pause is over. Resolves when it has started or has been put off. */
  async refresh(): Promise<void> {
    await this.open()
    const waitMs = this.#state.heldUntilMs - this.#deps.clock.monotonicMs()
    if (this.#state.run !== null || waitMs <= 0) return this.#begin()
    this.#setTimer(waitMs)
    this.#deps.onChange()
  }

  /** The address or the refresh interval may have changed. */
  async sourceChanged(): Promise<void> {
    if (this.#opening === null || this.#deps.source()?.id !== this.#state.source?.id) {
      this.#leave()
      if (!this.#isStarted) return
      await this.open()
      if (this.#isClosed) return
    }
    this.#schedule()
    this.#deps.onChange()
  }

  /** The key has changed: what was refused may not be refused now. A running refresh starts again. */
  keyChanged(): void {
    const { run, source } = this.#state
    run?.stop.abort()
    Object.assign(this.#state, { run: null, problem: null, failures: 0, heldUntilMs: 0 })
    if (run !== null) return this.#begin()
    this.#setTimer(this.#isStarted && source !== null ? soonMs(() => 0) : null)
    this.#deps.onChange()
  }

  /** The machine woke from sleep. */
  resumed(): void {
    if (this.#dueMs !== null && this.#deps.clock.nowMs() > this.#dueMs) this.#setTimer(soonMs(this.#deps.random))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#leave()
    await this.#saving
  }

  async #load(): Promise<void> {
    const state = new ServiceState(this.#deps.source())
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
    this.#state.run?.stop.abort()
    this.#setTimer(null)
    this.#state = new ServiceState(null)
    this.#opening = null
  }

  /** Replaces the time set before; null cancels it. */
  #setTimer(delayMs: number | null): void {
    const { clock, background } = this.#deps
    this.#cancelTimer()
    this.#dueMs = delayMs === null ? null : Math.round(clock.nowMs() + delayMs)
    if (delayMs === null) return
    this.#cancelTimer = clock.setTimer(delayMs, () => background.run('chargers_refresh', () => this.#begin()))
  }

  #schedule(): void {
    if (!this.#isStarted || this.#isClosed || this.#state.run !== null) return
    const { set, problem, failures, source, heldUntilMs } = this.#state
    const { clock, random, refreshMinutes } = this.#deps
    const isUnasked = source?.sample === true && set === null && problem === null
    const intervalMs = source === null || isUnasked ? 0 : refreshMinutes() * MINUTE_MS
    if (intervalMs === 0 || (problem !== null && NEEDS_PERSON.includes(problem.code))) return this.#setTimer(null)
    if (problem !== null)
      return this.#setTimer(
        Math.max(retryMs(RETRIES.chargerRefresh, failures, random), heldUntilMs - clock.monotonicMs()),
      )
    const ageMs = set === null ? Infinity : clock.nowMs() - set.atMs
    // A set from the future dates from before the clock was set back: its age is unknown.
    if (ageMs < 0 || ageMs >= intervalMs) return this.#setTimer(soonMs(random))
    this.#setTimer(intervalMs - ageMs + random() * Math.min(MINUTE_MS, intervalMs * LATER_SHARE))
  }

  #begin(): void {
    const state = this.#state
    const { source } = state
    if (state.run !== null || this.#isClosed) return
    this.#setTimer(null)
    if (source === null) this.#failed(state, new AppError('key_missing', say('chargers_not_set_up')), null)
    else {
      const run: Run = { stop: new AbortController(), progress: null, pausedUntilMs: null }
      state.run = run
      this.#deps.background.run('chargers_refresh', () => this.#read(state, source, run))
    }
    this.#deps.onChange()
  }

  async #read(state: ServiceState, source: ChargerSource, run: Run): Promise<void> {
    const { clock, log, cache, onChange } = this.#deps
    const isCurrent = () => !run.stop.signal.aborted
    try {
      const outcome = await source.read({
        signal: run.stop.signal,
        onPause: (pause) => {
          if (!isCurrent()) return
          const { shape } = new AppError('rate_limited', say('chargers_over_rate'))
          run.pausedUntilMs = pause?.untilMs ?? null
          state.problem = pause && { ...shape, atMs: pause.sinceMs }
          onChange()
        },
        onProgress: (progress) => {
          run.progress = progress
          if (isCurrent()) onChange()
        },
      })
      if (!isCurrent()) return
      if (outcome.kind === 'read') {
        const set = await nextSet(state.set, outcome.reading, { atMs: clock.nowMs(), lastVersion: this.#lastVersion })
        if (!isCurrent()) return
        this.#take(state, set)
        if (!source.sample) await (this.#saving = cache.save(source.id, set))
      } else {
        this.#failed(state, outcome.error, outcome.retryAfterMs)
        log.warn('the chargers could not be refreshed', { code: outcome.error.code })
      }
    } catch (error) {
      if (!isCurrent()) return
      this.#failed(state, new AppError('internal', say('went_wrong')), null)
      log.error('the chargers could not be taken in', { error: String(error) })
    }
    if (!isCurrent()) return
    state.run = null
    this.#schedule()
    onChange()
  }

  #take(state: ServiceState, set: ChargerSet): void {
    const changes = state.set === null ? [] : watchedChanges(state.set, set, this.#deps.watched(), state.lastKnown)
    if (changes.length > 0) state.changes = { changes, changesAtMs: set.atMs }
    Object.assign(state, { set, problem: null, failures: 0, heldUntilMs: 0 })
    this.#lastVersion = set.version
  }

  #failed(state: ServiceState, { shape }: AppError, retryAfterMs: number | null): void {
    const { clock } = this.#deps
    state.problem = { ...shape, atMs: clock.nowMs() }
    state.failures += 1
    state.heldUntilMs = clock.monotonicMs() + (retryAfterMs ?? 0)
  }
}

/** At the start, and after what was missed: spread, because many machines wake at the same time. */
const soonMs = (random: Random) => 500 + random() * 4500
