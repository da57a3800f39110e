import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError, AppErrorShape, fromShape } from '../../../src/shared/sentences/errors.ts'
import { englishText } from '../../../src/shared/sentences/english-text.ts'
import { isSameSentence, raw, say, sentenceText, type SentenceCode } from '../../../src/shared/sentences/sentence.ts'
import { SentenceShape } from '../../../src/shared/sentences/sentence-shape.ts'
import german from '../../../src/shared/text/de/sentences.json' with { type: 'json' }
import { LANGUAGES } from '../../../src/shared/text/languages.ts'
import { SENTENCE_VALUES } from '../../../src/shared/sentences/sentence-values.ts'

const ROOT = join(import.meta.dirname, '../../..')
const wordsOf = (language: string, dir = join(ROOT, 'src/shared/text')): Record<string, string> =>
  JSON.parse(readFileSync(join(dir, language, 'sentences.json'), 'utf8')) as Record<string, string>
const namesIn = (words: string) => new Set([...words.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))

describe('a sentence', () => {
  it.each(LANGUAGES)('has words in every language, with the values that its code has: %s', (language) => {
    const words = wordsOf(language)
    expect(Object.keys(words).sort()).toEqual(Object.keys(SENTENCE_VALUES).sort())
    for (const [code, names] of Object.entries(SENTENCE_VALUES))
      expect(namesIn(words[code]!), code).toEqual(new Set(names))
  })

  it('is said in each language with the same values, figures as people write them there', () => {
    const sentence = say('over_service_limit', { bytes: 12_582_913, limit: 10_485_760 })
    expect(englishText(sentence)).toBe('12,582,913 bytes; the service takes at most 10,485,760')
    expect(sentenceText(sentence, german, 'de')).toBe('12.582.913 Byte; der Dienst nimmt höchstens 10.485.760')
  })

  it('is said with lists as each language writes them, also after it was stored', () => {
    const sentence = say('cli_languages_unknown', { unknown: ['a', 'b', 'c'], known: ['en'] })
    const stored = SentenceShape.parse(JSON.parse(JSON.stringify(sentence)))
    expect(englishText(stored)).toContain('a, b, c')
    expect(sentenceText(stored, german, 'de')).toContain('a, b und c')
  })

  it('leaves names alone that look like figures, patterns or places', () => {
    for (const dir of ['2024', '/a/$&/{{dir}}'])
      expect(sentenceText(say('no_space', { dir }), german, 'de')).toBe(
        `Für ${dir} ist kein Platz mehr. Schaffen Sie welchen, dann geht es weiter.`,
      )
  })

  it('translates a sentence within, and leaves what others said', () => {
    const twin = (why: Parameters<typeof sentenceText>[0]) =>
      sentenceText(say('twin_without_words', { name: 'a.jpg', why }), german, 'de')
    expect(twin(say('folder_gone', { dir: '/a' }))).toContain('Den Ordner /a gibt es nicht mehr.')
    expect(twin(raw('EIO: i/o error'))).toMatch(/EIO: i\/o error$/)
  })

  it('crosses a connection whole, also with a code of another version, which is shown as it is', () => {
    const error = new AppError('bad_request', say('damaged', { why: say('header_unreadable', { why: raw('no SOI') }) }))
    const crossed = AppErrorShape.parse(JSON.parse(JSON.stringify(error.shape)))
    expect(crossed).toEqual({ code: 'bad_request', sentence: error.sentence, retryable: false })
    expect(isSameSentence(fromShape(crossed).sentence, error.sentence)).toBe(true)
    const later = SentenceShape.parse({ code: 'of_a_later_version', values: { n: 1 } })
    expect(sentenceText(later, german, 'de')).toBe('of_a_later_version')
    expect(SentenceShape.safeParse({ values: {} }).success).toBe(false)
  })
})

describe('the recipe in CONTRIBUTING.md for a new sentence', () => {
  it('names all that is to be changed: with just that, it is said in every language', () => {
    const recipe = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
      .split('## How to add a reason or a sentence')[1]!
      .split('\n## ')[0]!
    const [table, words] = [...recipe.matchAll(/^\d\. .*`(src\/shared\/(?:sentences|text)\/[^`]+)`/gm)].map(
      ([, path]) => path!,
    )
    const dir = mkdtempSync(join(tmpdir(), 'hangar-sentence-'))
    cpSync(join(ROOT, 'src/shared'), join(dir, 'src/shared'), { recursive: true })
    const code = 'runway_closed' as SentenceCode
    expect(code in SENTENCE_VALUES).toBe(false)
    const edit = (path: string, change: (text: string) => string) =>
      writeFileSync(join(dir, path), change(readFileSync(join(dir, path), 'utf8')))
    edit(table!, (text) => text.replace('= {\n', `= {\n  ${code}: ['runway'],\n`))
    for (const language of LANGUAGES)
      edit(words!.replace('<language>', language), (text) =>
        text.replace('{\n', `{\n  "${code}": "(${language}) {{runway}}",\n`),
      )
    const said = execFileSync(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { say, sentenceText } from ${JSON.stringify(join(dir, 'src/shared/sentences/sentence.ts'))}
       import { englishText } from ${JSON.stringify(join(dir, 'src/shared/sentences/english-text.ts'))}
       import { readFileSync } from 'node:fs'
       const sentence = say('${code}', { runway: '09' })
       console.log(englishText(sentence))
       for (const language of ${JSON.stringify(LANGUAGES)})
         console.log(sentenceText(sentence, JSON.parse(readFileSync(${JSON.stringify(join(dir, 'src/shared/text'))} + '/' + language + '/sentences.json', 'utf8')), language))`,
    ])
    expect(said.toString().trim().split('\n')).toEqual(['(en) 09', ...LANGUAGES.map((language) => `(${language}) 09`)])
    rmSync(dir, { recursive: true })
  })
})
