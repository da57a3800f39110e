import type { CheckedRequest, OwnPageCall, PassedCall } from '../../../shared/contract/calls.ts'
import type { EnginePort } from '../../../shared/contract/engine-port.ts'
import type { JobView } from '../../../shared/contract/jobs.ts'
import type { Capability, ChildPort, Clock, DesktopShell, Logger, ShellPort } from '../../../shared/runtime/ports.ts'
import type { Background } from '../../../shared/runtime/background.ts'
import type { Settings } from '../../../shared/settings/settings.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { orThrow } from '../../../shared/contract/call.ts'
import type { HookFile } from '../../engine/hook-file.ts'
import type { Returned } from '../../engine/calls/call-deps.ts'
import type { PlaceRegistry } from '../place-registry.ts'

export interface UiHostDeps {
  engine: EnginePort
  shell: ShellPort
  child: ChildPort
  clock: Clock
  log: Logger
  background: Background
  version: string
  /** The system's locale, as BCP 47. */
  locale: string
  dataDir: string
  homeDir: string
  hooks?: HookFile | null
  onSettings: (settings: Settings) => void
}

export interface PageCallDeps extends UiHostDeps {
  places: PlaceRegistry
  output: (jobId: string, index: number | null) => Promise<{ path: string; name: string } | null>
}

type Handler<Name extends OwnPageCall | PassedCall> = (
  request: CheckedRequest<Name>,
) => Promise<Returned<Name>> | Returned<Name>

/** Requests have paths in place of tokens. Calls without a handler are passed to the engine. */
export type PageHandlers = { [Name in OwnPageCall]: Handler<Name> } & { [Name in PassedCall]?: Handler<Name> }

/** How many jobs are read before yielding to other work. */
const SLICE = 200

/** The jobs that still exist, in slices: a hundred thousand must not block everything else. */
export async function* jobsOf(engine: EnginePort, ids: readonly string[]): AsyncGenerator<JobView[]> {
  for (let at = 0; at < ids.length; at += SLICE) {
    const { jobs } = await orThrow(engine.perform('jobs.get', { ids: ids.slice(at, at + SLICE) }))
    yield jobs
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Throws `not_found`. */
export async function jobOf(engine: EnginePort, id: string): Promise<JobView> {
  const { jobs } = await orThrow(engine.perform('jobs.get', { ids: [id] }))
  const [job] = jobs
  if (job === undefined) throw new AppError('not_found', say('picture_gone'))
  return job
}

/** Throws `bad_request` if the shell cannot do this. */
export function shellThat(shell: ShellPort, can: Capability): DesktopShell {
  if (!shell.capabilities.has(can)) throw new AppError('bad_request', say('desktop_only'))
  return shell as DesktopShell
}
