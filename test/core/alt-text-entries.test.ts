import { describe, expect, it } from 'vitest'
import { altTextEntries } from '../../src/main/core/alt-text-entries.ts'
import type { AltText } from '../../src/shared/jobs/job.ts'
import type { SidecarText } from '../../src/shared/jobs/sidecar.ts'

const text = (languageCode: string, seoAltText: string, edited = false): SidecarText => ({
  languageCode,
  seoAltText,
  seoFilename: 'name',
  ...(edited ? { edited } : {}),
})
const entries = (texts: SidecarText[], own: AltText[] = [], withheld: string[] = [], isDecorative = false) =>
  altTextEntries(texts, { own, withheld }, { first: 'en', isDecorative }).map(
    (entry) => `${entry.language}: ${entry.text}`,
  )
const SERVICE = [text('en', ' Heron '), text('de', 'Reiher')]

describe('the alternatives of an alt text', () => {
  it("begin with the default, which is the text in the recipe's first language, or the first there is", () => {
    expect(entries(SERVICE)).toEqual(['x-default: Heron', 'en: Heron', 'de: Reiher'])
    expect(entries([text('en', ' '), text('de', 'Reiher')])).toEqual(['x-default: Reiher', 'de: Reiher'])
    expect(entries([])).toEqual([])
  })

  it('are the words of the original before those of the service, language by language', () => {
    const own = [
      { language: 'x-default', text: 'Mine' },
      { language: 'de-CH', text: 'Meins' },
    ]
    expect(entries(SERVICE, own)).toEqual(['x-default: Mine', 'en: Heron', 'de-CH: Meins'])
    expect(entries(SERVICE, own.slice(1))).toEqual(['x-default: Heron', 'en: Heron', 'de-CH: Meins'])
    const british = [{ language: 'en-GB', text: 'Mine' }]
    expect(entries(SERVICE, british)).toEqual(['x-default: Mine', 'de: Reiher', 'en-GB: Mine'])
  })

  it('take what word rules made for the service’s, also where that reveals a place', () => {
    const ruled = { ...text('en', 'Heron', true), byRule: true }
    expect(entries([ruled], [{ language: 'en', text: 'Mine' }])).toEqual(['x-default: Mine', 'en: Mine'])
    expect(entries([ruled, text('de', 'Reiher')], [], ['en'])).toEqual(['x-default: Reiher', 'de: Reiher'])
  })

  it('are what a person edited before both; in the first language that is the default too', () => {
    const own = [
      { language: 'x-default', text: 'Mine' },
      { language: 'en-GB', text: 'Mine in English' },
    ]
    const english = [text('en', 'Edited', true), text('de', 'Reiher')]
    expect(entries(english, own)).toEqual(['x-default: Edited', 'en: Edited', 'de: Reiher'])
    const german = [text('en', 'Heron'), text('de', 'Bearbeitet', true)]
    const british = 'en-GB: Mine in English'
    expect(entries(german, own)).toEqual(['x-default: Mine', 'de: Bearbeitet', british])
  })

  it('leave out what tells the place, unless a person wrote it', () => {
    expect(entries(SERVICE, [], ['en'])).toEqual(['x-default: Reiher', 'de: Reiher'])
    const edited = [text('en', 'Edited', true), SERVICE[1]!]
    expect(entries(edited, [], ['en', 'de'])).toEqual(['x-default: Edited', 'en: Edited'])
  })

  it('of a decorative picture are those of the original only', () => {
    expect(entries([text('en', 'Edited', true)], [], [], true)).toEqual([])
    expect(entries(SERVICE, [{ language: 'en', text: 'Mine' }], [], true)).toEqual(['x-default: Mine', 'en: Mine'])
  })
})
