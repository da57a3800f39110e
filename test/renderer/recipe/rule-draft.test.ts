import { describe, expect, it } from 'vitest'
import {
  finishedRules,
  isComplete,
  newRule,
  ofKind,
  RULE_KINDS,
  withUsualOpenings,
} from '../../../src/renderer/recipe/rule-draft.ts'
import { WordRules } from '../../../src/shared/recipes/word-rules.ts'

const SPELLING = { kind: 'spelling', from: ' colour ', to: ' color ', language: 'en', action: 'flag' } as const

describe('a word rule that is being edited', () => {
  it('is incomplete until all its fields are filled in', () => {
    expect(RULE_KINDS.filter((kind) => isComplete(ofKind(newRule(), kind)))).toEqual(['length'])
    expect(isComplete({ ...SPELLING, to: ' ' })).toBe(false)
    expect(isComplete({ kind: 'length', most: 12.5, language: null, action: 'flag' })).toBe(false)
    expect(isComplete({ kind: 'length', most: NaN, language: null, action: 'flag' })).toBe(false)
  })

  it('keeps its words and language as another kind', () => {
    for (const kind of ['never', 'opening', 'name'] as const)
      expect(ofKind(SPELLING, kind)).toMatchObject({ kind, words: SPELLING.from, language: 'en' })
    expect(ofKind(ofKind(SPELLING, 'never'), 'spelling')).toMatchObject({ from: SPELLING.from, to: '' })
  })

  it('is saved trimmed, and as the engine takes it', () => {
    const rules = [SPELLING, newRule(), ...RULE_KINDS.map((kind) => ofKind(SPELLING, kind))]
    const finished = finishedRules(rules)
    expect(finished).toHaveLength(5)
    expect(WordRules.parse(finished)).toEqual(finished)
  })
})

describe('the usual openings', () => {
  it('are added for the languages of the recipe, each once', () => {
    const rules = withUsualOpenings([], ['en', 'it', 'xx'])!
    expect(rules.map(({ language }) => language)).toEqual([...'aaaaaabbbbb'].map((one) => (one === 'a' ? 'en' : 'it')))
    expect(WordRules.parse(rules)).toEqual(rules)
    expect(withUsualOpenings(rules, ['en', 'it'])).toBeNull()
    expect(withUsualOpenings(rules, ['xx'])).toBeNull()
    expect(withUsualOpenings(rules.slice(1), ['en'])!.at(-1)).toEqual(rules[0])
  })
})
