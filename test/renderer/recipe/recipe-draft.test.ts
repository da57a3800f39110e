import {
  finished,
  freeName,
  problemsOf,
  typedWidths,
  withOperation,
} from '../../../src/renderer/recipe/recipe-draft.ts'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../../src/shared/recipes/recipe.ts'
import { UiRecipe } from '../../../src/shared/contract/places.ts'

const GOOD: UiRecipe = { ...DEFAULT_RECIPE, output: { kind: 'beside' } }
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('why a recipe cannot be saved', () => {
  it('is nothing for the default one', () => {
    expect(problemsOf(GOOD, ['Another'])).toEqual({})
  })

  it('is a name that is empty, too long or taken in any spelling', () => {
    expect(problemsOf({ ...GOOD, name: '  ' }, [])).toEqual({ name: 'name_empty' })
    expect(problemsOf({ ...GOOD, name: 'x'.repeat(101) }, [])).toEqual({ name: 'name_long' })
    expect(problemsOf({ ...GOOD, name: 'SHOP ' }, ['Shop'])).toEqual({ name: 'name_taken' })
  })

  it('is a largest size that no file can have, where files are made here', () => {
    const withSize = (maxSizeKb: number | null, changes: Partial<UiRecipe> = {}) =>
      problemsOf({ ...GOOD, maxSizeKb, ...changes }, [])
    for (const good of [null, 2, 150, 100_000]) expect([good, withSize(good)]).toEqual([good, {}])
    for (const bad of [0, 1, 2.5, -3, 100_001]) {
      expect([bad, withSize(bad)]).toEqual([bad, { maxSizeKb: 'size_unusable' }])
      expect(withSize(bad, { operation: 'analyze' })).toEqual({})
      expect(finished({ ...GOOD, maxSizeKb: bad }).maxSizeKb).toBeNull()
    }
    expect(finished({ ...GOOD, maxSizeKb: 150 }).maxSizeKb).toBe(150)
  })

  it('is a word rule that is not filled in, where texts are made', () => {
    const rules: UiRecipe['rules'] = [{ kind: 'never', words: ' ', language: null }]
    expect(problemsOf({ ...GOOD, rules }, [])).toEqual({ rules: 'rules_incomplete' })
    expect(problemsOf({ ...GOOD, rules, operation: 'optimize' }, [])).toEqual({})
    expect(finished({ ...GOOD, rules }).rules).toEqual([])
    const many = Array.from({ length: 101 }, () => ({ ...rules[0]!, words: 'x' }) as UiRecipe['rules'][number])
    expect(problemsOf({ ...GOOD, rules: many }, [])).toEqual({ rules: 'rules_many' })
  })

  it('is a list of widths that are none, or too many, where files are made here', () => {
    const withWidths = (text: string, changes: Partial<UiRecipe> = {}) =>
      problemsOf({ ...GOOD, widths: typedWidths(text), ...changes }, [])
    for (const good of ['', ' ', '640', '640, 1280', '640w 1280w', '640px;1280px,', '16 16383', '640, 640'])
      expect([good, withWidths(good)]).toEqual([good, {}])
    for (const bad of ['0', '15', '16384', '6.5', 'wide', '640, x', '-640', '1e999'])
      expect([bad, withWidths(bad)]).toEqual([bad, { widths: 'widths_unusable' }])
    const eleven = Array.from({ length: 11 }, (_, n) => 100 + n).join(',')
    expect(withWidths(eleven)).toEqual({ widths: 'widths_many' })
    expect(withWidths('wide', { operation: 'analyze' })).toEqual({})
  })

  it('is replacing an original by nothing', () => {
    const draft: UiRecipe = { ...GOOD, operation: 'analyze', output: { kind: 'replace' } }
    expect(problemsOf(draft, [])).toEqual({ output: 'replace_nothing' })
  })

  it('is a project that is none, unless nothing is uploaded', () => {
    expect(problemsOf({ ...GOOD, project: { kind: 'id', id: ULID } }, [])).toEqual({})
    expect(problemsOf({ ...GOOD, project: { kind: 'id', id: `${ULID.slice(1)}U` } }, [])).toEqual({
      project: 'project_id',
    })
    expect(problemsOf({ ...GOOD, project: { kind: 'name', name: ' ' } }, [])).toEqual({ project: 'project_name' })
    expect(problemsOf({ ...GOOD, operation: 'convert', project: { kind: 'name', name: '' } }, [])).toEqual({})
  })
})

describe('what is saved', () => {
  it('is accepted by the contract whenever the form finds nothing wrong', () => {
    const drafts: UiRecipe[] = [
      { ...GOOD, name: '  Shop ' },
      { ...GOOD, project: { kind: 'id', id: ` ${ULID.toLowerCase()} ` } },
      { ...GOOD, project: { kind: 'name', name: ' Shop ' } },
      { ...GOOD, operation: 'convert', project: { kind: 'id', id: 'half typed' } },
      withOperation({ ...GOOD, output: { kind: 'replace' } }, 'analyze'),
      { ...GOOD, widths: [1280, 640, 640] },
      { ...GOOD, operation: 'analyze', widths: typedWidths('wide, 640, 7') },
    ]
    for (const draft of drafts) {
      expect(problemsOf(draft, [])).toEqual({})
      expect(UiRecipe.safeParse(finished(draft)).error).toBeUndefined()
    }
  })

  it('has no blanks around names', () => {
    expect(finished({ ...GOOD, name: ' Shop ' }).name).toBe('Shop')
  })
})

it('a free name is the name itself, else the first number that nobody has', () => {
  expect(freeName('Shop', [])).toBe('Shop')
  expect(freeName('Shop', ['shop', 'Shop 2'])).toBe('Shop 3')
})
