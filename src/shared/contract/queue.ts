import { z } from 'zod'
import { BACKGROUND_TASKS } from '../runtime/background.ts'
import { AppErrorCode } from '../sentences/errors.ts'
import { HoldReason, WaitReason } from '../sentences/reasons.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { nothing, type Calls } from './call.ts'
import { JobCounts } from './jobs.ts'

/** What the queue can do with the service it uses. */
export const ServiceStatus = z.object({
  serviceId: z.string(),
  baseUrl: z.string().nullable(),
  practice: z.boolean(),
  hasKey: z.boolean(),
  /** There may be a key in a keychain that is locked. */
  keychainLocked: z.boolean(),
  hold: z.object({ code: HoldReason, detail: SentenceShape.nullable() }).nullable(),
  /** Why nothing can be sent for now: the service does not answer, or the team ledger cannot be used. */
  unreachable: z.object({ code: WaitReason, detail: SentenceShape.nullable(), forMs: z.number() }).nullable(),
  balance: z.object({ credits: z.number(), atMs: z.number() }).nullable(),
  requests: z.number().int().nonnegative(),
})
export type ServiceStatus = z.infer<typeof ServiceStatus>

/** A task of the background that failed and has not worked since; see `Background`. */
export const StoppedTask = z.object({
  task: z.enum(BACKGROUND_TASKS),
  subject: z.string().nullable(),
  code: AppErrorCode,
  sinceMs: z.number(),
})

/** Of the batches that were worked on since the queue was last empty: what has ended, and what goes on. */
export const Progress = z.object({
  total: z.number().int(),
  /** In any end state; a job that is retried counts each time it ends. */
  ended: z.number().int(),
  /** Of these, the done ones; each picture once. */
  done: z.number().int(),
  savedBytes: z.number(),
  /** Estimated time left; null while there is too little data, or nothing to do. */
  leftMs: z.number().nullable(),
  /** Measured over the last minutes of work; null until there is enough data. */
  resultsPerMinute: z.number().nullable(),
})
export type Progress = z.infer<typeof Progress>

export const queueCalls = {
  'queue.pause': { by: 'both', request: nothing, response: nothing },
  'queue.resume': { by: 'both', request: nothing, response: nothing },
  'queue.status': {
    by: 'engine',
    request: nothing,
    response: z.object({
      paused: z.boolean(),
      counts: JobCounts,
      service: ServiceStatus.nullable(),
      progress: Progress,
      stopped: z.array(StoppedTask),
    }),
  },
} as const satisfies Calls
