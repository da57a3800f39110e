import { ACTIVE_STATES } from '../../../shared/sentences/job-states.ts'
import type { JobState } from '../../../shared/sentences/reasons.ts'
import { MAX_PATTERNS, patternProblem } from '../../../shared/jobs/folder-patterns.ts'
import { say, type Sentence } from '../../../shared/sentences/sentence.ts'

/** The groups in which a folder's jobs are counted; each opens Pictures with those states. */
export const COUNT_GROUPS = {
  done: ['done'],
  working: ACTIVE_STATES,
  held: ['held'],
  failed: ['failed'],
  unknown: ['unknown'],
} as const satisfies Record<string, readonly JobState[]>
export type CountGroup = keyof typeof COUNT_GROUPS

/** A larger batch needs a person's approval, unless the folder has its own limit. */
export const ASK_ABOVE = 100
/** The engine's own bound (`Folder` in the contract). */
const MAX_ASKED = 1_000_000

/** A typed number; null for anything else. 0 means never ask. */
export function askAboveOf(text: string): number | null {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : null
  return number !== null && number <= MAX_ASKED ? number : null
}

/** One pattern per line; blank lines and repetitions are ignored. */
export function patternsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** What is wrong with them first, while a person types; the engine makes the final decision. */
export function problemOfPatterns(patterns: readonly string[]): Sentence | null {
  if (patterns.length > MAX_PATTERNS) return say('patterns_full', { most: MAX_PATTERNS })
  return patterns.map(patternProblem).find((problem) => problem !== null) ?? null
}
