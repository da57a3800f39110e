import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { Engine } from '../engine/start-engine.ts'
import { ProgressMeter } from '../page/progress.ts'
import { PROGRESS_LINE_MS, progressLine, progressView, type ProgressView } from './progress.ts'
import type { Terminal } from './terminal.ts'

/**
 * How far the work is while folders are watched: on a terminal a line for as long as there is some, with `--json` an object
 * every ten seconds. What an earlier run left is part of it.
 */
export class WatchProgress {
  readonly #engine: Pick<Engine, 'snapshot'>
  readonly #terminal: Terminal
  readonly #isJson: boolean
  readonly #nowMs: () => number
  readonly #view: ProgressView
  readonly #meter: ProgressMeter
  #saidMs: number

  constructor(engine: Pick<Engine, 'snapshot'>, terminal: Terminal, isJson: boolean, nowMs: () => number) {
    this.#engine = engine
    this.#terminal = terminal
    this.#isJson = isJson
    this.#nowMs = nowMs
    this.#view = progressView(terminal, !isJson)
    this.#saidMs = nowMs()
    this.#meter = new ProgressMeter(this.#counts(), this.#saidMs)
    this.#goes()
  }

  /** Takes every event, also those of jobs that keep their state: a poll is one. */
  take(event: EngineEvent): void {
    if (event.type === 'job') this.#meter.changed(event.job, event.from, this.#nowMs())
    else if (event.type === 'service' || event.type === 'settings') this.#goes()
    else if (event.type === 'removed') this.#meter.corrected(this.#counts())
    else return
    this.#say()
  }

  stop(): void {
    this.#view.stop()
  }

  #counts(): JobCounts {
    return this.#engine.snapshot().counts
  }

  #goes(): void {
    const { settings, service } = this.#engine.snapshot()
    const isHeld = settings.paused || (service !== null && (service.hold !== null || service.unreachable !== null))
    this.#meter.goes(!isHeld, this.#nowMs())
  }

  #say(): void {
    const atMs = this.#nowMs()
    const { requestsPerMinute } = this.#engine.snapshot().settings
    const { total, ended, savedBytes, leftMs, resultsPerMinute } = this.#meter.read({ atMs, requestsPerMinute })
    if (ended >= total) return this.#view.stop()
    const figures = { total, ended, savedBytes, leftMs, resultsPerMinute }
    this.#view.update({ ...figures, doing: '' })
    if (!this.#isJson || atMs - this.#saidMs < PROGRESS_LINE_MS) return
    this.#saidMs = atMs
    this.#terminal.json(progressLine(figures))
  }
}
