import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languageList, writeLanguageList } from '../../../scripts/list-languages.mjs'
import { Settings } from '../../../src/shared/settings/settings.ts'
import { LANGUAGES } from '../../../src/shared/text/languages.ts'
import { firstLanguageOf, languageFor, ownLanguageName } from '../../../src/shared/text/text-language.ts'
import { folderForTest } from '../../temp-folder.ts'
import { faultsOf, mannersFaultsOf, mannersOf, readCatalogues, TEXT_DIR } from './catalogues.ts'

const ENGLISH = readCatalogues(join(TEXT_DIR, 'en'))

describe('the languages', () => {
  it('are the folders there are, by tags that Intl knows', () => {
    expect(readFileSync(join(TEXT_DIR, 'languages.ts'), 'utf8')).toBe(languageList(TEXT_DIR))
    for (const language of LANGUAGES) {
      expect(Intl.getCanonicalLocales(language)).toEqual([language])
      expect(Intl.PluralRules.supportedLocalesOf(language)).toEqual([language])
    }
  })

  it.each(LANGUAGES)('%s has every text, with the places and the plurals it needs', (language) => {
    expect(faultsOf(language, readCatalogues(join(TEXT_DIR, language)), ENGLISH)).toEqual([])
  })

  it('are chosen by what the system asks for, from near to far', () => {
    expect(firstLanguageOf(['tlh', 'de-AT-1996', 'en'])).toBe('de')
    expect(firstLanguageOf(['DE'])).toBe('de')
    expect(firstLanguageOf(['den', 'tlh', ''])).toBe('en')
    expect([languageFor('system', 'de-CH'), languageFor('en', 'de-CH')]).toEqual(['de', 'en'])
  })

  it('that are chosen and gone again leave the other settings as they are', () => {
    const kept = { appearance: { theme: 'dark', language: 'tlh' }, retentionDays: 7 }
    expect(Settings.parse(kept)).toMatchObject({ appearance: { theme: 'dark', language: 'system' }, retentionDays: 7 })
    expect(Settings.parse({ appearance: { theme: 'dark', language: 'fr' } }).appearance.language).toBe('fr')
  })

  it('are called as they call themselves', () => {
    expect(['de', 'fr', 'it'].map((tag) => ownLanguageName(tag as 'de'))).toEqual(['Deutsch', 'Français', 'Italiano'])
    for (const language of LANGUAGES) expect(ownLanguageName(language)).toMatch(/^\p{Lu}/u)
  })
})

describe('the manners of a language, as docs/translating.md has them,', () => {
  const GUIDE = readFileSync(join(TEXT_DIR, '../../../docs/translating.md'), 'utf8')
  const [narrow, fixed] = ['\u202f', '\u00a0']
  const faults = (language: string, text: string) =>
    mannersFaultsOf(mannersOf(language, GUIDE)!, new Map([['common', new Map([['close', text]])]]))

  it.each(LANGUAGES)('are kept by the texts in %s', (language) => {
    const manners = mannersOf(language, GUIDE)
    if (manners !== null) expect(mannersFaultsOf(manners, readCatalogues(join(TEXT_DIR, language)))).toEqual([])
  })

  it('are its spaces', () => {
    expect(faults('fr', `Quoi${narrow}? «${fixed}Rien${fixed}»${narrow}; 5${fixed}%${fixed}: tout`)).toEqual([])
    for (const text of ['Quoi ?', 'Quoi?', `«${fixed}Rien »`, `« Rien${fixed}»`, '5 %', 'tout : rien'])
      expect(faults('fr', text), text).toHaveLength(1)
    expect(faults('fr', `{{time}}${fixed}: https://a.b, 10:30`)).toEqual([])
    for (const language of ['de', 'es']) expect(faults(language, '5%'), language).toHaveLength(1)
    for (const language of ['en', 'it']) expect(faults(language, `5${fixed}%`), language).toHaveLength(1)
  })

  it('are its quotation marks', () => {
    for (const text of ['„a“', `«a»`]) expect(faults('it', text), text).toHaveLength(1)
    expect(faults('it', '“a”')).toEqual([])
    expect(faults('de', '„a“')).toEqual([])
  })

  it('are whole words', () => {
    expect(faults('it', 'Il giornale, il tetto giornaliero')).toEqual(['common:close has “giornale”'])
    expect(mannersOf('pl', GUIDE)).toBeNull()
  })
})

describe('a further language', () => {
  it('is found by its folder alone', () => {
    const dir = folderForTest()
    cpSync(TEXT_DIR, dir, { recursive: true })
    mkdirSync(join(dir, 'pt-BR'))
    writeLanguageList(dir)
    const list = readFileSync(join(dir, 'languages.ts'), 'utf8')
    expect(list).toBe(readFileSync(join(TEXT_DIR, 'languages.ts'), 'utf8').replace(']', ", 'pt-BR']"))
  })

  it('is told which plurals are missing, and what is wrong with its texts', () => {
    const dir = folderForTest()
    const change = (name: string, edit: (text: string) => string) =>
      writeFileSync(join(dir, name), edit(readFileSync(join(dir, name), 'utf8')))
    for (const name of readdirSync(join(TEXT_DIR, 'en'))) cpSync(join(TEXT_DIR, 'en', name), join(dir, name))
    expect(faultsOf('en', readCatalogues(dir), ENGLISH)).toEqual([])
    expect(faultsOf('pl', readCatalogues(dir), ENGLISH)).toContain('chargers:count_few is missing')
    change('common.json', (text) => text.replace('"Close"', '""').replace('"Cancel"', '"<b>Cancel</b>"'))
    change('settings.json', (text) => text.replaceAll('{{origin}}', '{{orgin}}').replace('"testKey"', '"show"'))
    const faults = faultsOf('en', readCatalogues(dir), ENGLISH)
    expect(faults).toContain('common:close is empty')
    expect(faults).toContain('common:cancel has markup')
    expect(faults).toContain('settings:testKey is missing')
    expect(faults).toContain('settings:show is not needed')
    expect(faults.filter((fault) => fault.startsWith('settings:keyNone has other places'))).toHaveLength(1)
  })
})
