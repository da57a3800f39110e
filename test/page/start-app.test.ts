import { appendFile, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { ChildEntry, ChildHandle, ChildPort } from '../../src/shared/runtime/ports.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { builtChildren } from '../built-children.ts'
import { startPractice } from '../practice/faulty-practice.ts'
import { orThrow } from '../../src/shared/contract/call.ts'
import { AppWorld, SAMPLES } from './app-harness.ts'
import { runCli } from '../cli/harness.ts'

const CANARY_KEY = 'canary-key-0123456789abcdef'
let world: AppWorld
afterEach(() => world.close())

/** Ends at once, as a program that is not there. */
const ENDED: ChildHandle = {
  send: () => undefined,
  kill: () => undefined,
  onMessage: () => undefined,
  onExit: (listener) => queueMicrotask(() => listener(1)),
}

/** Children as they are, with a list of those that were started. */
class WatchedChildren implements ChildPort {
  readonly started: ChildEntry[] = []
  hasPractice = true
  spawn(entry: ChildEntry): ChildHandle {
    this.started.push(entry)
    return entry === 'practice' && !this.hasPractice ? ENDED : builtChildren.spawn(entry)
  }
}

it('the practice service starts with the first picture; until it does the pictures wait, it is told of, and tried again by itself', async () => {
  const child = new WatchedChildren()
  child.hasPractice = false
  world = await AppWorld.open({ child })
  await world.ask('settings.set', { appearance: { theme: 'dark', language: 'en' } })
  const names = (await readdir(SAMPLES)).filter((name) => /\.(?:jpg|png|gif|webp)$/.test(name))
  for (const name of names) await copyFile(join(SAMPLES, name), join(world.pictures, name))
  expect(child.started).not.toContain('practice')
  const added = await world.app.engine.call('intake.add', { paths: [world.pictures], recipe: DEFAULT_RECIPE })
  const batchId = added.ok ? added.value.batchId : ''
  await world.until('the pictures wait', () => world.state!.counts.ready === 8)
  await world.until('the page knows why', () => world.state!.service?.unreachable?.code === 'service_unreachable')
  expect(await readFile(join(world.dataDir, 'logs/hangar.log'), 'utf8')).toContain('it ended with the code 1')
  child.hasPractice = true
  await world.until('the pictures are done', async () => {
    const { sections } = await world.ask('jobs.index', { filter: { batchId, states: ['done'] } })
    return sections.flatMap(({ ids }) => ids).length >= 8
  })
  await world.until('the page knows', () => world.state!.service!.unreachable === null)
})

it('what the environment gives is used, taken away, and cannot be changed from the page', async () => {
  const other = await startPractice({ seed: 1, apiKey: CANARY_KEY })
  onTestFinished(() => other.close())
  const env: NodeJS.ProcessEnv = { HANGAR_API_KEY: CANARY_KEY, HANGAR_SERVICE_URL: other.imageBaseUrl }
  world = await AppWorld.open({ env })
  expect(env['HANGAR_API_KEY']).toBeUndefined()
  expect(world.state?.service).toMatchObject({ practice: false, hasKey: true, hold: null })
  expect(await world.ask('keys.status', { name: 'image' })).toMatchObject({ present: true })
  expect((await world.ask('credits.balance', {})).balance).toBeGreaterThan(0)
  expect(await world.refusal('settings.set', { imageBaseUrl: null })).toBe('bad_request')
  const { imageBaseUrl } = other
  // What is answered is in force, though nothing of it is stored.
  expect(await world.ask('settings.set', { paused: true })).toMatchObject({ imageBaseUrl, paused: true })
  expect(await world.ask('settings.set', { imageBaseUrl, paused: false })).toMatchObject({ imageBaseUrl })
})

it('a first start makes texts in the language of the system, until another is chosen', async () => {
  world = await AppWorld.open({ locale: 'de-CH' })
  const { recipe } = world.state!.settings
  expect(recipe.languages).toEqual(['de'])
  await world.ask('settings.set', { recipe: { ...recipe, languages: ['it'] } })
  await world.app.stop(1000)
  await world.start({ locale: 'fr' })
  expect(world.state!.settings.recipe.languages).toEqual(['it'])
})

it('a start that pauses is paused before anything is sent', async () => {
  world = await AppWorld.open({ paused: true })
  expect(world.app.engine.snapshot().settings.paused).toBe(true)
  await copyFile(join(SAMPLES, 'club-badge.png'), join(world.pictures, 'badge.png'))
  await orThrow(world.app.engine.call('intake.add', { paths: [world.pictures], recipe: DEFAULT_RECIPE }))
  await world.until('it waits', () => world.state!.counts.ready === 1)
  await world.app.stop(1000)
  await world.start()
  expect(world.state!.settings.paused).toBe(true)
  await world.app.stop(1000)
  await world.start({ paused: false })
  expect(world.state!.settings.paused).toBe(false)
  await world.until('it is done', () => world.state!.counts.done === 1)
})

it('facts for a bug report name no key, no address, no folder, no file and no text', async () => {
  const dir = 'canary-folder'
  world = await AppWorld.open()
  const folder = join(world.pictures, dir)
  await mkdir(folder)
  await copyFile(join(SAMPLES, 'club-badge.png'), join(folder, 'canary-name.png'))
  await writeFile(join(folder, 'canary-broken.jpg'), 'this is no picture')
  await world.ask('settings.set', { verboseLog: true })
  const { places } = world.app.host
  const recipe = {
    ...DEFAULT_RECIPE,
    name: 'canary-recipe',
    naming: 'canary-template/{seo}',
    rules: [{ kind: 'never' as const, words: 'canary-word', language: null }],
    output: {
      kind: 'folder' as const,
      dir: places.register(join(world.dir, 'canary-out'), 'folder').token,
      path: '',
    },
    project: { kind: 'name' as const, name: 'canary-project' },
  }
  await mkdir(join(world.dir, 'canary-out'))
  await world.ask('settings.set', { recipe })
  const { token } = places.register(folder, 'folder')
  await world.ask('folders.add', { path: token, recipe, include: [], exclude: ['canary-glob*'] })
  await world.ask('settings.set', { inboxDir: token })
  await world.until('both were looked at', () => world.state!.counts.done + world.state!.counts.failed === 2)
  await world.ask('settings.set', { imageBaseUrl: 'https://canary-host.example/canary-path/api/v1' })
  await world.ask('keys.set', { name: 'image', key: CANARY_KEY })
  world.app.log.debug('said where more is asked for')
  world.app.log.warn('something failed', {
    error: `EACCES: permission denied, open '${folder}/canary-name.png'`,
    path: join(folder, 'canary-name.png'),
    name: 'canary-name.png',
    what: 'canary-name.png',
    key: CANARY_KEY,
    count: 7,
  })
  const logs = join(world.dataDir, 'logs')
  await appendFile(join(logs, 'hangar.log'), 'no line\n{}\nnull\n')
  const { text, filename } = await world.ask('app.diagnostics', {})
  expect(filename).toMatch(/^hangar-diagnostics-.*\.json$/)
  expect(text).not.toMatch(/canary/i)
  expect(text).not.toContain(world.dir)
  const facts = JSON.parse(text) as { counts: object; reasons: object; log: object[]; journal: { bytes: number } }
  expect(facts.counts).toMatchObject({ done: 1, failed: 1 })
  expect(facts.reasons).toEqual({ 'failed/not_an_image': 1 })
  expect(facts.journal.bytes).toBeGreaterThan(0)
  expect(facts.log).toContainEqual(expect.objectContaining({ message: 'something failed', error: 'EACCES', count: 7 }))
  expect(facts.log).toContainEqual(expect.objectContaining({ message: 'said where more is asked for' }))
  // From the command line, while it runs.
  const { stdout } = await runCli(['diagnostics', '--data-dir', world.dataDir])
  expect(stdout).not.toMatch(/canary/i)
  expect(stdout).not.toContain(world.dir)
  const { counts, reasons, log, folders } = JSON.parse(stdout) as typeof facts & { folders: object[] }
  expect({ counts, reasons }).toEqual({ counts: facts.counts, reasons: facts.reasons })
  expect(folders).toMatchObject([{ state: 'watched', excludes: 1 }])
  expect(log).toContainEqual(expect.objectContaining({ message: 'something failed', error: 'EACCES', count: 7 }))
  for (const name of await readdir(logs)) expect(await readFile(join(logs, name), 'utf8')).not.toContain(CANARY_KEY)
  expect(JSON.stringify(world.messages)).not.toContain(CANARY_KEY)
})
