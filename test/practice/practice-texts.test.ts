import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describePicture, fileNameWords } from '../../src/practice/describe-picture.ts'
import { LANGUAGE_TEXTS } from '../../src/practice/language-texts.ts'
import { COLOURS, nameColour, SHAPES, shapeOf } from '../../src/practice/picture-traits.ts'
import { slug } from '../../src/practice/slug.ts'

describe('The words of a file name', () => {
  it.each([
    ['Old harbour at dusk.jpg', ['Old', 'harbour', 'at', 'dusk']],
    ['IMG_20240101_123456.jpg', []],
    ['DSC0042.JPG', ['DSC0042']],
    ['sunsetOverLake-final.png', ['sunset', 'Over', 'Lake']],
    ['富士山_2024.jpg', ['富士山']],
    ['.jpg', []],
  ])('of %s are %j', (filename, words) => {
    expect(fileNameWords(filename)).toEqual(words)
  })
})

describe('A slug', () => {
  it.each([
    [['Größe', 'Öl'], 'de', 'groesse-oel'],
    [['Größe', 'Öl'], 'fi', 'grosse-ol'],
    [['Łódź', 'żółty'], 'pl', 'lodz-zolty'],
    [['Æble', 'på', 'ø'], 'da', 'aeble-paa-oe'],
    [['Καφέ'], 'el', 'καφέ'],
    [['Їжак'], 'uk', 'їжак'],
    [['写真', '青'], 'ja', '写真-青'],
    [['…', '!'], 'en', 'picture'],
  ])('of %j in %s is %s', (words, language, expected) => {
    expect(slug(words, language)).toBe(expected)
  })

  it('has letters, digits and single hyphens only, and is never empty or too long', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 12 })
    fc.assert(
      fc.property(words, fc.constantFrom(...LANGUAGE_TEXTS.keys()), (some, language) => {
        const made = slug(some, language)
        expect(made).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u)
        expect([...made].length).toBeLessThanOrEqual(80)
      }),
    )
  })
})

describe('A description', () => {
  it('exists in every language for every shape and colour, and differs between languages', () => {
    const look = { width: 1, height: 2, shape: 'portrait', colours: ['red', 'white'] } as const
    const texts = [...LANGUAGE_TEXTS.values()]
    for (const text of texts) {
      for (const colour of COLOURS) expect(text.colours[colour]).toMatch(/^[\p{L}\p{M}]+$/u)
      for (const shape of SHAPES) expect(text.shapes[shape].length).toBeGreaterThan(1)
      expect(new Set(Object.values(text.colours)).size).toBe(COLOURS.length)
      const made = describePicture('x', { ...look, colours: [...look.colours] }, text.code)
      expect(made.seo_alt_text).toContain(`(${text.practiceNote})`)
      expect(made.seo_alt_text).toContain(`${text.colours.red}${text.and}${text.colours.white}`)
    }
    expect(new Set(texts.map((text) => text.practiceNote)).size).toBe(texts.length)
  })
})

describe('A colour', () => {
  it.each([
    [[0, 0, 0], 'black'],
    [[255, 255, 255], 'white'],
    [[128, 128, 128], 'grey'],
    [[220, 20, 20], 'red'],
    [[255, 140, 0], 'orange'],
    [[250, 230, 40], 'yellow'],
    [[40, 160, 50], 'green'],
    [[40, 200, 200], 'turquoise'],
    [[30, 80, 220], 'blue'],
    [[130, 40, 180], 'purple'],
    [[255, 180, 200], 'pink'],
    [[110, 70, 30], 'brown'],
  ] as const)('%j is %s', ([red, green, blue], name) => {
    expect(nameColour(red, green, blue)).toBe(name)
  })
})

describe('A shape', () => {
  it('follows from the sides', () => {
    expect([shapeOf(400, 100), shapeOf(300, 200), shapeOf(200, 300), shapeOf(100, 100)]).toEqual([
      'panorama',
      'landscape',
      'portrait',
      'square',
    ])
  })
})
