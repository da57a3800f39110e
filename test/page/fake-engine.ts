import type { Result } from '../../src/shared/contract/call.ts'
import type { CheckedRequest, EngineCall, EngineRequest, EngineResponse } from '../../src/shared/contract/calls.ts'
import type { EngineEvent, EnginePort, EngineSnapshot } from '../../src/shared/contract/engine-port.ts'
import type { FolderView } from '../../src/shared/contract/folders.ts'
import type { Confirmation } from '../../src/shared/contract/intake.ts'
import type { JobCounts, JobView } from '../../src/shared/contract/jobs.ts'
import { NO_CHARGERS, type ChargersState } from '../../src/shared/chargers/charger-status.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { JobState } from '../../src/shared/sentences/reasons.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/shared/settings/settings.ts'
import type { Progress, ServiceStatus } from '../../src/shared/contract/queue.ts'
import { ProgressMeter } from '../../src/main/engine/progress-meter.ts'
import { jobView } from './make-view.ts'

export const noCounts = (): JobCounts => Object.fromEntries(JobState.options.map((state) => [state, 0])) as JobCounts

/** A service with a key, in no trouble. */
export const serviceStatus = (changes: Partial<ServiceStatus> = {}): ServiceStatus => ({
  serviceId: 'https://images.example.com',
  baseUrl: 'https://images.example.com/api/v1',
  practice: false,
  hasKey: true,
  keychainLocked: false,
  hold: null,
  unreachable: null,
  balance: null,
  requests: 0,
  ...changes,
})

/** The engine's port over jobs in memory: what changes is told, what is asked is counted from what is there. */
export class FakeEngine implements EnginePort {
  readonly jobs = new Map<string, JobView>()
  readonly calls: EngineCall[] = []
  folders: FolderView[] = []
  settings: Settings = DEFAULT_SETTINGS
  service: EngineSnapshot['service'] = null
  confirmations: Confirmation[] = []
  chargers: ChargersState = { status: NO_CHARGERS, favourites: [] }
  snapshots = 0
  /** Called before each. */
  onSnapshot: () => void = () => undefined
  /** A call that fails from now on. */
  refused: EngineCall | null = null
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #meter = new ProgressMeter(noCounts(), 0)

  tell(event: EngineEvent): void {
    if (event.type === 'job') this.#meter.changed(event.job, event.from, 0)
    for (const listener of this.#listeners) listener(event)
  }

  /** A job is now as given; who listens is told. */
  put(n: number, changes: Partial<JobView>): JobView {
    const job = jobView(changes, n)
    const before = this.jobs.get(job.id)
    this.jobs.set(job.id, job)
    const toReview = Number(job.review === 'needed') - Number(before?.review === 'needed')
    this.tell({ type: 'job', job, from: before?.state ?? null, toReview })
    return job
  }

  set(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings }
    this.tell({ type: 'settings', settings: this.settings })
  }

  count(only: (job: JobView) => boolean = () => true): JobCounts {
    const counts = noCounts()
    for (const job of this.jobs.values()) if (only(job)) counts[job.state] += 1
    return counts
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot(): EngineSnapshot {
    this.snapshots += 1
    this.onSnapshot()
    return {
      counts: this.count(),
      needsReview: [...this.jobs.values()].filter(({ review }) => review === 'needed').length,
      removed: 0,
      away: [],
      confirmations: this.confirmations,
      folders: this.folders.map((folder) => ({ ...folder, counts: this.count((job) => job.folderId === folder.id) })),
      service: this.service,
      settings: this.settings,
      chargers: this.chargers,
    }
  }

  progress(): Progress {
    return this.#meter.read(0, null)
  }

  async call<Name extends EngineCall>(
    channel: Name,
    request: EngineRequest<Name>,
  ): Promise<Result<EngineResponse<Name>>> {
    this.calls.push(channel)
    if (channel === this.refused)
      return { ok: false, error: new AppError('service_unreachable', say('key_not_set')).shape }
    return { ok: true, value: this.#answer(channel, request) as EngineResponse<Name> }
  }

  perform<Name extends EngineCall>(name: Name, request: CheckedRequest<Name>): Promise<Result<EngineResponse<Name>>> {
    return this.call(name, request as EngineRequest<Name>)
  }

  #answer(channel: EngineCall, request: unknown): unknown {
    const { batchId, folderId } = request as { batchId?: string; folderId?: string }
    switch (channel) {
      case 'credits.balance':
        return { balance: this.service?.balance?.credits ?? 0 }
      case 'jobs.counts':
        return { counts: this.count((job) => batchId === undefined || job.batchId === batchId) }
      case 'jobs.get':
        return { jobs: (request as { ids: string[] }).ids.flatMap((id) => this.jobs.get(id) ?? []) }
      case 'jobs.list':
        return { jobs: [...this.jobs.values()].filter((job) => job.folderId === folderId) }
      default:
        throw new Error(`the test's engine has no ${channel}`)
    }
  }
}
