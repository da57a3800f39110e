import { z } from 'zod'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { nothing, type Calls } from './call.ts'

/**
 * What another program is told, and how: a program is run, which no shell interprets, or an address is posted to. The file of hooks is a
 * list of these.
 */
export const Hook = z.strictObject({
  /** `done`: every job of a batch has ended. `attention`: something begins that needs a person. `low_credits`: the balance falls below. */
  on: z.enum(['done', 'attention', 'low_credits']),
  /** For `low_credits`: the figure. */
  below: z.number().int().min(1).max(1_000_000_000).optional(),
  /** A program and its arguments. */
  run: z.array(z.string().max(1000)).min(1).max(20).optional(),
  /** An https address, or an http one of this computer. */
  post: z.string().max(2000).optional(),
})
export type Hook = z.infer<typeof Hook>

/** A hook and how it ended last: `why` it failed, null for one that went well. */
export const HookRow = z.object({
  hook: Hook,
  last: z.object({ atMs: z.number(), why: SentenceShape.nullable() }).nullable(),
})
export type HookRow = z.infer<typeof HookRow>

export const hookCalls = {
  /** Reads the file again, and from then on its hooks are those that run. `problem`: why none of them does. */
  'hooks.list': {
    by: 'page',
    request: nothing,
    response: z.object({ file: z.string(), hooks: z.array(HookRow), problem: SentenceShape.nullable() }),
  },
  /** Shows the file in the system's file manager; an empty one is made first where there is none. */
  'hooks.showFile': { by: 'page', request: nothing, response: nothing },
} as const satisfies Calls
