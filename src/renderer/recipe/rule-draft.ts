import { MAX_ALT_TEXT_CHARS, MAX_RULES } from '../../shared/recipes/limits.ts'
import type { WordRule } from '../../shared/recipes/word-rules.ts'

export const RULE_KINDS = ['spelling', 'never', 'opening', 'name', 'length'] as const satisfies WordRule['kind'][]

/** About what screen readers and common advice allow for. */
const USUAL_LENGTH = 125

export const newRule = (): WordRule => ({ kind: 'spelling', from: '', to: '', language: null, action: 'change' })

/** The rule as one of another kind: its words and language stay. */
export function ofKind(rule: WordRule, kind: WordRule['kind']): WordRule {
  const { language } = rule
  const words = wordsOf(rule)
  switch (kind) {
    case 'spelling':
      return { kind, from: words, to: '', language, action: 'change' }
    case 'never':
      return { kind, words, language, action: 'flag' }
    case 'opening':
      return { kind, words, language, action: 'change' }
    case 'name':
      return { kind, words, language }
    case 'length':
      return { kind, most: USUAL_LENGTH, language, action: 'flag' }
  }
}

function wordsOf(rule: WordRule): string {
  if (rule.kind === 'spelling') return rule.from
  return rule.kind === 'length' ? '' : rule.words
}

/** Words that say nothing of a picture, since everybody knows that it is one. */
const USUAL_OPENINGS: Readonly<Record<string, readonly string[]>> = {
  en: ['image of', 'an image of', 'picture of', 'a picture of', 'photo of', 'a photo of'],
  de: ['Bild von', 'ein Bild von', 'Foto von', 'ein Foto von'],
  fr: ['image de', 'une image de', 'image d’', 'photo de', 'une photo de', 'photo d’'],
  es: ['imagen de', 'una imagen de', 'foto de', 'una foto de', 'fotografía de'],
  it: ['immagine di', 'un’immagine di', 'foto di', 'una foto di', 'fotografia di'],
}

/** The rules and the usual openings in these languages that are not among them; null where there are none to add. */
export function withUsualOpenings(rules: readonly WordRule[], languages: readonly string[]): WordRule[] | null {
  const known = new Set(rules.map((rule) => `${rule.kind} ${rule.language ?? ''} ${wordsOf(rule).toLowerCase()}`))
  const added = languages.flatMap((language) =>
    (USUAL_OPENINGS[language] ?? [])
      .filter((words) => !known.has(`opening ${language} ${words.toLowerCase()}`))
      .map((words): WordRule => ({ kind: 'opening', words, language, action: 'change' })),
  )
  return added.length === 0 || rules.length + added.length > MAX_RULES ? null : [...rules, ...added]
}

export function isComplete(rule: WordRule): boolean {
  if (rule.kind === 'length') return Number.isInteger(rule.most) && rule.most >= 1 && rule.most <= MAX_ALT_TEXT_CHARS
  return wordsOf(rule).trim() !== '' && (rule.kind !== 'spelling' || rule.to.trim() !== '')
}

/** The rules that can be used, as they are saved. */
export function finishedRules(rules: readonly WordRule[]): WordRule[] {
  return rules.filter(isComplete).slice(0, MAX_RULES).map(trimmed)
}

function trimmed(rule: WordRule): WordRule {
  if (rule.kind === 'spelling') return { ...rule, from: rule.from.trim(), to: rule.to.trim() }
  return rule.kind === 'length' ? rule : { ...rule, words: rule.words.trim() }
}
