import { expect, it } from 'vitest'
import { wantedTexts } from '../../src/main/core/wanted-texts.ts'

const text = (languageCode: string, seoAltText = languageCode) => ({ languageCode, seoFilename: '', seoAltText })

it('takes one text for each language that was asked for, whatever else is there', () => {
  const many = Array.from({ length: 16_000 }, (_, n) => text(`x${n}`))
  const texts = [...many, text('de-AT'), text('DE'), text('de', 'zweiter'), text('en-GB'), text('fr')]
  expect(wantedTexts(texts, ['en', 'de', 'de', 'it'])).toEqual([text('en', 'en-GB'), text('de', 'DE')])
  expect(wantedTexts(texts, [])).toEqual([])
})
