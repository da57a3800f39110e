import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { fingerprint } from '../files/temp-folder.ts'
import { heicOf, quarters, quartersIn, turnedHeic } from '../images/heic-pictures.ts'
import { describeWith, programs } from '../needs.ts'
import { ask, EngineWorld, previewToEnd, RECIPE, runToEnd } from './engine-harness.ts'

let world: EngineWorld
let bin: string
beforeEach(async () => {
  world = await EngineWorld.open()
  bin = join(world.dir, 'bin')
  await mkdir(bin)
})
afterEach(() => world.close())

const jpeg = () => quarters(160, 120).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()

async function put(name: string, bytes: Buffer): Promise<string> {
  const path = join(world.pictures, name)
  await writeFile(path, bytes)
  return path
}
const read = (name: string) => readFile(join(world.pictures, name))

/** The real program, where it can be taken away, and with a note of each run. */
async function install(): Promise<void> {
  const path = join(bin, 'heif-convert')
  await writeFile(path, `#!/bin/sh\necho run >> '${join(world.dir, 'runs')}'\nexec /usr/bin/heif-convert "$@"\n`)
  await chmod(path, 0o755)
}
const runs = async () => (await readFile(join(world.dir, 'runs'), 'utf8').catch(() => '')).split('run').length - 1
const open = (dataDir = world.newDataFolder(), more = {}) => world.engine(dataDir, { heicPath: bin, ...more })
const run = (engine: Engine, recipe: Partial<Recipe> = {}) =>
  runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...recipe } })
const outcome = (jobs: readonly JobView[]) =>
  jobs
    .toSorted((a, b) => (a.source.path < b.source.path ? -1 : 1))
    .map(({ source, state, reason, notes }) => [
      source.path.slice(world.pictures.length + 1),
      state,
      reason?.code ?? notes.map(({ code, detail }) => `${code}: ${detail}`).join(', '),
    ])

describeWith(programs('heif-enc', 'heif-convert'))('a HEIC', () => {
  it('is sent as a JPEG, compressed, described and converted, once decoded, and stays as it was', async () => {
    await install()
    const path = await put('IMG_0001.HEIC', turnedHeic(heicOf([await jpeg()]), 3))
    const before = await fingerprint(path)
    const dataDir = world.newDataFolder()
    const engine = await open(dataDir)
    const request = { paths: [world.pictures], recipe: RECIPE, include: [], exclude: [], insteadOf: [] }
    const seen = await previewToEnd(engine, request)
    expect(seen).toMatchObject({ pictures: 1, toSend: 1, otherTypes: 0 })
    expect(seen.examples[0]?.outputs.toSorted()).toEqual([
      'IMG_0001-optimized.jpg',
      'IMG_0001.HEIC.alt.json',
      'IMG_0001.webp',
    ])
    expect(outcome(await run(engine))).toEqual([['IMG_0001.HEIC', 'done', 'sent_converted: JPEG, 120 × 160']])
    expect(world.charges.map(({ operation, filename }) => [operation, filename])).toEqual([['process', 'IMG_0001.jpg']])
    expect(await fingerprint(path)).toBe(before)
    for (const name of ['IMG_0001-optimized.jpg', 'IMG_0001.webp']) {
      const { width, height, icc, orientation = 1 } = await sharp(await read(name)).metadata()
      expect([width, height, orientation]).toEqual([120, 160, 1])
      expect(icc?.includes('P3', 0, 'latin1') || icc?.includes(Buffer.from('P\u00003', 'latin1'))).toBe(true)
      expect(await quartersIn(await read(name))).toEqual(['blue', 'red', 'grey', 'green'])
    }
    const sidecar = JSON.parse((await read('IMG_0001.HEIC.alt.json')).toString()) as { notes: string[] }
    expect(sidecar.notes).toEqual(['sent_converted: JPEG, 120 × 160'])
    // For the preview; the intake, the copy and the conversion found what it made.
    expect(await runs()).toBe(1)
    await world.stop(engine)
    expect((await readdir(dataDir)).filter((name) => name.includes('decoded'))).toEqual([])
    // Known by its content from now on, and never again a picture of ours.
    const again = await run(await open())
    expect(new Set(again.map(({ reason }) => reason?.code))).toEqual(new Set(['own_output', 'already_done']))
    expect(world.charges).toHaveLength(1)
  })

  it('that can be seen through is sent as a PNG; one under another name is a HEIC all the same', async () => {
    await install()
    await put('glass.heif', heicOf([await quarters(160, 120, 60).png().toBuffer()]))
    await put('shared.jpg', heicOf([await jpeg()]))
    expect(outcome(await run(await open()))).toEqual([
      ['glass.heif', 'done', 'sent_converted: PNG, 160 × 120, converted_larger: 34'],
      ['shared.jpg', 'done', 'sent_converted: JPEG, 160 × 120'],
    ])
    expect(Object.keys(await world.listing())).toContain('glass-optimized.png')
  })

  it('fails without a program, free of charge and with what to install, and is taken once there is one', async () => {
    await put('a.heic', heicOf([await jpeg()]))
    await world.addPicture('b.jpg', 1)
    const engine = await open()
    expect(outcome(await run(engine, { operation: 'optimize' }))).toEqual([
      ['a.heic', 'failed', 'no_heic_program'],
      ['b.jpg', 'done', ''],
    ])
    expect(world.charges).toHaveLength(1)
    expect(engine.heic.isThere).toBe(false)
    await install()
    const again = await run(engine, { operation: 'optimize' })
    expect(outcome(again)[0]).toEqual(['a.heic', 'done', 'sent_converted: JPEG, 160 × 120'])
    expect(world.charges).toHaveLength(2)
  })

  it('whose program is gone when its copy is to be made is not paid for, and a retry goes on', async () => {
    await install()
    await put('a.heic', heicOf([await jpeg()]))
    const dataDir = world.newDataFolder()
    const first = await open(dataDir, { paused: true })
    await ask(first, 'intake.add', { paths: [world.pictures], recipe: RECIPE, confirmed: true })
    await expect.poll(() => first.snapshot().counts.ready, { timeout: 60_000 }).toBe(1)
    await world.stop(first)
    await rename(join(bin, 'heif-convert'), join(bin, 'away'))
    const engine = await open(dataDir, { paused: false })
    const job = async () => (await ask(engine, 'jobs.list', {})).jobs[0]!
    await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe('failed')
    expect(await job()).toMatchObject({ reason: { code: 'no_heic_program' }, nextSteps: ['retry', 'drop'] })
    expect(world.charges).toEqual([])
    await rename(join(bin, 'away'), join(bin, 'heif-convert'))
    await ask(engine, 'jobs.retry', { ids: [(await job()).id] })
    await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe('done')
    expect(world.charges).toHaveLength(1)
  })

  it('is left out of a watched folder, and counted, until it is chosen', async () => {
    await install()
    await put('a.heic', heicOf([await jpeg()]))
    const engine = await open(undefined, { watch: true })
    const order = { path: world.pictures, recipe: RECIPE, include: [], exclude: [], askAbove: 100 }
    const { id } = await ask(engine, 'folders.add', order)
    await expect
      .poll(async () => (await ask(engine, 'folders.list', {})).folders[0]?.leftOut.first[0]?.reason, {
        timeout: 60_000,
      })
      .toEqual({ code: 'format_left_out', values: { count: 1 } })
    await ask(engine, 'folders.update', { id, changes: { alsoTakes: ['heic'] }, reprocess: false })
    await expect
      .poll(async () => (await ask(engine, 'folders.list', {})).folders[0]?.counts.done, { timeout: 60_000 })
      .toBe(1)
  })

  it('leaves nothing decoded in the data folder after a kill', async () => {
    await install()
    await put('a.heic', heicOf([await jpeg()]))
    const dataDir = world.newDataFolder()
    const left = join(dataDir, '.hangar-decoded')
    await mkdir(left, { recursive: true })
    await writeFile(join(left, 'picture.png'), 'left by a kill')
    await open(dataDir)
    await expect(stat(left)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
