import { basename } from 'node:path'
import type { Hook } from '../../shared/contract/hooks.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { Problem } from '../core/attention.ts'

export type { Hook } from '../../shared/contract/hooks.ts'
export type HookEvent = Hook['on']

/** The hooks of one run of Hangar. */
export interface HookSetup {
  /** Those of now. */
  hooks: () => readonly Hook[]
  /** Signs what is posted to an address. */
  secret: () => Promise<string>
  /** Programs get it without what is Hangar's own. */
  env: NodeJS.ProcessEnv
  onEnd: (end: HookReport, hook: Hook) => void
}

/** How one hook ended: `why` it failed, null for one that went well. */
export interface HookReport {
  on: HookEvent
  /** Of the event. */
  id: string
  /** The program's base name, or the host of the address. */
  hook: string
  why: Sentence | null
}

/** The JSON that a hook gets. */
export type HookPayload = {
  /** The same each time that an event is posted, so that a receiver can tell what it has seen. */
  id: string
  /** ISO 8601, in UTC. */
  time: string
  /** Of the service in use; null while unknown. */
  credits: number | null
} & (
  | {
      event: 'done'
      batch: string
      /** The watched folder that its pictures came from; null for a command or a drop. */
      folder: string | null
      /** Of the batch. */
      counts: JobCounts
    }
  | { event: 'attention'; batch: null; counts: JobCounts; reasons: readonly Problem[] }
  | { event: 'low_credits'; batch: null; counts: JobCounts; below: number }
)

export function hookName({ run, post }: Hook): string {
  return run === undefined ? new URL(post ?? '').host : basename(run[0] ?? '')
}
