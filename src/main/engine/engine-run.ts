import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { Background } from '../../shared/runtime/background.ts'
import type { PracticeAddress } from '../../practice/protocol.ts'
import type { ChildPort, Clock, HttpPort, Logger, Random, SecretStore } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { InFlight } from '../core/in-flight.ts'
import type { HookSetup } from '../hooks/hook.ts'
import type { Documents } from '../journal/documents.ts'

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
  /** Used where no address of an image or charger service is set. Without it jobs of the practice service wait. */
  practice: PracticeAddress | null
  /** The folder of the sample pictures, in a shell that offers them. */
  samplesDir?: string
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
