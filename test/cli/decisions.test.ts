import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exitCodeOfRun, type RunEnd } from '../../src/main/cli/exit-code.ts'
import { changeText, columns, pathText, sizeText } from '../../src/main/cli/figures.ts'
import { settingsOverrides } from '../../src/main/cli/services.ts'
import { recipeWith } from '../../src/main/cli/recipe-options.ts'
import { progressText } from '../../src/main/cli/progress.ts'
import { reasonParagraphs, SaidHolds } from '../../src/main/cli/job-report.ts'
import { chosenTypes, languageList } from '../../src/main/cli/parse-options.ts'
import { jsonText } from '../../src/shared/text/safe-characters.ts'
import { forTerminal } from '../../src/main/cli/terminal.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { nextStepText } from '../../src/shared/sentences/reason-text.ts'
import { JobState } from '../../src/shared/sentences/reasons.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'

const counts = (some: Partial<RunEnd['counts']> = {}) =>
  ({ ...Object.fromEntries(JobState.options.map((state) => [state, 0])), ...some }) as RunEnd['counts']
const end = (some: Partial<RunEnd>): RunEnd => ({
  counts: counts(),
  holds: [],
  leftOut: 0,
  missed: 0,
  unreachable: null,
  interrupted: false,
  ...some,
})

describe('the exit status of a run', () => {
  it.each<[number, Partial<RunEnd>]>([
    [0, { counts: counts({ done: 3, skipped: 2, cancelled: 1 }) }],
    [1, { counts: counts({ done: 3, failed: 1 }) }],
    [1, { counts: counts({ held: 1 }), holds: ['disk_full'] }],
    [1, { counts: counts({ held: 1 }), holds: ['spend_guard'] }],
    [1, { counts: counts({ done: 3 }), leftOut: 1 }],
    [1, { counts: counts({ done: 3 }), missed: 1 }],
    [1, { counts: counts({ unknown: 1 }) }],
    [3, { counts: counts({ held: 2, failed: 1 }), holds: ['disk_full', 'key_refused'] }],
    [3, { counts: counts({ held: 1 }), holds: ['key_missing'] }],
    [4, { counts: counts({ held: 1 }), holds: ['credits_short'] }],
    [4, { counts: counts({ held: 1 }), holds: ['credits_refused'] }],
    [6, { counts: counts({ ready: 1 }), unreachable: 'service_unreachable' }],
    [6, { counts: counts({ ready: 1 }), unreachable: 'ledger_away' }],
    [3, { counts: counts({ ready: 1 }), unreachable: 'ledger_refused' }],
    [2, { counts: counts({ ready: 1 }), unreachable: 'ledger_newer' }],
    [6, { counts: counts({ held: 1 }), holds: ['address_wrong'] }],
    [130, { counts: counts({ held: 1 }), holds: ['key_refused'], interrupted: true }],
  ])('is %i', (code, how) => {
    expect(exitCodeOfRun(end(how))).toBe(code)
  })
})

it('a next step is told with its command, where there is one', () => {
  expect(nextStepText('drop')).toMatch(/^hangar resolve --drop: takes it off/)
  expect(nextStepText('retry', true)).toMatch(/^hangar retry: tries again; practice is never charged/)
  expect(nextStepText('free_space')).toMatch(/^Make room: /)
})

describe('the line of a run', () => {
  const progress = {
    total: 500,
    ended: 123,
    savedBytes: 12_300_000,
    leftMs: 20 * 60_000,
    resultsPerMinute: 18.9,
    doing: '9 with the service',
  }

  const WHOLE = '123 of 500 · 20 min left · 19 a minute · 12.3 MB saved · 9 with the service'

  it('says how much is left and how many results come a minute', () => {
    expect(progressText(progress, 80)).toBe(WHOLE)
    expect(progressText({ ...progress, leftMs: null, resultsPerMinute: null }, 80)).toBe(
      '123 of 500 · 12.3 MB saved · 9 with the service',
    )
    expect(progressText({ ...progress, resultsPerMinute: 0.34 }, 80)).toContain('· 0.3 a minute ·')
  })

  it('leaves out what matters least where the terminal is narrow, and never wraps', () => {
    expect(progressText(progress, 76)).toBe(WHOLE)
    expect(progressText(progress, 60)).toBe('123 of 500 · 20 min left · 19 a minute · 9 with the service')
    expect(progressText(progress, 40)).toBe('123 of 500 · 20 min left · 19 a minute')
    expect(progressText(progress, 30)).toBe('123 of 500 · 20 min left')
    expect(progressText(progress, 15)).toBe('123 of 500')
  })
})

it('a picture that is held is said once for each reason, however often it is tried', () => {
  const said = new SaidHolds()
  const held = (code: 'disk_full' | 'target_not_writable') => ({
    id: 'a',
    state: 'held' as const,
    reason: { code, detail: null },
  })
  expect([held('disk_full'), held('disk_full'), held('target_not_writable')].map((job) => said.isNews(job))).toEqual([
    true,
    false,
    true,
  ])
  expect(said.isNews({ ...held('disk_full'), id: 'b' })).toBe(true)
  expect(said.isNews({ id: 'a', state: 'done', reason: null })).toBe(true)
})

describe('text from elsewhere', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u001b]0;x\u0007', '\u202egpj.exe', '\u009b31m', 'a\r\nb'),
  )

  it('cannot steer a terminal', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(forTerminal(text))))
  })

  it('survives as JSON on one line, with nothing in it that could steer a terminal', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = jsonText({ text })
        return (
          !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(line) && (JSON.parse(line) as { text: string }).text === text
        )
      }),
    )
  })
})

describe('flags', () => {
  it('win over the stored recipe, and leave alone what they do not name', () => {
    const flags = {
      operation: 'analyze',
      languages: ['de'],
      output: 'out',
      projectName: 'P',
      metadata: 'strip',
    } as const
    expect(recipeWith(DEFAULT_RECIPE, { ...flags, languages: ['de'] }, '/home/me')).toEqual({
      ...DEFAULT_RECIPE,
      operation: 'analyze',
      languages: ['de'],
      metadata: 'strip',
      output: { kind: 'folder', dir: '/home/me/out' },
      project: { kind: 'name', name: 'P' },
    })
    expect(recipeWith(DEFAULT_RECIPE, {}, '/')).toEqual(DEFAULT_RECIPE)
    expect(recipeWith(DEFAULT_RECIPE, { output: 'replace' }, '/').output).toEqual({ kind: 'replace' })
    expect(recipeWith(DEFAULT_RECIPE, { embedTexts: true }, '/').embedTexts).toBe(true)
    const withTexts = { ...DEFAULT_RECIPE, embedTexts: true }
    expect(recipeWith(withTexts, {}, '/').embedTexts).toBe(true)
    expect(recipeWith(withTexts, { embedTexts: false }, '/').embedTexts).toBe(false)
  })

  it('win over the environment, and an empty variable counts as none', () => {
    const env = { HANGAR_SERVICE_URL: 'https://env.example', HANGAR_CHARGER_URL: ' ' }
    expect(settingsOverrides({}, env)).toEqual({ imageBaseUrl: 'https://env.example' })
    expect(settingsOverrides({ serviceUrl: 'https://flag.example' }, env)).toEqual({
      imageBaseUrl: 'https://flag.example',
    })
  })

  it('take languages in order, each once', () => {
    expect(languageList('EN, de,fr,en')).toEqual(['en', 'de', 'fr'])
    expect(() => languageList('english')).toThrow(/two-letter/)
    expect(() => languageList('')).toThrow(/at least one/)
    expect(() => languageList('aa,bb,cc,dd,ee,ff,gg,hh,ii,jj,kk')).toThrow(/At most 10/)
  })
})

it('the types that a watched folder also takes are named in any order, and none by none', () => {
  expect(chosenTypes('avif, TIFF')).toEqual(['tiff', 'avif'])
  expect(chosenTypes('avif')).toEqual(['avif'])
  expect(chosenTypes('heic,tiff')).toEqual(['tiff', 'heic'])
  expect(chosenTypes('none')).toEqual([])
  for (const text of ['', 'heif', 'tiff,heics', 'tif'])
    expect(() => chosenTypes(text)).toThrow(
      'Give one or more of tiff, avif and heic, as in: tiff,heic. none stands for none of them.',
    )
})

const failed = (format: string) =>
  ({
    state: 'failed',
    serviceId: 'https://a',
    reason: { code: 'other_type', detail: say('is_format', { format }) },
  }) as JobView

it('the closing block gives a detail where all pictures have it, and none where they differ', () => {
  const [same] = reasonParagraphs([failed('HEIC'), failed('HEIC')])
  expect(same).toMatch(/^2 failed: .*Its format is HEIC\./)
  const [mixed] = reasonParagraphs([failed('HEIC'), failed('TIFF'), failed('HEIC')])
  expect(mixed).toMatch(/^3 failed: /)
  expect(mixed).not.toMatch(/HEIC\.|TIFF/)
})

describe('figures', () => {
  it('are in the units people say', () => {
    expect([0, 999, 1000, 412_345, 3_140_000, 999_600, 12_000_000_000].map(sizeText)).toEqual([
      '0 bytes',
      '999 bytes',
      '1 kB',
      '412 kB',
      '3.1 MB',
      '1 MB',
      '12 GB',
    ])
    expect([changeText(100, 58), changeText(100, 100), changeText(100, 130)]).toEqual(['−42 %', '0 %', '+30 %'])
  })

  it('stand in columns, also beside wide characters', () => {
    expect(
      columns([
        ['a', '1'],
        ['日本', '2'],
      ]),
    ).toEqual(['a     1', '日本  2'])
  })

  it('name files from where a person is', () => {
    expect([pathText('/a/b/c.jpg', '/a'), pathText('/x/c.jpg', '/a'), pathText('/a', '/a')]).toEqual([
      'b/c.jpg',
      '/x/c.jpg',
      '/a',
    ])
  })
})
