/** The engine's own bounds (`Folder` in the contract). */
const MAX_PATTERNS = 100
const LONGEST_PATTERN = 500

/** One pattern per line; blank lines and repetitions are ignored. */
export function patternsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

type PatternProblem = 'absolute' | 'grouped' | 'leads_out' | 'negated' | 'nothing' | 'too_long' | 'too_many'

/**
 * The first problem, and the pattern that has it. The same checks as in `watch/path-filter.ts`, while a person types; the engine
 * makes the final decision.
 */
export function patternProblem(patterns: readonly string[]): { problem: PatternProblem; pattern: string } | null {
  if (patterns.length > MAX_PATTERNS) return { problem: 'too_many', pattern: patterns[MAX_PATTERNS]! }
  for (const pattern of patterns) {
    const problem = problemOf(pattern)
    if (problem !== null) return { problem, pattern }
  }
  return null
}

function problemOf(pattern: string): PatternProblem | null {
  if (pattern.length > LONGEST_PATTERN) return 'too_long'
  const written = pattern.replaceAll('\\', '/').replace(/^\.\//, '')
  const glob = written.replace(/\/+$/, '')
  if (written.startsWith('/') || /^[a-z]:/i.test(written)) return 'absolute'
  if (glob === '') return 'nothing'
  if (glob.split('/').includes('..')) return 'leads_out'
  if (/[@!?+*]\(|\([^)]*\|/.test(glob)) return 'grouped'
  return glob.startsWith('!') ? 'negated' : null
}
