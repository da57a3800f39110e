import { describe, expect, it } from 'vitest'
import { ownSentence, readOwnSentence, translated } from '../../src/shared/own-sentences.ts'
import { ownSentences as german } from '../../src/shared/text/de/own-sentences.ts'
import { ownSentences, type OwnSentence } from '../../src/shared/text/en/own-sentences.ts'

const NAMES = Object.keys(ownSentences) as OwnSentence[]
const placesIn = (template: string) => [...template.matchAll(/\{\{(\w+)\}\}/g)].map(([, place]) => place!)
const say = (name: OwnSentence, value: string) =>
  ownSentence(name as 'folder_gone', Object.fromEntries(placesIn(ownSentences[name]).map((p) => [p, value])) as never)

describe("Hangar's own sentences", () => {
  it('are found again by what they say, whatever stands in them', () => {
    for (const name of NAMES)
      for (const value of ['12', 'a (b) {{dir}} $& "c".\nd', '']) {
        const text = say(name, value)
        expect(readOwnSentence(text), text).toEqual({
          name,
          values: Object.fromEntries(placesIn(ownSentences[name]).map((place) => [place, value])),
        })
      }
  })

  it('are said in another language with the same values, figures as people write them there', () => {
    expect(translated(ownSentence('over_service_limit', { bytes: 12582913, limit: 10485760 }), german, 'de')).toBe(
      '12.582.913 Byte; der Dienst nimmt höchstens 10.485.760',
    )
    expect(translated(ownSentence('no_space', { dir: '/a/$&/{{dir}}' }), german, 'de')).toBe(
      'Für /a/$&/{{dir}} ist kein Platz mehr. Schaffen Sie welchen, dann geht es weiter.',
    )
  })

  it('translate a reason within, and leave what others said', () => {
    const twin = (why: string) => translated(ownSentence('twin_without_words', { name: 'a.jpg', why }), german, 'de')
    expect(twin(ownSentence('folder_gone', { dir: '/a' }))).toContain('Den Ordner /a gibt es nicht mehr.')
    expect(twin('EIO: i/o error')).toMatch(/EIO: i\/o error$/)
  })

  it('are not seen in the words of a service', () => {
    expect(translated('422: the file is empty', german, 'de')).toBeNull()
    expect(translated('The picture is too dark.', german, 'de')).toBeNull()
  })
})
