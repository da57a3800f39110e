import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { noteText } from '../../src/shared/sentences/reason-text.ts'
import { microVideo, ultraHdr } from '../images/extra-pictures.ts'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

beforeEach(async () => {
  await mkdir(world.pictures, { recursive: true })
})

const put = (name: string, bytes: Buffer) => writeFile(join(world.pictures, name), bytes)
const read = (name: string) => readFile(join(world.pictures, name))
const names = async () => (await readdir(world.pictures)).sort()
const codes = (job: Job | undefined) =>
  job!.notes.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`))
const REPLACE = { ...RECIPE, output: { kind: 'replace' as const } }

it('says by name what the results of a picture lack, in the job and in the sidecar', async () => {
  await put('hdr.jpg', await ultraHdr({ side: 200 }))
  await put('moving.jpg', await microVideo(200))
  const jobs = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
  const of = (name: string) => jobs.find(({ source }) => source.path.endsWith(name))
  expect(codes(of('hdr.jpg'))).toContain('gain_map_lost: both')
  expect(codes(of('moving.jpg'))).toContain('motion_lost: both')
  expect(codes(of('hdr.jpg'))).not.toContain('data_after_image_end')
  const sidecar = JSON.parse((await read('hdr.jpg.alt.json')).toString()) as { notes: string[] }
  expect(sidecar.notes).toContain('gain_map_lost: both')
  const note = of('hdr.jpg')!.notes.find(({ code }) => code === 'gain_map_lost')!
  expect(noteText(note)).toBe('The gain map for HDR screens is not in the compressed and the converted file.')
})

it('leaves an original with a gain map in its place, and puts the compressed file beside it', async () => {
  const original = await ultraHdr({ side: 200 })
  await put('hdr.jpg', original)
  await put('plain.jpg', await noise(200, 150).jpeg({ quality: 98 }).toBuffer())
  const engine = await world.engine(world.newDataFolder())
  const jobs = await runToEnd(engine, [world.pictures], { recipe: REPLACE })
  const hdr = jobs.find(({ source }) => source.path.endsWith('hdr.jpg'))
  expect((await read('hdr.jpg')).equals(original)).toBe(true)
  expect(codes(hdr)).toEqual(expect.arrayContaining(['gain_map_lost: both', 'original_not_replaced']))
  expect(await names()).toContain('hdr-optimized.jpg')
  expect(await names()).not.toContain('plain-optimized.jpg')
  // Neither is anything sent or written by a second run, also by one that knows the sidecars only.
  const before = await world.listing()
  await runToEnd(engine, [world.pictures], { recipe: REPLACE })
  await world.stop(engine)
  await runToEnd(await world.engine(world.newDataFolder()), [join(world.pictures, 'hdr.jpg')], { recipe: REPLACE })
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(2)
})

it('replaces such an original where the recipe insists, and says where the rest of it is', async () => {
  const original = await ultraHdr({ side: 200 })
  await put('hdr.jpg', original)
  const recipe = { ...REPLACE, replaceLosesExtras: true }
  const [job] = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures], { recipe })
  expect((await read('hdr.jpg')).equals(original)).toBe(false)
  expect(codes(job)).toEqual(expect.arrayContaining(['gain_map_lost: both', 'lost_in_replacement']))
  expect(codes(job)).not.toContain('original_not_replaced')
  const kept = await readdir(join(world.pictures, '.hangar-originals'))
  const same = await Promise.all(
    kept.map(async (name) => (await readFile(join(world.pictures, '.hangar-originals', name))).equals(original)),
  )
  expect(same).toContain(true)
})

it('says nothing of 64 bytes of padding, and of other data not that they are a video', async () => {
  const picture = await noise(200, 150).jpeg({ quality: 98 }).toBuffer()
  await put('padded.jpg', Buffer.concat([picture, Buffer.alloc(64)]))
  await put(
    'appended.jpg',
    Buffer.concat([await sharp(picture).jpeg({ quality: 97 }).toBuffer(), Buffer.from('a log')]),
  )
  const jobs = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
  const of = (name: string) => jobs.find(({ source }) => source.path.endsWith(name))
  const ofExtras = (job: Job | undefined) => codes(job).filter((code) => !code.startsWith('converted_'))
  expect(ofExtras(of('padded.jpg'))).toEqual([])
  expect(ofExtras(of('appended.jpg'))).toEqual(['data_after_image_end'])
})

it('says what narrower files lack where they are all that was kept', async () => {
  await put('hdr.jpg', await ultraHdr({ side: 400, quality: 20 }))
  const recipe = { ...RECIPE, operation: 'convert' as const, keepLarger: false, widths: [100] }
  const [job] = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures], { recipe })
  expect(job!.outputs.map(({ role }) => role).sort()).toEqual(['sidecar', 'variant'])
  expect(codes(job)).toEqual([expect.stringMatching(/^converted_not_kept/), 'gain_map_lost: converted'])
})
