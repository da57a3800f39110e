import type { EnginePort, JobView } from '../../../shared/contract.ts'
import type { Clock, Logger, ShellPort } from '../../../shared/ports.ts'
import type { Settings } from '../../../shared/settings.ts'
import type { CheckedUiRequestOf, ShellChannel, UiChannel, UiResponseOf } from '../../../shared/ui-contract.ts'
import { AppError } from '../../../shared/errors.ts'
import { callEngine } from '../../call-engine.ts'
import type { LogTail } from '../log-tail.ts'
import type { PlaceRegistry } from '../place-registry.ts'

/** What the handlers of a page's calls work with. */
export interface UiCallDeps {
  engine: EnginePort
  shell: ShellPort
  clock: Clock
  log: Logger
  logTail: LogTail
  places: PlaceRegistry
  version: string
  dataDir: string
  homeDir: string
  /** Settings that this start was given from outside: what a person stores has no effect on them. */
  overrides: Partial<Settings>
  /** Makes ready what these settings need, before they are stored. */
  beforeSettings: (next: Settings) => Promise<void>
  /** The engine's state may have changed in ways of which no event tells. */
  lookAgain: () => void
  output: (jobId: string, index: number | null) => Promise<{ path: string; name: string } | null>
}

export type UiHandlers = {
  [Name in Exclude<UiChannel, ShellChannel>]: (
    request: CheckedUiRequestOf<Name>,
  ) => Promise<UiResponseOf<Name>> | UiResponseOf<Name>
}

/** How many jobs are read before yielding to other work. */
const SLICE = 200

/** The jobs of these ids that are still there, in slices: a hundred thousand must not stop everything else. */
export async function* jobsOf(engine: EnginePort, ids: readonly string[]): AsyncGenerator<JobView[]> {
  for (let at = 0; at < ids.length; at += SLICE) {
    const { jobs } = await callEngine(engine, 'jobs.get', { ids: ids.slice(at, at + SLICE) })
    yield jobs
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Throws `not_found`. */
export async function jobOf(engine: EnginePort, id: string): Promise<JobView> {
  const { jobs } = await callEngine(engine, 'jobs.get', { ids: [id] })
  const [job] = jobs
  if (job === undefined) throw new AppError('not_found', 'This picture is not in the list any more.')
  return job
}

/** Throws `bad_request` where the shell cannot do it. */
export function needCapability(shell: ShellPort, capability: Parameters<ShellPort['capabilities']['has']>[0]): void {
  if (!shell.capabilities.has(capability))
    throw new AppError(
      'bad_request',
      'This cannot be done here. Use the desktop app on the computer that has the files.',
    )
}
