import { describe, expect, it } from 'vitest'
import { createTexts } from '../../src/main/page/texts.ts'
import { raw, say } from '../../src/shared/sentences/sentence.ts'

describe('the words outside the page', () => {
  it('follow the system until a person chose a language', () => {
    const texts = createTexts('de-AT', 'system')
    expect(texts.text('menu.quit')).toBe('Hangar beenden')
    texts.setLanguage('en')
    expect(texts.text('menu.quit')).toBe('Quit Hangar')
    expect(createTexts('tlh', 'system').language).toBe('en')
  })

  it('count, say failures, and say sizes as people do', () => {
    const texts = createTexts('en', 'system')
    expect(texts.text('common:notice.done', { count: 1 })).toBe('One picture done')
    expect(texts.text('common:notice.done', { count: 34 })).toBe('34 pictures done')
    expect(createTexts('fr', 'system').text('tray.done', { count: 1_000_000 })).toBe('1000000 images terminées')
    expect(texts.text('common:ended', { ended: 12, total: 240 })).toBe('12 of 240 finished')
    expect(texts.sentence(say('data_folder_in_use'))).toMatch(/^Another Hangar is using/)
    texts.setLanguage('de')
    expect(texts.sentence(say('data_folder_in_use'))).toMatch(/^Ein anderes Hangar benutzt/)
    texts.setLanguage('en')
    expect([999, 1500, 41_200_000].map((bytes) => texts.size(bytes))).toEqual(['999 bytes', '1.5 kB', '41.2 MB'])
  })

  it('turn nothing round by what a file, a folder or a service is called', () => {
    const texts = createTexts('en', 'system')
    const turned = '\u202ead\u2067 \u2069b'
    expect(texts.text('common:notice.charger.free', { where: turned })).toBe('ad b: free now')
    expect(texts.sentence(say('folder_gone', { dir: turned }))).toContain('ad b')
    expect(texts.sentence(raw(turned))).toBe('ad b')
  })
})
