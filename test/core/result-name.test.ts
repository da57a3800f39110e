import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listedName, resultFolders, resultName, type NameFacts } from '../../src/main/core/result-name.ts'
import { parseNameTemplate } from '../../src/shared/recipes/name-template.ts'
import { isListedName } from '../../src/shared/jobs/sidecar.ts'

const FACTS: NameFacts = {
  naming: '{name}',
  sourceName: 'IMG_0042.JPG',
  seoName: 'red-boat',
  language: 'de',
  date: '2024-05-01T09:08:07',
  number: 7,
  size: { width: 6000, height: 4000 },
  longEdge: null,
  replaces: false,
}
const webp = (facts: Partial<NameFacts>, result: { width?: number; n?: number; room?: number } = {}) => {
  const { width, n = 1, room = 255 } = result
  const named = { ...FACTS, ...facts }
  const of = width === undefined ? { role: 'converted' as const } : { role: 'variant' as const, width }
  return [...resultFolders(named, of, room), resultName(named, { ...of, type: 'webp', n, room })].join('/')
}

describe('names by a template', () => {
  it.each([
    ['{name}', 'IMG_0042.webp'],
    ['{seo}', 'red-boat.webp'],
    ['web/{seo}', 'web/red-boat.webp'],
    ['{date:YYYY}/{date:MM-DD}/{n:4}', '2024/05-01/0007.webp'],
    ['{date:YY}{date:MM}{date:DD}-{date:HH.mm.ss}', '240501-09.08.07.webp'],
    ['{date} {name}', '2024-05-01 IMG_0042.webp'],
    ['{lang}/{seo}', 'de/red-boat.webp'],
    ['{width}x{height}/{name}', '6000x4000/IMG_0042.webp'],
    ['{{{n}}}', '{7}.webp'],
  ])('%j makes %j', (naming, expected) => {
    expect(webp({ naming })).toBe(expected)
  })

  it('have the size of each result, which then needs no suffix', () => {
    expect(webp({ naming: '{name}-{width}' }, { width: 640 })).toBe('IMG_0042-640.webp')
    expect(webp({ naming: '{width}/{name}' }, { width: 640 })).toBe('640/IMG_0042-640w.webp')
    expect(webp({ naming: '{name}-{height}', longEdge: 3000 })).toBe('IMG_0042-2000.webp')
    expect(webp({ naming: '{name}' }, { width: 640 })).toBe('IMG_0042-640w.webp')
  })

  it('keep the suffix, the number and the type of a result', () => {
    const optimized = { role: 'optimized', type: 'jpeg', n: 2 } as const
    expect(resultName({ ...FACTS, naming: 'web/{seo}' }, optimized)).toBe('red-boat-optimized-2.JPG')
    expect(resultFolders({ ...FACTS, naming: 'web/{seo}', replaces: true }, optimized)).toEqual([])
  })

  it('are of the original’s name where nothing was suggested', () => {
    expect(webp({ naming: '{seo}', seoName: null })).toBe('IMG_0042.webp')
    expect(webp({ naming: '{seo}', seoName: '...' })).toBe('IMG_0042.webp')
  })

  it('lose the end of their longest text where they are too long, and keep number and date', () => {
    const name = webp({ naming: '{date}-{seo}-{n:3}', seoName: '🇩🇪'.repeat(100), sourceName: 'a.webp' })
    expect(name).toMatch(/^2024-05-01-(?:🇩🇪)+-007\.webp$/u)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180)
    expect(webp({ naming: '{name}/{n}', sourceName: `${'漢'.repeat(80)}.jpg` }, { room: 143 })).toMatch(
      /^漢{47}\/7\.webp$/,
    )
  })

  it.each([
    ['{name}', { sourceName: '..jpg' }, 'picture.webp'],
    ['{name}', { sourceName: 'a\\b:c.jpg' }, 'a-b-c.webp'],
    ['{name}/{n}', { sourceName: '... .jpg' }, 'picture/7.webp'],
    ['{name}', { sourceName: 'e\u0301 \u202egpj.exe.jpg' }, 'é gpj.exe.webp'],
    ['c{name}', { sourceName: 'on.jpg' }, '_con.webp'],
    ['{lang}/{n}', { language: '../..' }, 'picture/7.webp'],
    ['{seo}/{n}', { seoName: 'p0.jpg.alt.json' }, 'p0.jpg-alt.json/7.webp'],
    ['{seo}.JPG/{n}', { seoName: 'p0' }, 'p0-JPG/7.webp'],
  ])('%j of %j is %j', (naming, facts, expected) => {
    expect(webp({ naming, ...facts })).toBe(expected)
  })

  it('are plain names for any text, and stay below the folder', () => {
    const parts = [...'ab-_. ~\\/:*?<>|"\n\0', ...'..|con|nul.|\u202e|\u0301|\ud800|日|👩‍✈️|.jpg'.split('|')]
    const joined = (some: readonly string[], maxLength: number) =>
      fc.array(fc.constantFrom(...some), { maxLength }).map((chosen) => chosen.join(''))
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), joined(parts, 40))
    const placeholders = '{name}|{seo}|{lang}|{n:3}|{date}|{width}|x|-|/|con|.| '.split('|')
    const template = joined(placeholders, 12).filter((naming) => parseNameTemplate(naming).ok)
    fc.assert(
      fc.property(
        template,
        text,
        text,
        text,
        fc.integer({ min: 110, max: 255 }),
        (naming, sourceName, seoName, language, room) => {
          const facts = { ...FACTS, naming, sourceName, seoName, language }
          const made = webp(facts, { room, n: 3 })
          expect(isListedName(made)).toBe(true)
          expect(webp(facts, { room, n: 3 })).toBe(made)
          expect(listedName('/pictures', `/pictures/${made}`)).toBe(made)
          for (const part of made.split('/')) {
            expect(part).not.toMatch(/^[.\-~\s]|[.\s]$|[<>:"\\|?*\p{Cc}\p{Cf}\p{Cs}]/u)
            expect(part).not.toMatch(/^(?:con|nul)\s*(?:\.|$)/i)
            expect(part.normalize('NFC')).toBe(part)
            expect(Buffer.byteLength(part)).toBeLessThanOrEqual(Math.min(180, room))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

it('how a sidecar lists a result is a path below its folder, or nothing', () => {
  expect(listedName('/a', '/a/b.webp')).toBe('b.webp')
  expect(listedName('/a', '/a/web/b.webp')).toBe('web/b.webp')
  for (const path of ['/a', '/b/c.webp', '/ab/c.webp', '/']) expect(listedName('/a', path)).toBeNull()
  for (const name of ['../b', 'a/../b', '/b', 'a//b', './b', 'a\\b', '', 'a/b/c/d/e/f'])
    expect(isListedName(name)).toBe(false)
})
