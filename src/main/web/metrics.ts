import process from 'node:process'
import type { EngineEvent, EngineSnapshot } from '../../shared/contract/engine-port.ts'
import { FolderPhase } from '../../shared/contract/folders.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { END_STATES, JobState } from '../../shared/sentences/reasons.ts'
import type { Engine, Vitals } from '../engine/start-engine.ts'
import { VERSION } from '../engine/version.ts'
import { isUnwatchable, standstillMs } from '../core/attention.ts'
import { activeIn } from '../page/progress.ts'
import { metricsText, type Family } from './metrics-text.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

interface MetricsDeps {
  engine: Pick<Engine, 'snapshot' | 'vitals' | 'works'>
  background: Pick<Background, 'stopped'>
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
}

/**
 * The engine's state in numbers, for Prometheus: each reading takes one snapshot, as a page gets it. Counters begin with this
 * object. There are no paths, texts or addresses in it.
 */
export class Metrics {
  readonly #deps: MetricsDeps
  readonly #ended = new Map<JobState, number>(END_STATES.map((state) => [state, 0]))
  /** When results came in the last minute; monotonic, ascending. */
  #resultsAtMs: number[] = []

  constructor(deps: MetricsDeps) {
    this.#deps = deps
  }

  /** Has to be called with every event. */
  take(event: EngineEvent): void {
    if (event.type !== 'job' || event.job.state === event.from) return
    const { state } = event.job
    const before = this.#ended.get(state)
    if (before !== undefined) this.#ended.set(state, before + 1)
    if (state !== 'done') return
    this.#forget()
    this.#resultsAtMs.push(this.#deps.clock.monotonicMs())
  }

  /** In the text format 0.0.4. Of an engine that has stopped, only that it has. */
  async read(): Promise<string> {
    const isUp = await this.#deps.engine.works()
    const labels = { version: VERSION, node: process.versions.node }
    return metricsText([
      gauge('build_info', 'Always 1. The labels say what runs.', [{ labels, value: 1 }]),
      one('engine_up', 'Whether the engine can do its work, as /healthz has it.', isUp),
      ...this.#state(isUp),
    ])
  }

  #state(isUp: boolean): Family[] {
    const { engine, background, clock } = this.#deps
    try {
      const [snapshot, vitals] = [engine.snapshot(), engine.vitals()]
      const nowMs = clock.nowMs()
      return [
        ...pictures(snapshot, vitals),
        ...this.#ends(),
        ...service(snapshot, vitals),
        folders(snapshot),
        attention(snapshot, { vitals, nowMs, stopped: background.stopped().length }),
      ]
    } catch (error) {
      // Its journal is closed, or cannot be read.
      if (isUp) throw error
      return []
    }
  }

  #ends(): Family[] {
    this.#forget()
    const samples = [...this.#ended].map(([state, value]) => ({ labels: { state }, value }))
    const ended = 'Pictures that reached a final state since the start, by that state.'
    return [
      { name: 'jobs_ended_total', help: ended, type: 'counter', samples },
      one('results_last_minute', 'Pictures that were done within the last 60 seconds.', this.#resultsAtMs.length),
    ]
  }

  #forget(): void {
    const sinceMs = this.#deps.clock.monotonicMs() - MINUTE
    const first = this.#resultsAtMs.findIndex((atMs) => atMs > sinceMs)
    this.#resultsAtMs = first === -1 ? [] : this.#resultsAtMs.slice(first)
  }
}

function pictures({ counts, settings }: EngineSnapshot, { lastEventMs }: Vitals): Family[] {
  const samples = JobState.options.map((state) => ({ labels: { state }, value: counts[state] }))
  return [
    gauge('jobs', 'Pictures in the list, by state.', samples),
    one('paused', 'Whether a person has paused sending.', settings.paused),
    one('last_change_timestamp_seconds', 'When something last happened to a picture.', seconds(lastEventMs)),
  ]
}

function service({ service: status, settings }: EngineSnapshot, { callsLeft }: Vitals): Family[] {
  const balance = status?.balance ?? null
  const calls = status === null ? [] : [{ value: status.requests }]
  return [
    one(
      'service_up',
      'Whether pictures can be sent: there is a key, nothing is held for it, and it answers.',
      isUsable(status),
    ),
    {
      name: 'service_requests_total',
      help: 'Calls made since the start, by this Hangar.',
      type: 'counter',
      samples: calls,
    },
    one('credits', 'The balance of credits, as last told by the service.', balance?.credits ?? null),
    one('credits_timestamp_seconds', 'When the service told the balance.', seconds(balance?.atMs ?? null)),
    one('rate_limit_requests', 'Calls that may be made in a minute, by the settings.', settings.requestsPerMinute),
    one('rate_limit_remaining_requests', 'Calls that could be made right now.', callsLeft),
  ]
}

function isUsable(status: ServiceStatus | null): boolean {
  return status !== null && status.hasKey && status.hold === null && status.unreachable === null
}

function folders({ folders: all }: EngineSnapshot): Family {
  const samples = FolderPhase.options.map((state) => ({
    labels: { state },
    value: all.filter((folder) => folder.state === state).length,
  }))
  return gauge('folders', 'Watched folders, by state; missing and refused ones cannot be watched.', samples)
}

/** As `hangar status --check` judges it. */
function attention(
  { counts, folders: all, service: status, settings }: EngineSnapshot,
  { vitals, nowMs, stopped }: { vitals: Vitals; nowMs: number; stopped: number },
): Family {
  const still = standstillMs({
    active: activeIn(counts),
    paused: settings.paused,
    lastEventMs: vitals.lastEventMs,
    nowMs,
  })
  const values = {
    held_picture: counts.held,
    unwatchable_folder: all.filter(({ state }) => isUnwatchable(state)).length,
    stopped_task: stopped,
    ledger: status?.unreachable?.code.startsWith('ledger_') === true ? 1 : 0,
    standstill: still === null ? 0 : 1,
  }
  const samples = Object.entries(values).map(([cause, value]) => ({ labels: { cause }, value }))
  return gauge('needs_person', 'What waits for a person, by cause, as "hangar status --check" has it.', samples)
}

const seconds = (ms: number | null) => (ms === null ? null : ms / SECOND)

function gauge(name: string, help: string, samples: Family['samples']): Family {
  return { name, help, type: 'gauge', samples }
}

/** A gauge without labels; none for null. */
function one(name: string, help: string, value: number | boolean | null): Family {
  return gauge(name, help, value === null ? [] : [{ value: Number(value) }])
}
