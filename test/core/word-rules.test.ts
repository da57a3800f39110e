import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notesOnWords, compileRules } from '../../src/main/core/word-rules.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS, MAX_RULES } from '../../src/shared/recipes/limits.ts'
import { WordRules } from '../../src/shared/recipes/word-rules.ts'
import { workedMs } from '../worked-ms.ts'
import type { z } from 'zod'

type Given = z.input<typeof WordRules>

const ruled = (rules: Given, text: string, language = 'en') => compileRules(WordRules.parse(rules))(text, language)
const textOf = (rules: Given, text: string, language = 'en') => ruled(rules, text, language).text

const replace = (from: string, to: string) => ({ kind: 'replace', from, to }) as const
const opening = (from: string) => ({ kind: 'replace', from, at: 'start' }) as const
const gone = (from: string) => ({ kind: 'replace', from }) as const
const most = (most: number) => ({ kind: 'length', most }) as const

it('of a language is one of its regions too', () => {
  const rules: Given = [{ ...replace('facto', 'fato'), language: 'pt' }]
  const said = (language: string) => textOf(rules, 'Um facto', language)
  expect(['pt', 'pt-br', 'en', 'p'].map(said)).toEqual(['Um fato', 'Um fato', 'Um facto', 'Um facto'])
})

describe('A replacement', () => {
  it.each([
    ['The colour of a colourful sky', 'The color of a colourful sky'],
    ['Colour and colour.', 'Color and color.'],
    ['A colour-blind test', 'A color-blind test'],
    ['The sky’s colour', 'The sky’s color'],
    ['nothing of the kind', 'nothing of the kind'],
  ])('is of whole words: “%s”', (text, wanted) => {
    expect(textOf([replace('colour', 'color')], text)).toBe(wanted)
  })
  it('leaves no text without a word', () => {
    expect(textOf([replace('dog', '…')], 'A dog')).toBe('A …')
    expect(textOf([replace('dog', '…')], 'Dog!')).toBe('Dog!')
    expect(textOf([gone('stunning')], 'Stunning!')).toBe('Stunning!')
  })
  it.each([
    ['github', 'GitHub', 'Github and GITHUB', 'GitHub and GitHub'],
    ['ADIDAS', 'adidas', 'An Adidas shoe', 'An adidas shoe'],
  ])('gives a brand its own case: %s', (from, to, text, wanted) => {
    expect(textOf([replace(from, to)], text)).toBe(wanted)
  })
  it.each([
    ['de', 'foto', 'Bild', 'Fotobuch und Farbfoto', 'Fotobuch und Farbfoto'],
    ['de', 'ausserdem', 'außerdem', 'Ausserdem ein Hund', 'Außerdem ein Hund'],
    ['fr', 'été', 'printemps', "L'été, les étés", "L'printemps, les étés"],
    ['ja', '写真', '画像', '犬の写真です', '犬の画像です'],
    ['fa', 'می', 'X', 'می‌خواهم', 'می‌خواهم'],
    ['ru', 'кот', 'кошка', 'Кот и котёл', 'Кошка и котёл'],
  ])('keeps to the words of a language: %s', (language, from, to, text, wanted) => {
    expect(textOf([replace(from, to)], text, language)).toBe(wanted)
  })
  it('finds words whichever way accents are encoded, and however they are parted', () => {
    const text = 'Un cafe\u0301 noir'
    expect(textOf([replace('café', 'thé')], text, 'fr')).toBe('Un thé noir')
    expect(textOf([replace('cafe', 'thé')], text, 'fr')).toBe(text)
    expect(textOf([replace('new york', 'New York')], 'a new  YORK car')).toBe('a New York car')
  })
  it('comes after the ones before it', () => {
    expect(textOf([replace('one', 'two'), replace('two', 'three')], 'one and two')).toBe('three and three')
  })
  it.each([
    ['A stunning view', 'A view'],
    ['Stunning view of a lake', 'View of a lake'],
    ['Stunning, wide view', 'Wide view'],
    ['A view, stunning.', 'A view.'],
    ['A view that is stunning', 'A view that is'],
    ['A stunning stunning view', 'A view'],
    ['An outstanding view', 'An outstanding view'],
  ])('by nothing takes the words out of “%s”, with what they leave', (text, wanted) => {
    expect(textOf([gone('stunning')], text)).toBe(wanted)
  })
  it.each([
    ['en', 'image of', 'Image of a red bicycle', 'A red bicycle'],
    ['en', 'photo', 'Photo: a red bicycle', 'A red bicycle'],
    ['en', 'image of', 'A mirror image of a tree', 'A mirror image of a tree'],
    ['en', 'image of', 'Image office', 'Image office'],
    ['fr', "image d'", 'Image d’un vélo rouge', 'Un vélo rouge'],
    ['tr', 'fotoğraf:', 'Fotoğraf: ince bir dal', 'İnce bir dal'],
    ['en', 'image of', 'Image of …', 'Image of …'],
  ])('at the start is of what a text begins with: %s “%s” in “%s”', (language, words, text, wanted) => {
    expect(textOf([opening(words)], text, language)).toBe(wanted)
  })
  it('at the end is of what a text ends with, before its full stop', () => {
    const rule = { kind: 'replace', from: 'stock photo', at: 'end' } as const
    expect(textOf([rule], 'A lake, stock photo.')).toBe('A lake.')
    expect(textOf([rule], 'A stock photo of a lake')).toBe('A stock photo of a lake')
  })
})

it('Words that never appear are flagged, after the replacements', () => {
  const rules: Given = [{ kind: 'never', words: 'stunning' }, replace('great', 'stunning')]
  expect(ruled(rules, 'A STUNNING, great view')).toEqual({
    text: 'A STUNNING, stunning view',
    findings: [
      { kind: 'never', what: 'STUNNING' },
      { kind: 'never', what: 'stunning' },
    ],
  })
})

describe('A length', () => {
  it('is flagged with the length there is, as a person counts it', () => {
    expect(ruled([most(3)], '👩‍👩‍👧‍👦👩‍👩‍👧‍👦 é').findings).toEqual([{ kind: 'length', what: '4' }])
    expect(ruled([most(4)], '👩‍👩‍👧‍👦👩‍👩‍👧‍👦 é').findings).toEqual([])
  })
  it('of the language takes precedence', () => {
    const rules: Given = [most(5), { ...most(13), language: 'en' }]
    expect(ruled(rules, 'A red bicycle').findings).toEqual([])
    expect(ruled(rules, 'A red bicycle', 'it').findings).toEqual([{ kind: 'length', what: '13' }])
  })
})

describe('Rules', () => {
  it('leave a text that keeps to them byte for byte', () => {
    const text = '  Un cafe\u0301,  noir '
    expect(textOf([replace('colour', 'color'), opening('image of'), most(40)], text)).toBe(text)
  })
  it('become one note for each kind, with the language', () => {
    const rules: Given = [{ kind: 'never', words: 'stunning' }, most(5)]
    const texts = ['en', 'de'].map((languageCode) => ({
      languageCode,
      findings: ruled(rules, 'A stunning view, stunning', languageCode).findings,
    }))
    expect(notesOnWords(texts)).toEqual([
      { code: 'words_flagged', detail: 'stunning (en), stunning (de)' },
      { code: 'texts_too_long', detail: '25 (en), 25 (de)' },
    ])
  })
  it('are refused without words, with too many, or with what Hangar does not know', () => {
    for (const wrong of [
      [replace(' ', 'x')],
      [gone('x'.repeat(MAX_RULE_CHARS + 1))],
      [{ kind: 'pattern', words: '(a+)+$' }],
      [{ ...gone('x'), language: 'english' }],
      [{ ...gone('x'), at: 'middle' }],
      Array.from({ length: MAX_RULES + 1 }, () => gone('x')),
    ])
      expect(WordRules.safeParse(wrong).success).toBe(false)
  })
  it.each(['a ', ' ', 'a, ', '. '])('end soon whatever they are, on a text full of “%s”', (part) => {
    const long = `${part.repeat(MAX_ALT_TEXT_CHARS / part.length - 1)}z`
    const hostile: Given = [
      ...Array.from({ length: MAX_RULES - 2 }, (_, n) => gone(`${'a '.repeat(49 - (n % 40))}${n}`.slice(0, 100))),
      { ...gone('a'), at: 'end' },
      replace('a', 'b'.repeat(MAX_RULE_CHARS)),
    ]
    const startMs = workedMs()
    const { text } = ruled(hostile, long)
    ruled([gone('a'), gone('z'), ...hostile.slice(0, 20)], long)
    expect(workedMs() - startMs).toBeLessThan(2000)
    expect(text.length).toBeLessThanOrEqual(MAX_ALT_TEXT_CHARS)
  })
  it('never throw, and always give text that is well-formed where it was', () => {
    const words = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).filter((word) => word.trim() !== '')
    const rule = fc.oneof(
      fc.record({
        kind: fc.constant('replace' as const),
        from: words,
        to: fc.oneof(words, fc.constant('')),
        at: fc.constantFrom('anywhere' as const, 'start' as const, 'end' as const),
      }),
      fc.record({ kind: fc.constant('never' as const), words }),
      fc.record({ kind: fc.constant('length' as const), most: fc.integer({ min: 1, max: 20 }) }),
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
