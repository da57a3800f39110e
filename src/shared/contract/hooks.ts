import { z } from 'zod'
import { KeyPlace } from '../runtime/key-place.ts'
import { MAX_HOOK_ARGUMENT_CHARS, MAX_HOOK_ARGUMENTS, MAX_LOW_CREDITS } from '../settings/hook-limits.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { nothing, type Calls } from './call.ts'

/** What is told to another program, and when; `below`: credits. */
export const HookOccasion = z.discriminatedUnion('on', [
  z.object({ on: z.enum(['done', 'attention']) }),
  z.object({ on: z.literal('low_credits'), below: z.number().int().min(1).max(MAX_LOW_CREDITS) }),
])
export type HookOccasion = z.infer<typeof HookOccasion>

const HookArguments = z.array(z.string().max(MAX_HOOK_ARGUMENT_CHARS)).max(MAX_HOOK_ARGUMENTS)

/** A program, which no shell interprets, with its absolute path; or an address that is posted to. */
export const StoredTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), file: z.string(), args: HookArguments }),
  z.object({ kind: z.literal('address'), url: z.string() }),
])
export type StoredTarget = z.infer<typeof StoredTarget>

/** How a hook ended last: `why` it failed, null for one that went well. */
export const HookOutcome = z.object({ atMs: z.number(), why: SentenceShape.nullable(), isTrial: z.boolean() })
export type HookOutcome = z.infer<typeof HookOutcome>

export const HookRow = z.object({
  id: z.string(),
  when: HookOccasion,
  target: StoredTarget,
  last: HookOutcome.nullable(),
})
export type HookRow = z.infer<typeof HookRow>

/** Where the secret is that signs what is posted; `setAtMs` null while none was made. */
const SecretStatus = KeyPlace.extend({ present: z.boolean(), setAtMs: z.number().nullable() })
export type HookSecretStatus = z.infer<typeof SecretStatus>

const id = z.string().min(1).max(40)

/**
 * The hooks of the desktop app. They run programs, so that only its own window may make these calls, and nothing is stored before a
 * person agreed to it in a box of the system, which the page neither draws nor answers.
 */
export const hookCalls = {
  'hooks.list': {
    by: 'desktop',
    request: nothing,
    response: z.object({ hooks: z.array(HookRow), secret: SecretStatus }),
  },
  /** Asks for a program; null when the person cancels. The token is good for `hooks.save` alone. */
  'hooks.pickProgram': {
    by: 'desktop',
    request: nothing,
    response: z.object({ program: z.object({ token: z.string(), path: z.string() }).nullable() }),
  },
  /**
   * Stores a new hook for a null `id`, else changes that one. A null `program` keeps that of the hook. `saved`: whether the person
   * agreed. With the first address the secret is made and shown.
   */
  'hooks.save': {
    by: 'desktop',
    request: z.object({
      id: id.nullable(),
      when: HookOccasion,
      target: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('program'), program: z.string().max(100).nullable(), args: HookArguments }),
        z.object({ kind: z.literal('address'), url: z.string().max(1000) }),
      ]),
    }),
    response: z.object({ saved: z.boolean() }),
  },
  'hooks.remove': { by: 'desktop', request: z.object({ id }), response: nothing },
  /** Runs it with a sample, and answers once it has ended: `why` it failed. */
  'hooks.try': {
    by: 'desktop',
    request: z.object({ id }),
    response: z.object({ why: SentenceShape.nullable() }),
  },
  /** Asks first; shows the new secret in a box of the system, and nowhere else. */
  'hooks.renewSecret': { by: 'desktop', request: nothing, response: z.object({ renewed: z.boolean() }) },
} as const satisfies Calls
