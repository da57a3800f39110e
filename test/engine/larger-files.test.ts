import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask, EngineWorld, RECIPE, runToEnd } from './engine-harness.ts'

let world: EngineWorld

beforeEach(async () => {
  world = await EngineWorld.open()
  await mkdir(world.pictures, { recursive: true })
  // Flat colour in a palette: a few hundred bytes that WebP at full quality cannot beat.
  const bars = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160">' +
      Array.from(
        { length: 60 },
        (_, n) => `<rect x="${n * 4}" width="2" height="160" fill="#${n % 2 ? '123' : 'fed'}"/>`,
      ).join('') +
      '</svg>',
  )
  await writeFile(join(world.pictures, 'bars.png'), await sharp(bars).png({ palette: true, colours: 4 }).toBuffer())
})

afterEach(() => world.close())

const files = async () => (await readdir(world.pictures)).sort()
const LARGE = { ...RECIPE, quality: 100 }

it('a converted file that is larger is kept where the recipe says nothing else, and the job says so', async () => {
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures], { recipe: LARGE })
  expect(job!.state).toBe('done')
  expect(job!.notes).toContainEqual({ code: 'converted_larger', detail: expect.stringMatching(/^\d+$/) as string })
  expect(await files()).toContain('bars.webp')
})

it('a converted file that is larger is left out where the recipe says so, without paying again', async () => {
  const recipe = { ...LARGE, keepLarger: false }
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir)
  const [job] = await runToEnd(engine, [world.pictures], { recipe })
  expect(job!.state).toBe('done')
  expect(job!.notes.map(({ code }) => code)).toContain('converted_not_kept')
  expect(job!.outputs.map(({ role }) => role)).not.toContain('converted')
  expect(await files()).not.toContain('bars.webp')
  expect(world.charges).toHaveLength(1)
  // The same order again finds it done; the other choice brings the file, for nothing.
  expect(await runToEnd(engine, [world.pictures], { recipe })).toEqual([])
  const [again] = await runToEnd(engine, [join(world.pictures, 'bars.png')], { recipe: LARGE })
  expect(again!.state).toBe('done')
  expect(await files()).toContain('bars.webp')
  expect(world.charges).toHaveLength(1)
  expect((await ask(engine, 'jobs.counts', {})).counts.failed).toBe(0)
})

it('what was left out is done also for another computer that knows the sidecar only', async () => {
  const recipe = { ...LARGE, keepLarger: false }
  const first = await world.engine(world.newDataFolder())
  await runToEnd(first, [world.pictures], { recipe })
  await world.stop(first)
  const second = await world.engine(world.newDataFolder())
  const jobs = await runToEnd(second, [join(world.pictures, 'bars.png')], { recipe })
  expect(jobs).toMatchObject([{ state: 'skipped', reason: { code: 'already_done' } }])
  const [wanted] = await runToEnd(second, [join(world.pictures, 'bars.png')], { recipe: LARGE })
  expect(wanted!.state).toBe('done')
  expect(await files()).toContain('bars.webp')
  expect(world.charges).toHaveLength(1)
})

it('a conversion without compression is compared with the original', async () => {
  const recipe = { ...LARGE, operation: 'convert' as const, keepLarger: false }
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures], { recipe })
  expect(job).toMatchObject({ state: 'done', notes: [{ code: 'converted_not_kept' }] })
  expect(await files()).toEqual(['bars.png', 'bars.png.alt.json'])
  await rm(join(world.pictures, 'bars.png.alt.json'))
  expect(world.charges).toEqual([])
})
