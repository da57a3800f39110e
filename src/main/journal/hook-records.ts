import { z } from 'zod'
import { HookRow } from '../../shared/contract/hooks.ts'

/** The documents of this kind in the journal, by their keys. */
export const HOOKS = 'hooks'

/** The hooks that ran or were read last, each with how it ended. */
export const HookRows = z.array(HookRow)

/** The problems that were told, and when each was last seen (Unix ms): a restart does not tell them again. */
export const ToldProblems = z.array(z.object({ key: z.string(), seenMs: z.number() }))

/** By service, the figures that its balance was told to be below and still is. */
export const ToldCredits = z.record(z.string(), z.array(z.number()))
export type ToldCredits = z.infer<typeof ToldCredits>
