import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { noteText } from '../../src/shared/sentences/reason-text.ts'
import { microVideo, ultraHdr } from '../images/extra-pictures.ts'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { at, names, notesOf, openWorldForEachTest, put, read, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const REPLACE = { ...RECIPE, output: { kind: 'replace' as const } }

it('says by name what the results of a picture lack, in the job and in the sidecar', async () => {
  await put('hdr.jpg', await ultraHdr({ side: 200 }))
  await put('moving.jpg', await microVideo(200))
  const jobs = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
  const of = (name: string) => jobs.find(({ source }) => source.path.endsWith(name))
  expect(notesOf(of('hdr.jpg'))).toContain('gain_map_lost: both')
  expect(notesOf(of('moving.jpg'))).toContain('motion_lost: both')
  expect(notesOf(of('hdr.jpg'))).not.toContain('data_after_image_end')
  expect((await sidecarOf('hdr.jpg')).notes).toContain('gain_map_lost: both')
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
  expect(notesOf(hdr)).toEqual(expect.arrayContaining(['gain_map_lost: both', 'original_not_replaced']))
  expect(await names()).toContain('hdr-optimized.jpg')
  expect(await names()).not.toContain('plain-optimized.jpg')
  // Neither is anything sent or written by a second run, also by one that knows the sidecars only.
  const before = await world.listing()
  await runToEnd(engine, [world.pictures], { recipe: REPLACE })
  await world.stop(engine)
  await runToEnd(await world.engine(world.newDataFolder()), [at('hdr.jpg')], { recipe: REPLACE })
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(2)
})

it('replaces such an original where the recipe insists, and says where the rest of it is', async () => {
  const original = await ultraHdr({ side: 200 })
  await put('hdr.jpg', original)
  const recipe = { ...REPLACE, replaceLosesExtras: true }
  const [job] = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures], { recipe })
  expect((await read('hdr.jpg')).equals(original)).toBe(false)
  expect(notesOf(job)).toEqual(expect.arrayContaining(['gain_map_lost: both', 'lost_in_replacement']))
  expect(notesOf(job)).not.toContain('original_not_replaced')
  const kept = await readdir(at('.hangar-originals'))
  const same = await Promise.all(kept.map(async (name) => (await read(`.hangar-originals/${name}`)).equals(original)))
  expect(same).toContain(true)
})
