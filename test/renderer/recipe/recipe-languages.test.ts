import { describe, expect, it } from 'vitest'
import {
  languageName,
  matchingLanguages,
  typedCode,
  unlistedLanguages,
} from '../../../src/renderer/recipe/language-names.ts'

const LISTED = [
  { code: 'de', name: 'German', nativeName: 'Deutsch' },
  { code: 'en', name: 'English', nativeName: 'English' },
  { code: 'fr', name: 'French', nativeName: 'Français' },
  { code: 'pt-BR', name: 'Portuguese (Brazil)', nativeName: 'Português' },
  { code: 'sv', name: 'Swedish', nativeName: 'Svenska' },
]
const codes = (typed: string, language = 'en') => matchingLanguages(LISTED, typed, language).map(({ code }) => code)

describe('languages that fit what was typed', () => {
  it('are all that a recipe can hold, by name, while nothing is typed', () => {
    expect(codes('')).toEqual(['en', 'fr', 'de', 'sv'])
  })

  it('are found by code, name, native name, and name in the language of the window', () => {
    expect(codes('sv')).toEqual(['sv'])
    expect(codes('swed')).toEqual(['sv'])
    expect(codes('svenska')).toEqual(['sv'])
    expect(codes('schwedisch', 'de')).toEqual(['sv'])
  })

  it('begin with the code that was typed, then with names that begin so', () => {
    expect(codes('en')[0]).toBe('en')
    expect(codes('en')).toContain('sv')
  })
})

it('takes two letters for a code, and nothing else', () => {
  expect(typedCode(' FR ')).toBe('fr')
  expect(typedCode('fra')).toBeNull()
  expect(typedCode('f1')).toBeNull()
})

it('calls only those unlisted that a list was read without', () => {
  expect(unlistedLanguages(['de', 'xx'], LISTED)).toEqual(['xx'])
  expect(unlistedLanguages(['de', 'xx'], null)).toEqual([])
  expect(unlistedLanguages(['de', 'xx'], [])).toEqual([])
})

it('names a language in the language of the window, and falls back on the service and on the code', () => {
  expect(languageName('de', [], 'en')).toBe('German')
  expect(languageName('de', [], 'de')).toBe('Deutsch')
  expect(languageName('xx', [{ code: 'xx', name: 'Xish', nativeName: '' }], 'en')).toBe('Xish')
  expect(languageName('xx', [], 'en')).toBe('xx')
  expect(languageName('', [], 'en')).toBe('')
})
