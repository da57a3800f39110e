import { expect, it } from 'vitest'
import { languageCodeOf } from '../../../src/shared/text/language-code.ts'

it.each([
  ['fr', 'fr'],
  [' pt_BR ', 'pt-br'],
  ['zh-Hant-TW', 'zh-hant-tw'],
  ['es-419', 'es-419'],
  ['de-CH-1996', 'de-ch-1996'],
  ['tl', 'tl'],
  ['lld', 'lld'],
  ['deu', 'de'],
  ['fre-CA', 'fr-ca'],
])('%s is kept as %s', (given, code) => {
  expect(languageCodeOf(given)).toBe(code)
})

const NONE = 'jp|cz|xx||und|mul|text|i-klingon|de-u-co-phonebk|x-own|fr-|../fr|sl-rozaj-biske-1994-abcde'
it.each(NONE.split('|'))('"%s" is no code of a language that a text can be in', (given) => {
  expect(languageCodeOf(given)).toBeNull()
})
