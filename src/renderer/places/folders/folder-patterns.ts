import { MAX_PATTERNS, patternProblem } from '../../../shared/jobs/folder-patterns.ts'
import { say, type Sentence } from '../../../shared/sentences/sentence.ts'

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
