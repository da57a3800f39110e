import { basename } from 'node:path'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { Problem } from '../core/attention.ts'

/**
 * `done`: a batch has ended: every job of it is done, skipped, failed, unknown or cancelled. `attention`: something begins that needs a person. `low_credits`: the balance
 * fell below a figure.
 */
export type HookEvent = 'done' | 'attention' | 'low_credits'

/** A program, which no shell interprets, or an address that is posted to. `file` is an absolute path, or a name on the PATH. */
export type HookTarget = { kind: 'program'; file: string; args: readonly string[] } | { kind: 'address'; url: string }

/** What another program is told, and how. */
export type Hook = { target: HookTarget } & ({ on: 'done' | 'attention' } | { on: 'low_credits'; below: number })

/** The hooks of one run of Hangar: given at its start, or set by a person in the desktop app. */
export interface HookSetup {
  /** Those of now; one that did not change is the same object. */
  hooks: () => readonly Hook[]
  /** Signs what is posted to an address; null while there is none. */
  secret: () => Promise<string | null>
  /** Programs get it without what is Hangar's own. */
  env: NodeJS.ProcessEnv
  /** Not called for trials. */
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
  /** A sample, which tells of nothing that happened. */
  trial?: true
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

export function hookName(target: HookTarget): string {
  return target.kind === 'program' ? basename(target.file) : new URL(target.url).host
}
