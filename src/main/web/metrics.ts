import process from 'node:process'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import { FolderPhase } from '../../shared/contract/folders.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { END_STATES } from '../../shared/sentences/job-states.ts'
import { JobState } from '../../shared/sentences/reasons.ts'
import type { Engine } from '../engine/start-engine.ts'
import { VERSION } from '../engine/version.ts'
import { isUnwatchable, isUsable, standstillMs } from '../core/attention.ts'

interface MetricsDeps {
  engine: Pick<Engine, 'snapshot' | 'vitals' | 'works'>
  background: Pick<Background, 'stopped'>
  clock: Pick<Clock, 'nowMs'>
}

/** `name`: without `hangar_`; a counter's ends in `_total`. `value`: one, or several by their labels; null is left out. */
type Family = readonly [name: string, help: string, value: number | boolean | null | Map<string, number>]

/** The engine's state in numbers, for Prometheus. Counters begin with this object. There are no paths, texts or addresses in it. */
export class Metrics {
  readonly #deps: MetricsDeps
  readonly #ended = new Map<JobState, number>(END_STATES.map((state) => [state, 0]))

  constructor(deps: MetricsDeps) {
    this.#deps = deps
  }

  /** To be called with every event. */
  take(event: EngineEvent): void {
    if (event.type !== 'job' || event.job.state === event.from) return
    const before = this.#ended.get(event.job.state)
    if (before !== undefined) this.#ended.set(event.job.state, before + 1)
  }

  /** In the text format 0.0.4. After the engine has stopped, only that. */
  async read(): Promise<string> {
    const isUp = await this.#deps.engine.works()
    const build = new Map([[`version="${VERSION}",node="${process.versions.node}"`, 1]])
    return [
      ['build_info', 'Always 1. The labels say what runs.', build] as const,
      ['engine_up', 'Whether the engine can do its work, as /healthz has it.', isUp] as const,
      ...this.#state(isUp),
    ]
      .map(familyText)
      .join('')
  }

  #state(isUp: boolean): Family[] {
    const { engine, background, clock } = this.#deps
    try {
      const [snapshot, vitals, nowMs] = [engine.snapshot(), engine.vitals(), clock.nowMs()]
      const { counts, settings, folders, service } = snapshot
      const { paused, requestsPerMinute } = settings
      const { lastEventMs, callsLeft } = vitals
      const balance = service?.balance ?? null
      const inState = (state: FolderPhase) => folders.filter((folder) => folder.state === state).length
      const needs: Record<string, number> = {
        held_picture: counts.held,
        unwatchable_folder: folders.filter(({ state }) => isUnwatchable(state)).length,
        stopped_task: background.stopped().length,
        ledger: Number(service?.unreachable?.code.startsWith('ledger_') === true),
        standstill: Number(standstillMs({ counts, paused, lastEventMs, nowMs }) !== null),
      }
      return [
        ['jobs', 'Pictures in the list.', by('state', JobState.options, (state) => counts[state])],
        ['paused', 'Whether a person has paused sending.', paused],
        ['last_change_timestamp_seconds', 'When something last happened to a picture.', seconds(lastEventMs)],
        [
          'jobs_ended_total',
          'Pictures that reached this state.',
          by('state', END_STATES, (state) => this.#ended.get(state) ?? 0),
        ],
        ['service_up', 'Whether there is a key, nothing is held, and the service answers.', isUsable(service)],
        ['service_requests_total', 'Calls to the service.', service?.requests ?? null],
        ['credits', 'The balance, as last told by the service.', balance?.credits ?? null],
        ['credits_timestamp_seconds', 'When the service told the balance.', seconds(balance?.atMs ?? null)],
        ['rate_limit_requests', 'Calls that may be made in a minute.', requestsPerMinute],
        ['rate_limit_remaining_requests', 'Calls that could be made right now.', callsLeft],
        ['folders', 'Watched folders.', by('state', FolderPhase.options, inState)],
        ['needs_person', 'What waits for a person.', by('cause', Object.keys(needs), (cause) => needs[cause] ?? 0)],
      ]
    } catch (error) {
      // Its journal is closed, or cannot be read.
      if (isUp) throw error
      return []
    }
  }
}

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)

function by<Key extends string>(label: string, keys: readonly Key[], valueOf: (key: Key) => number) {
  return new Map(keys.map((key) => [`${label}="${key}"`, valueOf(key)]))
}

function familyText([name, help, value]: Family): string {
  if (value === null) return ''
  const full = `hangar_${name}`
  const samples =
    value instanceof Map
      ? [...value].map(([labels, each]) => `${full}{${labels}} ${each}\n`)
      : [`${full} ${Number(value)}\n`]
  const type = name.endsWith('_total') ? 'counter' : 'gauge'
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${samples.join('')}`
}
