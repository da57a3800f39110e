import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SET_ASIDE_FOLDER } from '../../src/main/files/set-aside.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { deepGrey, photo } from '../images/served-files.ts'
import { ask, EngineWorld, RECIPE, runToEnd } from './engine-harness.ts'
import { serveOtherFile } from './serve-other-file.ts'

let world: EngineWorld
let engine: Engine
let dataDir: string
let pictures = 0
const OPTIMIZE = { ...RECIPE, operation: 'optimize' as const }
const service = serveOtherFile(Buffer.alloc(0))

beforeAll(async () => {
  world = await EngineWorld.open()
  dataDir = world.newDataFolder()
  engine = await world.engine(dataDir, { http: service })
})

afterAll(() => world.close())

/** One picture with what the service gives for it: what is in its place then, the names beside it, and what was kept aside. */
async function run(original: Buffer, served: Buffer, kind: 'replace' | 'beside') {
  pictures += 1
  const stem = `${pictures}.`
  const name = `${stem}${(await sharp(original).metadata()).format}`
  const path = join(world.pictures, name)
  await writeFile(path, original)
  service.bytes = served
  const [job] = await runToEnd(engine, [path], { recipe: { ...OPTIMIZE, output: { kind } } })
  const aside = (await readdir(join(dataDir, SET_ASIDE_FOLDER)).catch(() => [])).find((one) => one.startsWith(job!.id))
  const kept = aside === undefined ? null : await readFile(join(dataDir, SET_ASIDE_FOLDER, aside))
  const names = (await readdir(world.pictures)).filter((one) => one.startsWith(stem))
  return { job: job!, path, there: await readFile(path), names, kept }
}

const jpeg = (image: Sharp, quality = 60): Promise<Buffer> => image.jpeg({ quality }).toBuffer()
const WHOLE = photo(1)

const NOT_THIS_PICTURE: [what: string, original: () => Promise<Buffer>, served: () => Promise<Buffer>, why: string][] =
  [
    ['half the size', () => jpeg(WHOLE(), 95), () => jpeg(WHOLE().resize(160, 120)), 'served_size'],
    ['one pixel', () => jpeg(WHOLE(), 95), () => jpeg(WHOLE().resize(1, 1)), 'served_size'],
    ['another picture', () => jpeg(WHOLE(), 95), () => jpeg(photo(2)()), 'served_other_picture'],
    ['the picture mirrored', () => jpeg(WHOLE(), 95), () => jpeg(WHOLE().flop()), 'served_other_picture'],
    [
      'the picture without its transparency',
      () => WHOLE().composite([hole()]).png().toBuffer(),
      () => WHOLE().png({ palette: true }).toBuffer(),
      'served_opaque',
    ],
  ]

const hole = (): OverlayOptions => ({
  input: { create: { width: 90, height: 60, channels: 4, background: '#fff' } },
  blend: 'dest-out',
  left: 20,
  top: 30,
})

it.each(NOT_THIS_PICTURE)('is never taken for a result: %s', async (what, original, served, why) => {
  const [first, other] = [await original(), await served()]
  const before = world.charges.length
  // Other bytes each time, or the second would use what was paid for the first.
  const both = (['replace', 'beside'] as const).map((kind) =>
    run(Buffer.concat([first, Buffer.from(`${what} ${kind}`)]), other, kind),
  )
  for (const { job, there, names, kept } of await Promise.all(both)) {
    expect(job).toMatchObject({ state: 'failed', reason: { code: 'not_this_picture', detail: { code: why } } })
    expect(there.subarray(0, first.length).equals(first)).toBe(true)
    expect(names).toHaveLength(1)
    expect(kept?.equals(other)).toBe(true)
  }
  expect(world.charges).toHaveLength(before + 2)
})

it('is asked for again by a person only, and for free', async () => {
  const original = await jpeg(photo(5)(), 95)
  const { job, path } = await run(original, await jpeg(photo(2)()), 'replace')
  const [paid, fetched] = [world.charges.length, service.downloads]
  expect(job.state).toBe('failed')
  const [again] = await runToEnd(engine, [path], { recipe: { ...OPTIMIZE, output: { kind: 'replace' } } })
  expect(again?.state).toBe('failed')
  expect(world.charges).toHaveLength(paid)
  service.bytes = await jpeg(photo(5)())
  await ask(engine, 'jobs.resolve', { ids: [again!.id], how: 'fetch_again' })
  await expect.poll(async () => (await readFile(path)).equals(original)).toBe(false)
  expect(service.downloads).toBeGreaterThan(fetched)
  expect(world.charges).toHaveLength(paid)
})

it('has its orientation back where the service dropped it', async () => {
  const original = await jpeg(photo(3)().withMetadata({ orientation: 6 }), 95)
  const { job, there } = await run(original, await jpeg(photo(3)()), 'replace')
  expect(job).toMatchObject({ state: 'done', notes: [] })
  expect(there.equals(original)).toBe(false)
  expect((await sharp(there).metadata()).orientation).toBe(6)
})

it('replaces no original of 16 bits by one of 8, and says what is lost', async () => {
  const deep = deepGrey()
  const served = await sharp(deep).toColourspace('b-w').png({ palette: true }).toBuffer()
  const { job, there } = await run(deep, served, 'replace')
  expect(job.state).toBe('done')
  expect(job.notes.map(({ code }) => code)).toEqual(['fine_shades_lost', 'original_not_replaced'])
  expect(there.equals(deep)).toBe(true)
})
