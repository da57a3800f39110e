import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { valueText, configChanges, configOf, placeConfig } from '../../src/main/cli/config-changes.ts'
import {
  CONFIG_SETTINGS,
  configSchema,
  checkConfig,
  readConfig,
  readConfigFile,
  type ConfigFile,
  type ReadConfig,
} from '../../src/main/cli/config-shape.ts'
import { readValue } from '../../src/main/cli/settings.ts'
import type { Folder } from '../../src/shared/contract/folders.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/shared/settings/settings.ts'
import { folderForAll } from '../temp-folder.ts'

const dir = folderForAll()

const problemsOf = (read: ReadConfig) =>
  read.ok ? {} : Object.fromEntries(read.problems.map((p) => [p.path, p.message]))
const bytes = (text: string) => new TextEncoder().encode(text)
const NO_SUCH = 'There is no such member. Check its name, or leave it out.'

const watchedFolder = (path: string, more: Partial<Folder> = {}): Folder => ({
  id: 'f1',
  path,
  recipe: DEFAULT_RECIPE,
  include: [],
  exclude: [],
  alsoTakes: [],
  paused: false,
  askAbove: 100,
  addedAtMs: 5,
  ...more,
})

describe('a configuration', () => {
  it('has a JSON schema that is up to date: npm run -s hangar -- config schema > resources/config.schema.json', async () => {
    const stored = await readFile(join(import.meta.dirname, '../../resources/config.schema.json'), 'utf8')
    expect(configSchema()).toBe(stored)
    const { properties } = JSON.parse(stored) as { properties: Record<string, { additionalProperties?: boolean }> }
    expect(Object.keys(properties).sort()).toEqual(
      ['$schema', 'folders', 'recipe', ...Object.keys(CONFIG_SETTINGS)].sort(),
    )
    expect(properties['recipe']).toMatchObject({ additionalProperties: false })
    // A list of rules is taken as a whole, so what its rules leave out has a default.
    const withoutRules = JSON.stringify(JSON.parse(stored), (key, value: unknown) => (key === 'rules' ? null : value))
    expect(withoutRules).not.toContain('"default"')
  })

  it('is refused with the path of every member that is wrong, and never touches a prototype', () => {
    const text = `{
      "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } }, "odd name\\u202e": 1,
      "recipe": { "quality": 101, "widths": [640, 640], "output": { "kind": "nowhere" }, "longEdge": 1.5 },
      "folders": [{}, { "path": "a", "__proto__": 1, "recipe": { "project": { "kind": "name", "name": "n", "key": "k" } } }],
      "caps": { "perDay": -1, "perDecade": 1, "perMonth": "9" },
      "chargers": { "refreshMinutes": 7 },
      "retentionDays": 99999, "imageBaseUrl": "https://elsewhere.example/api/v1"
    }`
    expect(problemsOf(readConfig(bytes(text)))).toEqual({
      ['__proto__']: NO_SUCH,
      constructor: NO_SUCH,
      imageBaseUrl: NO_SUCH,
      '["odd name\u202e"]': NO_SUCH,
      'recipe.quality': 'Give at most 100.',
      'recipe.widths': 'Each width once.',
      'recipe.output.kind': 'Give one of "beside", "replace", "folder".',
      'recipe.longEdge': 'Give a whole number.',
      'folders[0].path': 'This is missing: give a text.',
      'folders[1].__proto__': NO_SUCH,
      'folders[1].recipe.project.key': NO_SUCH,
      'caps.perDay': 'Give at least 0.',
      'caps.perDecade': NO_SUCH,
      'caps.perMonth': 'Give a number.',
      'chargers.refreshMinutes': 'Give one of 0, 1, 5, 15, 60.',
      retentionDays: 'Give at most 3650.',
    })
    expect('polluted' in {}).toBe(false)
  })

  it('is read as UTF-8 and UTF-16 with a mark, and refused as anything else', () => {
    const text = '{"recipe":{"name":"Flügel"}}'
    const swapped = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    for (const file of [bytes(text), bytes(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le'), swapped])
      expect(readConfig(file)).toEqual({ ok: true, config: { recipe: { name: 'Flügel' } } })
    expect(problemsOf(readConfig(Buffer.from(text, 'latin1')))).toEqual({
      '': 'This is neither UTF-8 nor UTF-16 text.',
    })
    expect(problemsOf(readConfig(bytes('{"recipe"')))['']).toMatch(/^This is not JSON: /)
    expect(problemsOf(readConfig(bytes('')))['']).toMatch(/^This is not JSON: /)
    for (const other of ['null', '[]', '3'])
      expect(problemsOf(readConfig(bytes(other)))).toEqual({ '': 'Give an object, in { }.' })
    expect(problemsOf(readConfig(bytes(`{"caps":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)))).toEqual({
      caps: 'Give an object, in { }.',
    })
  })

  it('is not read when it is no file or far too large', async () => {
    const huge = join(dir, 'huge.json')
    const file = await open(huge, 'w')
    await file.truncate(100_000_000)
    await file.close()
    expect(problemsOf(await readConfigFile(huge))).toEqual({ '': 'A configuration has at most 5 MB.' })
    expect(problemsOf(await readConfigFile(dir))['']).toMatch(/is not a file\.$/)
    expect(problemsOf(await readConfigFile(join(dir, 'none.json')))['']).toMatch(/cannot be read: ENOENT/)
  })
})

it('the configuration of a computer holds no ids, addresses of services, keys or routes, and changes nothing where it came from', () => {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    imageBaseUrl: 'https://canary.example/api/v1',
    chargerBaseUrl: 'https://canary.example',
    ledgerUrl: 'postgres://canary@host/db',
    computerName: 'canary',
    inboxDir: '/canary',
    chargers: {
      ...DEFAULT_SETTINGS.chargers,
      aircraftId: 'canary',
      routes: [{ id: 'canary', name: 'canary', query: '', service: null, chargers: [], stops: [], notify: true }],
    },
  }
  const folders = [watchedFolder('/p', { id: 'canary', exclude: ['drafts/'], paused: true })]
  const config = configOf(settings, folders)
  expect(JSON.stringify(config)).not.toContain('canary')
  expect(checkConfig(JSON.parse(JSON.stringify(config)))).toEqual({ ok: true, config })
  const none = { settings: [], change: {}, added: [], changed: [] }
  expect(configChanges(config, settings, folders)).toEqual(none)
})

describe('what a configuration changes', () => {
  it('is what it names and what differs, member by member; lists and places of results are taken whole', () => {
    const known = watchedFolder('/p', {
      recipe: { ...DEFAULT_RECIPE, quality: 70, output: { kind: 'folder', dir: '/o' } },
    })
    const config: ConfigFile = {
      recipe: { quality: 90, languages: ['de'] },
      caps: { perDay: 5, perMonth: null },
      chargers: { notifyFavourites: true },
      folders: [
        { path: '/p', recipe: { output: { kind: 'beside' } }, exclude: ['x'], paused: false },
        { path: '/q', recipe: { format: 'avif' }, askAbove: 0 },
      ],
    }
    const { settings, change, added, changed } = configChanges(config, DEFAULT_SETTINGS, [known])
    expect(settings).toEqual([
      { name: 'recipe.languages', from: ['en'], to: ['de'] },
      { name: 'recipe.quality', from: 80, to: 90 },
      { name: 'caps.perDay', from: null, to: 5 },
      { name: 'chargers.notifyFavourites', from: false, to: true },
    ])
    expect(change).toMatchObject({
      recipe: { ...DEFAULT_RECIPE, quality: 90, languages: ['de'] },
      caps: { perDay: 5 },
      chargers: { notifyFavourites: true },
    })
    expect(change.caps).toEqual({ perDay: 5 })
    expect(Object.keys(change).sort()).toEqual(['caps', 'chargers', 'recipe'])
    expect(change.chargers).not.toHaveProperty('routes')
    const recipe = { ...DEFAULT_RECIPE, quality: 90, languages: ['de'], format: 'avif' }
    expect(added).toEqual([
      {
        folder: { path: '/q', recipe, include: [], exclude: [], alsoTakes: [], askAbove: 0, paused: false },
        values: [
          { name: 'recipe.format', from: 'webp', to: 'avif' },
          { name: 'askAbove', from: 100, to: 0 },
        ],
      },
    ])
    expect(changed).toEqual([
      {
        id: 'f1',
        path: '/p',
        values: [
          { name: 'recipe.output', from: { kind: 'folder', dir: '/o' }, to: { kind: 'beside' } },
          { name: 'exclude', from: [], to: ['x'] },
        ],
        changes: { recipe: { ...known.recipe, output: { kind: 'beside' } }, exclude: ['x'] },
      },
    ])
  })

  it('finds folders from where the file is, also through links, and refuses those that could not be watched', async () => {
    for (const name of ['data', 'a', 'a/inner', 'results']) await mkdir(join(dir, name), { recursive: true })
    await symlink(join(dir, 'a'), join(dir, 'link'))
    await writeFile(join(dir, 'picture.jpg'), '')
    const known = watchedFolder(join(dir, 'link'))
    const place = {
      file: join(dir, 'c.json'),
      dataDir: join(dir, 'data'),
      settings: DEFAULT_SETTINGS,
      folders: [known],
    }
    const problems = async (config: ConfigFile) =>
      Object.fromEntries((await placeConfig(config, place)).problems.map((p) => [p.path, p.message]))

    const nested: ConfigFile = {
      recipe: { output: { kind: 'folder', dir: 'results' } },
      folders: [{ path: 'a', askAbove: 3 }, { path: 'a/inner' }],
    }
    const { changes, problems: none } = await placeConfig(nested, place)
    expect(none).toEqual([])
    expect(changes).toMatchObject({
      change: { recipe: { output: { kind: 'folder', dir: join(dir, 'results') } } },
      changed: [{ path: join(dir, 'link'), changes: { askAbove: 3 } }],
      added: [{ folder: { path: join(dir, 'a/inner'), recipe: { output: { dir: join(dir, 'results') } } } }],
    })

    const same = 'This is the same folder as folders[0]. Leave one of them out.'
    expect(
      await problems({ folders: [{ path: 'a' }, { path: 'link' }, { path: 'none' }, { path: 'picture.jpg' }] }),
    ).toEqual({
      'folders[1].path': same,
      'folders[2].path': 'There is no folder none. Make it, or leave this entry out.',
      'folders[3].path': 'There is no folder picture.jpg. Make it, or leave this entry out.',
    })
    expect((await problems({ folders: [{ path: 'data' }] }))['folders[0]']).toContain('belongs to Hangar itself')
    expect(await problems({ folders: [{ path: 'a\0b' }] })).toHaveProperty(['folders[0].path'])
    const hiding = { path: 'results', recipe: { output: { kind: 'folder' as const, dir: '.' } } }
    const refused = await problems({ folders: [hiding] })
    expect(Object.keys(refused).sort()).toEqual(['folders', 'folders[0]'])
    expect(refused['folders']).toContain(`${join(dir, 'link')} could not be watched any more.`)
  })
})

describe('a typed value', () => {
  it('is a text where the setting takes one, and JSON elsewhere', () => {
    const read = (name: string, text: string) => {
      const value = readValue(name, text)
      return value.ok ? value.config : value.problems
    }
    expect(read('caps.perDay', '5')).toEqual({ caps: { perDay: 5 } })
    expect(read('recipe.name', '5')).toEqual({ recipe: { name: '5' } })
    expect(read('recipe.name', 'null')).toEqual({ recipe: { name: 'null' } })
    expect(read('recipe.longEdge', 'null')).toEqual({ recipe: { longEdge: null } })
    expect(read('recipe.languages', '["de","fr"]')).toEqual({ recipe: { languages: ['de', 'fr'] } })
    expect(read('notifications.batchDone', 'yes')).toEqual([
      { path: 'notifications.batchDone', message: 'Give true or false.' },
    ])
    expect(read('caps.perDay', '1e400')).toEqual([{ path: 'caps.perDay', message: 'Give a number.' }])
    expect(read('caps.perDay', '-1')).toEqual([{ path: 'caps.perDay', message: 'Give at least 0.' }])
  })

  it('is shown in quotes where it is a text that reads as JSON', () => {
    expect(['Web default', '', '[', 'null', '5', '"a"', null, 5, ['en']].map(valueText)).toEqual([
      'Web default',
      '',
      '[',
      '"null"',
      '"5"',
      '"\\"a\\""',
      'null',
      '5',
      '["en"]',
    ])
  })
})
