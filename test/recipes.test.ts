import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../src/shared/text/languages.ts'
import { faultsOf, readCatalogues } from './shared/text/catalogues.ts'

const ROOT = join(import.meta.dirname, '..')
const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
const RECIPES = guide
  .split('\n## ')
  .filter((section) => section.startsWith('How to add '))
  .map((section) => ({ name: section.split('\n')[0]!, text: section }))

const isPath = (code: string) => /^(?:src|test|docs)\/[\w./<>-]+$/.test(code)
const isName = (code: string) => /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]\w*$/.test(code)
const placeOf = (path: string) => join(ROOT, path.replace('<language>', 'en'))

/** The text of a file, or of all files in a folder. */
function textAt(place: string): string {
  if (!statSync(place).isDirectory()) return readFileSync(place, 'utf8')
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

it('What CONTRIBUTING.md says where to find is there', () => {
  const rows = [...guide.matchAll(/^\| [^|]+ \| `(src\/[^`]+)` +\|$/gm)].map(([, path]) => path!)
  expect(rows).toHaveLength(12)
  expect(rows.filter((path) => !existsSync(placeOf(path)))).toEqual([])
})

describe('the recipes in CONTRIBUTING.md', () => {
  it('are those for a language, a call, a setting, a reason and a picture rule', () => {
    expect(RECIPES.map(({ name }) => name.replace('How to add a ', ''))).toEqual([
      'language',
      'call',
      'setting',
      'reason or a sentence',
      'picture rule',
    ])
  })

  it.each(RECIPES)('$name names files that exist, and what is in them', ({ text }) => {
    const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
    const paths = codes.filter(isPath)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(placeOf(path)))).toEqual([])
    const inThem = paths.map((path) => textAt(placeOf(path))).join('\n')
    expect(codes.filter(isName).filter((name) => !new RegExp(`\\b${name}\\b`).test(inThem))).toEqual([])
  })
})

/** The files that a recipe says to change, in its order: the first in each of its steps. */
const filesToChange = (recipe: string) =>
  [...RECIPES.find(({ name }) => name === `How to add a ${recipe}`)!.text.matchAll(/^\d\. .*?`(src\/[^`]+)`/gms)].map(
    ([, path]) => path!,
  )

describe('the recipes in CONTRIBUTING.md, followed in a copy of the source', () => {
  let copy = ''
  const edit = (path: string, before: string, after: string) => {
    const text = readFileSync(join(copy, path), 'utf8')
    expect(text.split(before).length, `${path}: ${before}`).toBe(2)
    writeFileSync(join(copy, path), text.replace(before, after))
  }
  /** Runs a module that imports from the copy, and reads the JSON that it prints. */
  const inCopy = (script: string): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: copy, encoding: 'utf8' }),
    )

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'hangar-recipes-'))
    cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
    for (const name of ['package.json', 'tsconfig.base.json']) cpSync(join(ROOT, name), join(copy, name))

    const [schema] = filesToChange('setting')
    edit(schema!, '  verboseLog: z.boolean(),\n', '  verboseLog: z.boolean(),\n  tooltips: z.boolean(),\n')
    edit(
      schema!,
      '  verboseLog: members.verboseLog',
      '  tooltips: members.tooltips.default(true),\n  verboseLog: members.verboseLog',
    )

    const [codes, words] = filesToChange('reason or a sentence').slice(-3)
    edit(codes!, "  'too_many_pixels',\n", "  'too_many_pixels',\n  'too_small',\n")
    for (const language of LANGUAGES)
      edit(
        words!.replace('<language>', language),
        '  "reason": {\n',
        `  "reason": {\n    "too_small": { "short": "(${language}) Too small", "happened": "(${language}).", "means": "Nothing.", "todo": "" },\n`,
      )

    const [decision] = filesToChange('picture rule').slice(1)
    edit(
      decision!,
      '  const made = planFor(recipe, image)\n',
      `  if (image.width < 16) return { reason: 'too_small', cannot: say('service_converts', { type: image.type }) }
  const made = planFor(recipe, image)\n`,
    )

    const [area, handlers] = filesToChange('call')
    edit(
      area!,
      "  'jobs.counts': {",
      "  'jobs.newest': { by: 'both', request: nothing, response: z.object({ id: z.string().nullable() }) },\n  'jobs.counts': {",
    )
    edit(
      join(handlers!, 'job-calls.ts'),
      "    'jobs.retry': ",
      "    'jobs.newest': () => ({ id: store.list({ newestFirst: true, limit: 1 })[0]?.id ?? null }),\n    'jobs.retry': ",
    )
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('give a setting its default in documents that were stored before it, and let it be changed alone', () => {
    const stored = { retentionDays: 7, appearance: { theme: 'dark', language: 'de' } }
    expect(
      inCopy(`
        import { changedSettings, Settings } from './src/shared/settings/settings.ts'
        import { CALLS } from './src/shared/contract/calls.ts'
        const before = Settings.parse(${JSON.stringify(stored)})
        const after = changedSettings(before, CALLS['settings.set'].request.parse({ tooltips: false }))
        console.log(JSON.stringify([before, after].map(({ tooltips, retentionDays, appearance }) => ({ tooltips, retentionDays, appearance }))))`),
    ).toEqual([
      { ...stored, tooltips: true },
      { ...stored, tooltips: false },
    ])
  })

  it('give a reason its words in every language', () => {
    const texts = join(copy, 'src/shared/text')
    for (const language of LANGUAGES)
      expect(
        faultsOf(language, readCatalogues(join(texts, language)), readCatalogues(join(texts, 'en'))).filter((fault) =>
          fault.includes('too_small'),
        ),
      ).toEqual([])
    expect(
      inCopy(`
        import { ReasonCode } from './src/shared/sentences/reasons.ts'
        import { reasonSentences } from './src/shared/sentences/reason-sentences.ts'
        import { readFileSync } from 'node:fs'
        const said = ${JSON.stringify(LANGUAGES)}.map((language) => {
          const texts = JSON.parse(readFileSync('./src/shared/text/' + language + '/reasons.json', 'utf8'))
          return reasonSentences({ ...texts, own: {} }, { code: ReasonCode.parse('too_small'), detail: null }, language).happened
        })
        console.log(JSON.stringify(said))`),
    ).toEqual(LANGUAGES.map((language) => `(${language}).`))
  })

  it('let a picture rule decide before anything is paid for, and leave what is stored of other pictures as it is', () => {
    const module = (root: string) => JSON.stringify(join(root, 'src/main/core/plan-work.ts'))
    expect(
      inCopy(`
        import * as ruled from ${module(copy)}
        import * as before from ${module(ROOT)}
        import { DEFAULT_RECIPE } from './src/shared/recipes/recipe.ts'
        const image = { type: 'jpeg', animated: false, width: 40, height: 30 }
        const refused = [], changed = []
        for (const operation of ['process', 'optimize', 'analyze', 'convert']) {
          const recipe = { ...DEFAULT_RECIPE, operation }
          const plan = ruled.planWork(recipe, { ...image, width: 15 })
          if ('cannot' in plan) refused.push(operation + ' ' + plan.reason)
          const of = ({ planWork, recipeSignature, paidKeyOf }) =>
            JSON.stringify([planWork(recipe, image), recipeSignature(recipe, 1000), paidKeyOf('s', { sha256: 'a', type: 'jpeg', sizeBytes: 1000 }, operation, recipe)])
          if (of(ruled) !== of(before)) changed.push(operation)
        }
        console.log(JSON.stringify({ refused, changed }))`),
    ).toEqual({
      refused: ['process', 'optimize', 'analyze', 'convert'].map((operation) => `${operation} too_small`),
      changed: [],
    })
  })

  it('need no file beyond those they name: types hold, a call is known to every caller, and one without a handler is not', () => {
    writeFileSync(
      join(copy, 'src/main/uses-the-call.ts'),
      `import type { EnginePort } from '../shared/contract/engine-port.ts'
       import type { PageCall } from '../shared/contract/calls.ts'
       import type { Handlers } from './engine/calls/call-deps.ts'
       export const newest = async ({ call }: EnginePort): Promise<string | null> => {
         const answer = await call('jobs.newest', {})
         return answer.ok ? answer.value.id : null
       }
       export const NAME: PageCall = 'jobs.newest'
       // @ts-expect-error the handler is missing
       export const lacking = (rest: Omit<Handlers, 'jobs.newest'>): Handlers => rest`,
    )
    writeFileSync(
      join(copy, 'tsconfig.json'),
      JSON.stringify({
        extends: './tsconfig.base.json',
        compilerOptions: { types: ['node'] },
        include: ['src/shared', 'src/main'],
      }),
    )
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
    expect(spawnSync(process.execPath, [compiler, '-p', copy], { encoding: 'utf8' }).stdout).toBe('')
  }, 300_000)
})
