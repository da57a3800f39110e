import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { AppError, AppErrorShape, fromShape } from '../../../src/shared/sentences/errors.ts'
import { englishText } from '../../../src/shared/sentences/english-text.ts'
import { isSameSentence, raw, say, sentenceText } from '../../../src/shared/sentences/sentence.ts'
import { SentenceShape } from '../../../src/shared/sentences/sentence-shape.ts'
import german from '../../../src/shared/text/de/sentences.json' with { type: 'json' }
import english from '../../../src/shared/text/en/sentences.json' with { type: 'json' }
import terminal from '../../../src/shared/sentences/terminal.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../../..')
const ENGLISH: Readonly<Record<string, string>> = { ...english, ...terminal }
const placesOf = (code: string) => [...new Set(ENGLISH[code]?.match(/(?<=\{\{)\w+/g))].sort()

/** What a call of `say` that names no code may say, by how it names it. */
const CHOSEN: Readonly<Record<string, RegExp>> = {
  'CAP_SENTENCES[hold.cap]': /^cap_per_/,
  'WHY[loser]': /^replace_(takes|by)_/,
  code: /^cli_(ledger|image|charger)_address$/,
}

/** The calls of `say` in a file: the codes that each may say, and the names of the values that it gives. */
function saidIn(file: string): { call: string; codes: string[]; values: string[] }[] {
  const text = readFileSync(file, 'utf8')
  // Others may have a function of that name for their own.
  if (!/import \{[^}]*\bsay\b[^}]*\} from '[^']*\/sentence\.ts'/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const calls: ReturnType<typeof saidIn> = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'say') return
    const [code, given] = node.arguments
    const named = code!.getText()
    const literals = [...named.matchAll(/(?<![=!] )'(\w+)'/g)].map(([, literal]) => literal!)
    const template = /^`(\w+)\$\{[^}]*\}`$/.exec(named)?.[1]
    const chosen = template === undefined ? CHOSEN[named] : new RegExp(`^${template}`)
    const codes = chosen === undefined ? literals : Object.keys(ENGLISH).filter((one) => chosen.test(one))
    const values = given === undefined ? [] : [given.getText()]
    if (given !== undefined && ts.isObjectLiteralExpression(given))
      values.splice(0, 1, ...given.properties.map((property) => property.name?.getText() ?? property.getText()))
    calls.push({ call: `${file}: ${node.getText()}`, codes, values: values.sort() })
  }
  visit(source)
  return calls
}

describe('a sentence', () => {
  it('is said with exactly the values that its text has places for', () => {
    const files = globSync('src/{main,renderer,shared}/**/*.{ts,tsx}', { cwd: ROOT })
    const said = files.flatMap((file) => saidIn(join(ROOT, file)))
    expect(said.length).toBeGreaterThan(300)
    expect(said.filter(({ codes }) => codes.length === 0)).toEqual([])
    for (const { call, codes, values } of said) for (const code of codes) expect(values, call).toEqual(placesOf(code))
  })

  it('is said in each language with the same values, figures as people write them there', () => {
    const sentence = say('over_service_limit', { bytes: 12_582_913, limit: 10_485_760 })
    expect(englishText(sentence)).toBe('12,582,913 bytes; the service takes at most 10,485,760')
    expect(sentenceText(sentence, german, 'de')).toBe('12.582.913 Byte; der Dienst nimmt höchstens 10.485.760')
  })

  it('is said with lists as each language writes them, also after it was stored', () => {
    const sentence = say('export_one_language', { languages: ['a', 'b', 'c'] })
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
    const error = new AppError(
      'bad_request',
      say('download_not_whole', { why: say('sidecar_unreadable', { name: 'a', why: raw('EIO') }) }),
    )
    const crossed = AppErrorShape.parse(JSON.parse(JSON.stringify(error.shape)))
    expect(crossed).toEqual({ code: 'bad_request', sentence: error.sentence })
    expect(isSameSentence(fromShape(crossed).sentence, error.sentence)).toBe(true)
    const later = SentenceShape.parse({ code: 'of_a_later_version', values: { n: 1 } })
    expect(sentenceText(later, german, 'de')).toBe('of_a_later_version')
    expect(SentenceShape.safeParse({ values: {} }).success).toBe(false)
  })
})
