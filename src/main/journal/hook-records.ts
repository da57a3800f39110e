import { z } from 'zod'
import { HookRow } from '../../shared/contract/hooks.ts'

/** The documents of this kind in the journal, by their keys. */
export const HOOKS = 'hooks'

/** The hooks that ran or were read last, each with how it ended. */
export const HookRows = z.array(HookRow)

/** The problems that were told, with when each was last there (Unix milliseconds), so that a restart does not tell them again. */
export const ToldProblems = z.array(z.object({ key: z.string(), seenMs: z.number() }))

/** For each service, the figures below which its balance was told to be, until it no longer is. */
export const ToldCredits = z.record(z.string(), z.array(z.number()))
export type ToldCredits = z.infer<typeof ToldCredits>
