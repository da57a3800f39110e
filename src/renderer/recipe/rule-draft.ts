import { MAX_ALT_TEXT_CHARS, MAX_RULES } from '../../shared/recipes/limits.ts'
import type { RuleAnchor, WordRule } from '../../shared/recipes/word-rules.ts'

export const RULE_KINDS = ['replace', 'never', 'length'] as const satisfies WordRule['kind'][]

export const RULE_ANCHORS = ['anywhere', 'start', 'end'] as const satisfies RuleAnchor[]

/** About what screen readers and common advice allow for. */
const USUAL_LENGTH = 125

export const newRule = (): WordRule => ({ kind: 'replace', from: '', to: '', at: 'anywhere', language: null })

/** The rule as one of another kind: its words and language stay. */
export function ofKind(rule: WordRule, kind: WordRule['kind']): WordRule {
  const { language } = rule
  const words = wordsOf(rule)
  switch (kind) {
    case 'replace':
      return { kind, from: words, to: '', at: 'anywhere', language }
    case 'never':
      return { kind, words, language }
    case 'length':
      return { kind, most: USUAL_LENGTH, language }
  }
}

function wordsOf(rule: WordRule): string {
  if (rule.kind === 'replace') return rule.from
  return rule.kind === 'length' ? '' : rule.words
}

export function isComplete(rule: WordRule): boolean {
  if (rule.kind === 'length') return Number.isInteger(rule.most) && rule.most >= 1 && rule.most <= MAX_ALT_TEXT_CHARS
  return wordsOf(rule).trim() !== ''
}

export function finishedRules(rules: readonly WordRule[]): WordRule[] {
  return rules.filter(isComplete).slice(0, MAX_RULES).map(trimmed)
}

function trimmed(rule: WordRule): WordRule {
  if (rule.kind === 'replace') return { ...rule, from: rule.from.trim(), to: rule.to.trim() }
  return rule.kind === 'length' ? rule : { ...rule, words: rule.words.trim() }
}
