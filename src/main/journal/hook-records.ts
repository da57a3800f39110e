import { z } from 'zod'
import { HookRow } from '../../shared/contract/hooks.ts'
import type { Documents } from './documents.ts'

const KIND = 'hooks'

/** The hooks that ran or were read last, each with how it ended. */
export function hookRowsIn(documents: Documents): HookRow[] {
  return documents.get(KIND, 'rows', z.array(HookRow)) ?? []
}

/** Throws on a full disk. */
export function keepHookRows(documents: Documents, rows: readonly HookRow[]): void {
  documents.put(KIND, 'rows', rows)
}

const ToldProblem = z.object({
  key: z.string(),
  /** When it was last there, in Unix milliseconds. */
  seenMs: z.number(),
})
type ToldProblem = z.infer<typeof ToldProblem>

/** The problems that were told, so that a restart does not tell them again. */
export function toldProblemsIn(documents: Documents): ToldProblem[] {
  return documents.get(KIND, 'told_problems', z.array(ToldProblem)) ?? []
}

/** Throws on a full disk. */
export function keepToldProblems(documents: Documents, told: readonly ToldProblem[]): void {
  documents.put(KIND, 'told_problems', told)
}

/** For each service, the figures below which its balance was told to be, until it no longer is. */
const ToldCredits = z.record(z.string(), z.array(z.number()))
export type ToldCredits = z.infer<typeof ToldCredits>

export function toldCreditsIn(documents: Documents): ToldCredits {
  return documents.get(KIND, 'told_credits', ToldCredits) ?? {}
}

/** Throws on a full disk. */
export function keepToldCredits(documents: Documents, told: ToldCredits): void {
  documents.put(KIND, 'told_credits', told)
}
