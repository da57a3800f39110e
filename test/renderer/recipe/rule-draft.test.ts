import { describe, expect, it } from 'vitest'
import { finishedRules, isComplete, newRule, ofKind, RULE_KINDS } from '../../../src/renderer/recipe/rule-draft.ts'
import { WordRules } from '../../../src/shared/recipes/word-rules.ts'

const REPLACE = { kind: 'replace', from: ' colour ', to: ' color ', at: 'start', language: 'en' } as const

describe('a word rule that is being edited', () => {
  it('is incomplete until its words are filled in', () => {
    expect(RULE_KINDS.filter((kind) => isComplete(ofKind(newRule(), kind)))).toEqual(['length'])
    expect(isComplete({ ...REPLACE, to: ' ' })).toBe(true)
    expect(isComplete({ kind: 'length', most: 12.5, language: null })).toBe(false)
    expect(isComplete({ kind: 'length', most: NaN, language: null })).toBe(false)
  })

  it('keeps its words and language as another kind', () => {
    expect(ofKind(REPLACE, 'never')).toMatchObject({ kind: 'never', words: REPLACE.from, language: 'en' })
    expect(ofKind(ofKind(REPLACE, 'never'), 'replace')).toMatchObject({ from: REPLACE.from, to: '', at: 'anywhere' })
  })

  it('is saved trimmed, and as the engine takes it', () => {
    const finished = finishedRules([REPLACE, newRule(), ...RULE_KINDS.map((kind) => ofKind(REPLACE, kind))])
    expect(finished).toHaveLength(4)
    expect(WordRules.parse(finished)).toEqual(finished)
  })
})
