import { z } from 'zod'
import type { Documents } from './documents.ts'

const KIND = 'hooks'

/** A hook that failed and has not worked since. */
export const FailedHook = z.object({
  on: z.enum(['done', 'attention', 'low_credits']),
  hook: z.string(),
  /** The rest of a sentence, in English. */
  why: z.string(),
  atMs: z.number(),
})
export type FailedHook = z.infer<typeof FailedHook>

/** Those of the last start. */
export function failedHooksIn(documents: Documents): FailedHook[] {
  return documents.get(KIND, 'failed', z.array(FailedHook)) ?? []
}

/** Throws on a full disk. */
export function keepFailedHooks(documents: Documents, failed: readonly FailedHook[]): void {
  if (failed.length === 0) documents.remove(KIND, 'failed')
  else documents.put(KIND, 'failed', failed)
}

/** The problems that were told, so that a restart does not tell them again. */
export function toldProblemsIn(documents: Documents): string[] {
  return documents.get(KIND, 'told', z.array(z.string())) ?? []
}

/** Throws on a full disk. */
export function keepToldProblems(documents: Documents, told: readonly string[]): void {
  documents.put(KIND, 'told', told)
}
