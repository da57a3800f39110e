import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notesOnWords, wordRuler } from '../../src/main/core/word-rules.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS, MAX_RULES } from '../../src/shared/recipes/limits.ts'
import { WordRules } from '../../src/shared/recipes/word-rules.ts'
import { workedMs } from '../worked-ms.ts'
import type { z } from 'zod'

type Given = z.input<typeof WordRules>

const ruled = (rules: Given, text: string, language = 'en') => wordRuler(WordRules.parse(rules))(text, language)
const textOf = (rules: Given, text: string, language = 'en') => ruled(rules, text, language).text

const spelling = (from: string, to: string) => ({ kind: 'spelling', from, to }) as const
const opening = (words: string) => ({ kind: 'opening', words }) as const
const gone = (words: string) => ({ kind: 'never', words, action: 'change' }) as const
const most = (most: number, action: 'change' | 'flag') => ({ kind: 'length', most, action }) as const

it('of a language is one of its regions too', () => {
  const rules: Given = [{ ...spelling('facto', 'fato'), language: 'pt' }]
  const said = (language: string) => textOf(rules, 'Um facto', language)
  expect(['pt', 'pt-br', 'en', 'p'].map(said)).toEqual(['Um fato', 'Um fato', 'Um facto', 'Um facto'])
})

describe('A preferred spelling', () => {
  it.each([
    ['The colour of a colourful sky', 'The color of a colourful sky'],
    ['Colour, COLOUR and colour.', 'Color, COLOR and color.'],
    ['A colour-blind test', 'A color-blind test'],
    ['The sky’s colour', 'The sky’s color'],
    ['colour', 'color'],
    ['nothing of the kind', 'nothing of the kind'],
  ])('replaces whole words of “%s”', (text, wanted) => {
    expect(textOf([spelling('colour', 'color')], text)).toBe(wanted)
  })
  it('leaves no text without a word, and is flagged there', () => {
    const rules = [spelling('dog', '…'), gone('stunning')]
    expect(ruled(rules, 'A dog')).toEqual({ text: 'A …', findings: [] })
    expect(ruled(rules, 'Dog!')).toEqual({ text: 'Dog!', findings: [{ kind: 'spelling', what: 'Dog' }] })
    expect(ruled(rules, 'Stunning dog')).toEqual({
      text: 'Stunning dog',
      findings: [
        { kind: 'never', what: 'Stunning' },
        { kind: 'spelling', what: 'dog' },
      ],
    })
  })
  it.each([
    ['github', 'GitHub', 'Github and GITHUB', 'GitHub and GitHub'],
    ['iphone', 'iPhone', 'Iphone’s camera', 'iPhone’s camera'],
    ['ADIDAS', 'adidas', 'An Adidas shoe', 'An adidas shoe'],
  ])('gives a brand its own case: %s', (from, to, text, wanted) => {
    expect(textOf([spelling(from, to)], text)).toBe(wanted)
  })
  it.each([
    ['de', 'foto', 'Bild', 'Fotobuch und Farbfoto', 'Fotobuch und Farbfoto'],
    ['de', 'ausserdem', 'außerdem', 'Ausserdem ein Hund', 'Außerdem ein Hund'],
    ['fr', 'été', 'printemps', "L'été, les étés", "L'printemps, les étés"],
    ['tr', 'ışık', 'lamba', 'IŞIK ve işik', 'LAMBA ve işik'],
    ['ja', '写真', '画像', '犬の写真です', '犬の画像です'],
    ['fa', 'می', 'X', 'می‌خواهم', 'می‌خواهم'],
    ['ru', 'кот', 'кошка', 'Кот и котёл', 'Кошка и котёл'],
  ])('keeps to the words of a language: %s', (language, from, to, text, wanted) => {
    expect(textOf([spelling(from, to)], text, language)).toBe(wanted)
  })
  it('finds words whichever way accents are encoded', () => {
    const text = 'Un cafe\u0301 noir'
    expect(textOf([spelling('café', 'thé')], text, 'fr')).toBe('Un thé noir')
    expect(textOf([spelling('cafe', 'thé')], text, 'fr')).toBe(text)
  })
  it('takes the longest that fits, and never looks at what a rule made', () => {
    const rules = [spelling('new york', 'New York'), spelling('new', 'old'), spelling('old', 'new')]
    expect(textOf(rules, 'a new  YORK and an old new car')).toBe('a New York and an new old car')
  })
  it('holds only for its language', () => {
    const rules = [{ ...spelling('chat', 'discussion'), language: 'en' }]
    expect(textOf(rules, 'Un chat', 'fr')).toBe('Un chat')
    expect(textOf(rules, 'A chat', 'en')).toBe('A discussion')
  })
  it('is only reported where it flags', () => {
    expect(ruled([{ ...spelling('colour', 'color'), action: 'flag' }], 'The Colour and the color')).toEqual({
      text: 'The Colour and the color',
      findings: [{ kind: 'spelling', what: 'Colour' }],
    })
  })
})

describe('Words that never appear', () => {
  it('are flagged if nothing else is said', () => {
    expect(ruled([{ kind: 'never', words: 'stunning' }], 'A STUNNING view')).toEqual({
      text: 'A STUNNING view',
      findings: [{ kind: 'never', what: 'STUNNING' }],
    })
  })
  it.each([
    ['A stunning view', 'A view'],
    ['Stunning view of a lake', 'View of a lake'],
    ['Stunning, wide view', 'Wide view'],
    ['A view, stunning.', 'A view.'],
    ['A view that is stunning', 'A view that is'],
    ['A lake. Stunning hills.', 'A lake. Hills.'],
    ['A stunning stunning view', 'A view'],
    ['An outstanding view', 'An outstanding view'],
  ])('are taken out of “%s”', (text, wanted) => {
    expect(textOf([gone('stunning')], text)).toBe(wanted)
  })
  it('stay where nothing else would be left', () => {
    expect(ruled([gone('stunning')], 'Stunning!')).toEqual({
      text: 'Stunning!',
      findings: [{ kind: 'never', what: 'Stunning' }],
    })
  })
})

describe('An opening', () => {
  it.each([
    ['en', 'image of', 'Image of a red bicycle', 'A red bicycle'],
    ['en', 'photo', 'Photo: a red bicycle', 'A red bicycle'],
    ['en', 'image of', 'A mirror image of a tree', 'A mirror image of a tree'],
    ['en', 'image of', 'Image office', 'Image office'],
    ['fr', "image d'", 'Image d’un vélo rouge', 'Un vélo rouge'],
    ['fr', 'photo de', 'Photo de élan', 'Élan'],
    ['tr', 'fotoğraf:', 'Fotoğraf: ince bir dal', 'İnce bir dal'],
    ['nl', 'foto van', 'Foto van ijs op een meer', 'IJs op een meer'],
    ['de', 'bild', 'Bildschirm auf einem Tisch', 'Bildschirm auf einem Tisch'],
  ])('is cut, with a capital after it: %s “%s” in “%s”', (language, words, text, wanted) => {
    expect(textOf([opening(words)], text, language)).toBe(wanted)
  })
  it('is the longest that fits', () => {
    expect(textOf([opening('photo'), opening('photo of')], 'Photo of photo of a cat')).toBe('Photo of a cat')
  })
  it('stays where nothing would be left', () => {
    expect(ruled([opening('image of')], 'Image of …')).toEqual({
      text: 'Image of …',
      findings: [{ kind: 'opening', what: 'image of' }],
    })
  })
})

describe('A length', () => {
  it('is flagged with the length there is, as a person counts it', () => {
    expect(ruled([most(3, 'flag')], '👩‍👩‍👧‍👦👩‍👩‍👧‍👦 é').findings).toEqual([{ kind: 'length', what: '4' }])
    expect(ruled([most(4, 'flag')], '👩‍👩‍👧‍👦👩‍👩‍👧‍👦 é').findings).toEqual([])
  })
  it.each([
    ['en', 12, 'A red bicycle at a wall', 'A red'],
    ['en', 13, 'A red bicycle at a wall', 'A red bicycle'],
    ['en', 14, 'A red bicycle, and a wall', 'A red bicycle'],
    ['de', 20, 'Ein Donaudampfschifffahrtskapitän', 'Ein'],
    ['ja', 5, '赤い自転車があります', '赤い自転車'],
  ])('is cut at a word: %s to %i', (language, limit, text, wanted) => {
    expect(textOf([most(limit, 'change')], text, language)).toBe(wanted)
  })
  it('is flagged where the first word is too long', () => {
    expect(ruled([most(5, 'change')], 'Donaudampfschiff')).toEqual({
      text: 'Donaudampfschiff',
      findings: [{ kind: 'length', what: '16' }],
    })
  })
  it('of the language takes precedence', () => {
    const rules: Given = [most(5, 'change'), { ...most(13, 'change'), language: 'en' }]
    expect(textOf(rules, 'A red bicycle at a wall')).toBe('A red bicycle')
    expect(textOf(rules, 'A red bicycle at a wall', 'it')).toBe('A red')
  })
})

describe('A name', () => {
  it('is flagged where it is missing, whatever its case, and after the cut', () => {
    const rules: Given = [{ kind: 'name', words: 'Hangar Air' }, most(12, 'change')]
    expect(ruled(rules, 'A plane of hangar air').findings).toEqual([{ kind: 'name', what: 'Hangar Air' }])
    expect(ruled(rules, 'HANGAR AIR’s plane').findings).toEqual([])
  })
})

describe('Rules', () => {
  it('leave a text that keeps to them byte for byte', () => {
    const text = '  Un cafe\u0301,  noir '
    expect(textOf([spelling('colour', 'color'), opening('image of'), most(40, 'change')], text)).toBe(text)
  })
  it('leave an empty text alone, even one that lacks a name', () => {
    expect(ruled([{ kind: 'name', words: 'Hangar' }], ' ')).toEqual({ text: ' ', findings: [] })
  })
  it('become one note for each kind, with the language', () => {
    const rules: Given = [
      { kind: 'never', words: 'stunning' },
      { kind: 'name', words: 'Hangar' },
      { ...most(5, 'flag') },
    ]
    const texts = ['en', 'de'].map((languageCode) => ({
      languageCode,
      findings: ruled(rules, 'A stunning view, stunning', languageCode).findings,
    }))
    expect(notesOnWords(texts)).toEqual([
      { code: 'words_flagged', detail: 'stunning (en), stunning (de)' },
      { code: 'names_missing', detail: 'Hangar (en), Hangar (de)' },
      { code: 'texts_too_long', detail: '25 (en), 25 (de)' },
    ])
  })
  it('are refused without words, with too many, or with what Hangar does not know', () => {
    for (const wrong of [
      [spelling(' ', 'x')],
      [spelling('x', '')],
      [gone('x'.repeat(MAX_RULE_CHARS + 1))],
      [{ kind: 'pattern', words: '(a+)+$' }],
      [{ ...gone('x'), language: 'english' }],
      [{ ...gone('x'), often: true }],
      Array.from({ length: MAX_RULES + 1 }, () => gone('x')),
    ])
      expect(WordRules.safeParse(wrong).success).toBe(false)
  })
  it('end soon whatever they are, and never make a text that cannot be stored', () => {
    const long = 'a '.repeat(MAX_ALT_TEXT_CHARS / 2)
    const hostile: Given = [
      spelling('a', 'b'.repeat(MAX_RULE_CHARS)),
      ...Array.from({ length: MAX_RULES - 2 }, (_, n) => gone(`${'a '.repeat(49 - (n % 40))}${n}`.slice(0, 100))),
      { kind: 'name', words: `${'a '.repeat(49)}b` },
    ]
    const startMs = workedMs()
    const { text, findings } = ruled(hostile, long)
    expect(workedMs() - startMs).toBeLessThan(2000)
    expect(text).toBe(long)
    expect(findings.map(({ kind }) => kind)).toContain('length')
  })
  it('never throw, and always give text that is well-formed where it was', () => {
    const words = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).filter((word) => word.trim() !== '')
    const rule = fc.oneof(
      fc.record({ kind: fc.constant('spelling' as const), from: words, to: words }),
      fc.record({ kind: fc.constant('never' as const), words, action: fc.constant('change' as const) }),
      fc.record({ kind: fc.constant('opening' as const), words }),
      fc.record({ kind: fc.constant('name' as const), words }),
      fc.record({
        kind: fc.constant('length' as const),
        most: fc.integer({ min: 1, max: 20 }),
        action: fc.constant('change' as const),
      }),
    )
    const language = fc.constantFrom('en', 'de', 'tr', 'ja', 'th', 'xq')
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 5 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        language,
        (rules, text, code) => {
          const made = ruled(rules, text, code).text
          expect(made.isWellFormed()).toBe(true)
          expect(made.trim() === '' && text.trim() !== '').toBe(false)
        },
      ),
    )
  })
})
