import { describe, expect, it } from 'vitest'
import { shell as german } from '../../src/shared/text/de/shell.ts'
import { shell as english } from '../../src/shared/text/en/shell.ts'
import { createTexts } from '../../src/main/ui/texts.ts'

function leaves(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : leaves(value as object, `${path}${name}.`),
  )
}

describe('the words outside the page', () => {
  it('follow the system until a person chose a language', () => {
    const texts = createTexts('de-AT', 'system')
    expect(texts.text('menu.quit')).toBe('Hangar beenden')
    texts.setLanguage('en')
    expect(texts.text('menu.quit')).toBe('Quit Hangar')
    expect(createTexts('fr-FR', 'system').language).toBe('en')
  })

  it('count, and say sizes as people do', () => {
    const texts = createTexts('en', 'system')
    expect(texts.text('notice.batchDone.title', { count: 1 })).toBe('One picture done')
    expect(texts.text('notice.batchDone.title', { count: 34 })).toBe('34 pictures done')
    expect(texts.text('tray.working', { ended: 12, total: 240 })).toBe('12 of 240 finished')
    expect([999, 1500, 41_200_000].map((bytes) => texts.size(bytes))).toEqual(['999 bytes', '1.5 KB', '41 MB'])
  })

  it('name the same values in both languages, and never shout', () => {
    const values = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
    const inGerman = new Map(leaves(german))
    for (const [key, text] of leaves(english)) {
      expect(inGerman.get(key), key).toBeTruthy()
      expect(values(inGerman.get(key)!), key).toEqual(values(text))
      expect(text + inGerman.get(key), key).not.toContain('!')
    }
  })
})
