import type { CALLS, CheckedRequest, CheckedResponse, EngineCall } from '../../../shared/contract/calls.ts'
import type { EngineEvent } from '../../../shared/contract/engine-port.ts'
import type { Progress, ServiceStatus } from '../../../shared/contract/queue.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { HttpPort, SecretStore } from '../../../shared/runtime/ports.ts'
import type { Background } from '../../../shared/runtime/background.ts'
import type { Chargers } from '../engine-chargers.ts'
import type { Folders } from '../../intake/watched-folders.ts'
import type { InFlight } from '../../core/in-flight.ts'
import type { LaneSet, PracticeAccess } from '../lanes.ts'
import type { SettingsStore } from '../settings-store.ts'
import type { Settings } from '../../../shared/settings/settings.ts'
import type { QueueContext } from '../../queue/context.ts'
import type { Documents } from '../../journal/documents.ts'
import type { Runner } from '../../queue/runner.ts'
import type { Team } from '../team.ts'
import type { OwnPlaces } from '../../watch/own-places.ts'
import type { RunIntake } from '../../intake/run-intake.ts'

/** Provided by a shell that offers sample pictures. */
export interface SampleSource {
  /** The folder of the pictures. */
  dir: string
  /** Starts the practice service unless it is running; resolves to why it could not start, or null. */
  startPractice: () => Promise<AppError | null>
}

/** Dependencies of the handlers. */
export interface CallsDeps {
  context: QueueContext
  background: Background
  settingsStore: SettingsStore
  /** Settings that this run was started with: storing others would only appear to work. */
  overrides: Partial<Settings>
  /** Prepares what settings need that a person is about to store. */
  beforeSettings: (next: Settings, now: Settings) => Promise<void>
  documents: Documents
  lanes: LaneSet
  team: Team
  runner: Runner
  intake: RunIntake
  folders: Folders
  chargers: Chargers
  http: HttpPort
  secrets: SecretStore
  practice: () => PracticeAccess | null
  samples: SampleSource | null
  /** Where the shell shows its page to browsers. */
  origin: () => string | null
  dataDir: string
  own: () => OwnPlaces
  status: () => ServiceStatus | null
  progress: () => Progress
  makeId: () => string
  fingerprint: (key: string) => string
  onBatch: (batchId: string) => void
  /** Aborts when the engine stops; ends what only reads. */
  stopping: AbortSignal
  fileWork: InFlight
  emit: (event: EngineEvent) => void
}

/** One without a response returns nothing. */
export type Handlers = {
  [Name in EngineCall]: (request: CheckedRequest<Name>) => Promise<Returned<Name>> | Returned<Name>
}
export type Returned<Name extends keyof typeof CALLS> =
  Record<string, never> extends CheckedResponse<Name> ? CheckedResponse<Name> | void : CheckedResponse<Name>

/** The handlers of one area, each area in its own file. */
export type HandlersOf<Prefix extends string> = Pick<Handlers, Extract<EngineCall, `${Prefix}.${string}`>>

/** Throws `not_found` for null. */
export function found<Value>(value: Value | null, id: string): Value {
  if (value === null) throw new AppError('not_found', say('id_unknown', { id }))
  return value
}

/** Items visited before yielding to the event loop. */
const SLICE = 200

/** Visits every item without blocking the event loop for long. */
export async function inSlices<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (const [n, item] of items.entries()) {
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
    visit(item)
  }
}
