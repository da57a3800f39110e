import { z } from 'zod'
import { HookRow } from '../../shared/contract/hooks.ts'
import { SentenceShape } from '../../shared/sentences/sentence-shape.ts'
import type { Documents } from './documents.ts'

const KIND = 'hooks'

/** A hook that failed and has not worked since. */
export const FailedHook = z.object({
  on: z.enum(['done', 'attention', 'low_credits']),
  hook: z.string(),
  why: SentenceShape,
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

/** A hook that was set in the desktop app, with how it ended last. */
export type StoredHook = HookRow

export function storedHooksIn(documents: Documents): StoredHook[] {
  return documents.get(KIND, 'stored', z.array(HookRow)) ?? []
}

/** Throws on a full disk. */
export function keepStoredHooks(documents: Documents, hooks: readonly StoredHook[]): void {
  documents.put(KIND, 'stored', hooks)
}

/** Under which name the secret is that signs what these hooks post, and since when. */
const HookSecret = z.object({ id: z.string(), setAtMs: z.number() })
export type HookSecret = z.infer<typeof HookSecret>

export function hookSecretIn(documents: Documents): HookSecret | null {
  return documents.get(KIND, 'secret', HookSecret)
}

/** Throws on a full disk. */
export function keepHookSecret(documents: Documents, secret: HookSecret): void {
  documents.put(KIND, 'secret', secret)
}
