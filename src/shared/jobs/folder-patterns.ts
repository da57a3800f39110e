import { say, type Sentence } from '../sentences/sentence.ts'

/** How many a watched folder includes, and excludes, at most. */
export const MAX_PATTERNS = 100
export const MAX_PATTERN_CHARS = 500

/** A pattern as it is compared with paths. */
export function globOf(pattern: string): string {
  return pattern.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '')
}

/** Why a pattern of a watched folder cannot be used or matches nothing in it; null for any other. */
export function patternProblem(pattern: string): Sentence | null {
  const glob = globOf(pattern)
  if (pattern.length > MAX_PATTERN_CHARS) return say('pattern_too_long', { most: MAX_PATTERN_CHARS })
  if (glob === '') return say('pattern_empty', { pattern })
  if (/^(?:\/|[a-z]:)/i.test(glob) || glob.split('/').includes('..')) return say('pattern_leads_out', { pattern })
  if (/[@!?+*]\(|\([^)]*\|/.test(glob)) return say('pattern_grouped', { pattern })
  if (glob.includes('[:')) return say('pattern_class', { pattern })
  return glob.startsWith('!') ? say('pattern_negated', { pattern }) : null
}
