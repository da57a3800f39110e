import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { PracticeAddress } from '../../practice/protocol.ts'
import type { ChildPort, Clock, HttpPort, Logger, Random, SecretStore } from '../../shared/runtime/ports.ts'
import type { AppError } from '../../shared/sentences/errors.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { InFlight } from '../core/in-flight.ts'
import type { HookSetup } from '../hooks/hook.ts'
import type { Documents } from '../journal/documents.ts'

/** Provided by a shell that offers sample pictures. */
export interface SampleSource {
  dir: string
  /** Starts the practice service unless it is running; resolves to why it could not start, or null. */
  startPractice: () => Promise<AppError | null>
}

export interface EngineDeps {
  dataDir: string
  clock: Clock
  /** For time limits of children; by default `clock`, which may run faster than children do. */
  childClock?: Clock
  random: Random
  log: Logger
  /** Runs the engine's background tasks; a shell that shows stopped tasks passes its own. */
  background?: Background
  secrets: SecretStore
  http: HttpPort
  child: ChildPort
  /** The running practice service, whose address and key are new at every start. Used where no address of a service is set. */
  practice: () => PracticeAddress | null
  /** Without it there are no sample pictures, and unfinished jobs of earlier ones wait. */
  samples?: SampleSource
  /** For this run only; take precedence over the stored settings. */
  overrides: Partial<Settings>
  /** Of the texts that are made where nothing was set yet. */
  firstLanguage?: string
  /** Prepares what new settings need; throws to refuse them. */
  beforeSettings?: (next: Settings, now: Settings) => Promise<void>
  /** Overrides the stored value of every watched folder for this run. */
  askAbove?: number
  /** `batch`: only this run's batch is sent, and results of earlier runs are fetched. `none`: no work is started. */
  scope: 'all' | 'batch' | 'none'
  /** Stored before anything is sent; by default sending stays as it was. */
  paused?: boolean
  watch: boolean
  /** Other programs that are told what happens. */
  hooks?: OpenHooks
  /** Where the shell shows its page to browsers, if it does. */
  origin?: () => string | null
}

export type OpenHooks = (parts: { documents: Documents; emit: (event: EngineEvent) => void }) => Promise<HookSetup>

export interface EngineRun extends EngineDeps {
  background: Background
  stopping: AbortSignal
  /** What writes to a person's folders beside the queue; the data folder is not released before it has ended. */
  fileWork: InFlight
  /** Closed in reverse order: the timers first, the lock of the data folder last. */
  opened: (() => unknown)[]
}
