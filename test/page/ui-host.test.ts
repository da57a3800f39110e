import { copyFile, mkdir, readdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { CALLS } from '../../src/shared/contract/calls.ts'
import type { JobRow } from '../../src/shared/contract/jobs.ts'
import type { UiRecipe } from '../../src/shared/contract/places.ts'
import { sha256 } from '../files/temp-folder.ts'
import { AppWorld, SAMPLES } from './app-harness.ts'

const RECIPE: UiRecipe = { ...DEFAULT_RECIPE, output: { kind: 'beside' }, languages: ['en', 'de'] }

let world: AppWorld
let samples: { batchId: string; dir: string; rows: JobRow[] }

const rowsOf = async (batchId: string): Promise<JobRow[]> => {
  const { sections } = await world.ask('jobs.index', { filter: { batchId } })
  return (await world.ask('jobs.rows', { ids: sections.flatMap(({ ids }) => ids) })).rows
}
/** Every sample of the batch is listed and has ended, and the page knows it. */
const haveEnded = async (batchId: string): Promise<boolean> => {
  const rows = await rowsOf(batchId)
  const isActive = ({ state }: JobRow) => ['ready', 'sending', 'waiting', 'fetching', 'writing'].includes(state)
  const { done } = world.app.engine.snapshot().counts
  return rows.length >= 8 && !rows.some(isActive) && world.state!.counts.done === done
}
/** What the shell was asked for; a notice of pictures that were done before may come at any time. */
const askedOfShell = () => world.shell.asked.filter(([what]) => what !== 'notify')
const hashOf = async (path: string) => sha256(await readFile(path))

beforeAll(async () => {
  world = await AppWorld.open()
  await world.ask('settings.set', { recipe: RECIPE })
  const { batchId, place } = await world.ask('intake.samples', {})
  await world.until('the samples are done', () => haveEnded(batchId))
  samples = { batchId, dir: place.path, rows: await rowsOf(batchId) }
})
afterAll(() => world.close())

it('sample pictures are copied into a fresh folder and processed by the default recipe, start to end', async () => {
  expect(samples.rows.map(({ state }) => state)).toEqual(samples.rows.map(() => 'done'))
  expect(dirname(samples.dir)).toBe(world.dataDir)
  for (const { name } of samples.rows)
    expect(await hashOf(join(samples.dir, name))).toBe(await hashOf(join(SAMPLES, name)))
  expect(world.state?.counts.done).toBe(samples.rows.length)
  expect(world.state?.service).toMatchObject({ practice: true })
  expect(world.state?.progress).toMatchObject({ leftMs: null })
})

it('the details of a picture have its texts, its results and what happened', async () => {
  const row = samples.rows.find((one) => one.name === 'red-hangar.jpg')!
  const detail = await world.ask('jobs.detail', { id: row.id })
  expect(CALLS['jobs.detail'].response.parse(detail)).toEqual(detail)
  expect(detail.texts.map(({ languageCode }) => languageCode)).toEqual(['en', 'de'])
  expect(detail.outputs.map(({ role, state }) => [role, state])).toEqual([
    ['optimized', 'published'],
    ['converted', 'published'],
    ['sidecar', 'published'],
  ])
  expect(detail.history.at(-1)?.state).toBe('done')
  expect(detail.service.practice).toBe(true)
  expect(detail.restorable).toBe(false)
})

describe('previews', () => {
  it('are WebP made here, of every kind, and no larger than they need to be', async () => {
    for (const row of samples.rows) {
      const thumb = await world.app.host.picture(row.id, 'thumb')
      const { format, width, height } = await sharp(thumb!.bytes).metadata()
      expect([thumb!.type, format]).toEqual(['image/webp', 'webp'])
      expect(Math.max(width, height)).toBe(320)
    }
    const row = samples.rows.find(({ name }) => name === 'red-hangar.jpg')!
    for (const kind of ['original', 'optimized', 'converted'] as const) {
      const large = await world.app.host.picture(row.id, kind)
      const { format, width, height } = await sharp(large!.bytes).metadata()
      expect(format).toBe('webp')
      expect(Math.max(width, height)).toBe(Math.min(1600, Math.max(row.width!, row.height!)))
    }
  })

  it('do not show a file outside the folder that the job is about', async () => {
    const secret = join(world.dir, 'secret.jpg')
    await copyFile(join(SAMPLES, 'red-hangar.jpg'), secret)
    const row = samples.rows.find(({ name }) => name === 'airfield-at-dawn.jpg')!
    const path = join(row.dir, row.name)
    await unlink(path)
    await symlink(secret, path)
    expect(await world.app.host.picture(row.id, 'original')).toBeNull()
    expect(await world.app.host.output(row.id, null)).toBeNull()
    await unlink(path)
    await copyFile(join(SAMPLES, row.name), path)
  })
})

it('files are shown and dragged only when a job names them', async () => {
  const row = samples.rows.find(({ name }) => name === 'red-hangar.jpg')!
  world.shell.asked.length = 0
  await world.ask('outputs.reveal', { id: row.id, index: null })
  await world.ask('outputs.drag', {
    items: [
      { id: row.id, index: null },
      { id: row.id, index: 0 },
    ],
  })
  const optimized = (await world.app.host.output(row.id, 0))!
  expect(optimized.name).toBe(basename(optimized.path))
  const original = join(row.dir, row.name)
  expect(askedOfShell()).toEqual([
    ['reveal', original],
    ['startDrag', original, optimized.path],
  ])
  expect(await world.refusal('outputs.reveal', { id: row.id, index: 99 })).toBe('not_found')
  expect(await world.refusal('outputs.reveal', { id: row.id, index: -1 })).toBe('not_found')
  expect(await world.refusal('outputs.reveal', { id: 'x', index: 0 })).toBe('not_found')
})

it('an original that was replaced is shown as it was, and brought back', async () => {
  const path = join(world.pictures, 'mine.jpg')
  await copyFile(join(SAMPLES, 'red-hangar.jpg'), path)
  const before = await hashOf(path)
  world.shell.toPick = [path]
  const { places } = await world.ask('places.pick', { kind: 'files' })
  const { batchId } = await world.ask('intake.add', {
    paths: places.map(({ token }) => token),
    recipe: { ...RECIPE, name: 'Replace', operation: 'optimize', output: { kind: 'replace' } },
  })
  await world.until('it is done', async () => (await rowsOf(batchId))[0]?.state === 'done')
  const [row] = await rowsOf(batchId)
  expect(row).toMatchObject({ replaced: true, name: 'mine.jpg' })
  expect(await hashOf(path)).not.toBe(before)
  expect((await world.ask('jobs.detail', { id: row!.id })).restorable).toBe(true)
  const original = await world.app.host.picture(row!.id, 'original')
  expect((await sharp(original!.bytes).metadata()).format).toBe('webp')
  const other = samples.rows[0]!.id
  expect((await world.ask('jobs.restore', { ids: [row!.id, other, 'not there'] })).results).toEqual([
    { id: row!.id, restored: true, problem: null, why: null },
    { id: other, restored: false, problem: 'not_replaced', why: { code: 'restore_nothing_kept' } },
    { id: 'not there', restored: false, problem: 'not_found', why: { code: 'picture_gone' } },
  ])
  expect(await hashOf(path)).toBe(before)
  expect((await world.ask('jobs.detail', { id: row!.id })).restorable).toBe(false)
})

describe('folders of this computer', () => {
  it('can be browsed and made, from the home folder to the root', async () => {
    const { token } = world.app.host.places.register(world.pictures, 'folder')
    await mkdir(join(world.pictures, 'Zeppelin'))
    await mkdir(join(world.pictures, 'aero 10'))
    await mkdir(join(world.pictures, 'aero 9'))
    await mkdir(join(world.pictures, '.hidden'))
    await symlink(world.dataDir, join(world.pictures, 'link'))
    await writeFile(join(world.pictures, 'notes.txt'), '')
    const made = await world.ask('places.makeFolder', { parent: token, name: ' results ' })
    expect(made).toMatchObject({ name: 'results', path: join(world.pictures, 'results'), kind: 'folder' })
    const view = await world.ask('places.browse', { folder: token })
    expect(view.folders.map(({ name }) => name)).toEqual(['aero 9', 'aero 10', 'link', 'results', 'Zeppelin'])
    expect(view).toMatchObject({ cut: false, here: { token, path: world.pictures } })
    expect(view.pictures).toBeGreaterThan(0)
    let here = view
    while (here.parent !== null) here = await world.ask('places.browse', { folder: here.parent })
    expect(here.here.path).toBe('/')
    expect((await world.ask('places.browse', { folder: null })).here.kind).toBe('folder')
  })

  it('refuse names that are none, and places that are gone', async () => {
    const { token } = world.app.host.places.register(world.pictures, 'folder')
    for (const name of ['..', '.', 'a/b', '../x', '.git', 'a\\b', 'a\u0000b', '  '])
      expect([name, await world.refusal('places.makeFolder', { parent: token, name })]).toEqual([name, 'bad_request'])
    expect(await world.refusal('places.makeFolder', { parent: token, name: 'results' })).toBe('name_taken')
    const gone = world.app.host.places.register(join(world.dir, 'gone'), 'folder').token
    expect(await world.refusal('places.browse', { folder: gone })).toBe('not_found')
    expect(await world.refusal('settings.set', { inboxDir: gone })).toBe('not_found')
    const file = world.app.host.places.register(join(world.pictures, 'notes.txt'), 'file').token
    expect(await world.refusal('places.browse', { folder: file })).toBe('bad_request')
    expect(await world.refusal('places.browse', { folder: 'A'.repeat(24) })).toBe('not_found')
  })

  it('are watched with a recipe whose place is an id', async () => {
    const watched = join(world.dir, 'watched')
    const out = join(world.dir, 'out')
    await mkdir(watched)
    await mkdir(out)
    const { places } = world.app.host
    const recipe: UiRecipe = {
      ...RECIPE,
      name: 'Out',
      operation: 'convert',
      output: { kind: 'folder', dir: places.register(out, 'folder').token, path: '/somewhere/else' },
    }
    const { token } = places.register(watched, 'folder')
    const { id } = await world.ask('folders.add', { path: token, recipe, include: [], exclude: [] })
    await world.until('the page knows', () => world.state?.folders.some((folder) => folder.id === id) === true)
    const row = world.state!.folders.find((folder) => folder.id === id)!
    expect(row).toMatchObject({ path: watched, token, recipe: { output: { path: out } }, lastEventAtMs: null })
    await copyFile(join(SAMPLES, 'club-badge.png'), join(watched, 'new.png'))
    await world.until('it is done', () => world.state!.folders.some(({ counts }) => counts.done === 1))
    expect(world.state!.folders.find((folder) => folder.id === id)?.lastEventAtMs).not.toBeNull()
    expect(await readdir(out)).toContain('new.webp')
    await world.ask('folders.update', { id, changes: { paused: true } })
    await world.until('it is paused', () => world.state!.folders.some(({ paused }) => paused))
    await world.ask('folders.remove', { id })
    await world.until('it is gone', () => world.state!.folders.length === 0)
  })
})

it('settings are stored, told, and done where the shell has to do them', async () => {
  world.shell.asked.length = 0
  const next = await world.ask('settings.set', { startAtLogin: true, appearance: { theme: 'dark', language: 'de' } })
  expect(next).toMatchObject({ startAtLogin: true, appearance: { theme: 'dark' } })
  expect(askedOfShell()).toEqual([['setStartAtLogin', true]])
  await world.until('the page knows', () => world.state?.settings.appearance.theme === 'dark')
  expect(world.app.host.texts.text('menu.quit')).toBe('Hangar beenden')
  world.shell.capabilities.delete('startAtLogin')
  expect(await world.refusal('settings.set', { startAtLogin: false })).toBe('bad_request')
  world.shell.capabilities.add('startAtLogin')
  await world.ask('settings.set', { startAtLogin: false, appearance: { theme: 'system', language: 'system' } })
})

it('what a shell cannot do is refused instead of asked of it', async () => {
  const had = [...world.shell.capabilities]
  world.shell.capabilities.clear()
  world.shell.asked.length = 0
  const { token } = world.app.host.places.register(world.pictures, 'folder')
  const { id } = samples.rows[0]!
  const codes = [
    await world.refusal('places.pick', { kind: 'files' }),
    await world.refusal('places.browse', { folder: null }),
    await world.refusal('places.makeFolder', { parent: token, name: 'x' }),
    await world.refusal('places.reveal', { path: token }),
    await world.refusal('outputs.reveal', { id, index: null }),
    await world.refusal('outputs.drag', { items: [{ id, index: null }] }),
    await world.refusal('app.revealData', {}),
    await world.refusal('app.openExternal', { link: 'source' }),
  ]
  for (const capability of had) world.shell.capabilities.add(capability)
  expect(new Set(codes)).toEqual(new Set(['bad_request']))
  expect(world.shell.asked).toEqual([])
})
