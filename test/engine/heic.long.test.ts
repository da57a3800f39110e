import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { fingerprint } from '../files/temp-folder.ts'
import { heicOf, quarters, quartersIn, turnedHeic } from '../images/heic-pictures.ts'
import { describeWith, programs } from '../needs.ts'
import { previewToEnd, RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, outcomes, put, read, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const jpeg = () => quarters(160, 120).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()

const open = (dataDir = world.newDataFolder(), more = {}) => world.engine(dataDir, more)
const run = (engine: Engine, recipe: Partial<Recipe> = {}) =>
  runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...recipe } })

describeWith(programs('heif-enc'))('a HEIC', () => {
  it('is sent as a JPEG, compressed, described and converted, and stays as it was', async () => {
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
    const notes = ['sent_converted: JPEG, 120 × 160']
    expect(outcomes(await run(engine))).toEqual({ 'IMG_0001.HEIC': ['done', null, notes] })
    expect(world.charges.map(({ operation, filename }) => [operation, filename])).toEqual([['process', 'IMG_0001.jpg']])
    expect(await fingerprint(path)).toBe(before)
    for (const name of ['IMG_0001-optimized.jpg', 'IMG_0001.webp']) {
      const { width, height, icc, orientation = 1 } = await sharp(await read(name)).metadata()
      expect([width, height, orientation]).toEqual([120, 160, 1])
      expect(icc?.includes('P3', 0, 'latin1') || icc?.includes(Buffer.from('P\u00003', 'latin1'))).toBe(true)
      expect(await quartersIn(await read(name))).toEqual(['blue', 'red', 'grey', 'green'])
    }
    expect((await sidecarOf('IMG_0001.HEIC')).notes).toEqual(notes)
    await world.stop(engine)
    // Known by its content from now on, and never again a picture of ours.
    const again = await run(await open())
    expect(new Set(again.map(({ reason }) => reason?.code))).toEqual(new Set(['own_output', 'already_done']))
    expect(world.charges).toHaveLength(1)
  })

  it('that can be seen through is sent as a PNG; one under another name is a HEIC all the same', async () => {
    await put('glass.heif', heicOf([await quarters(160, 120, 60).png().toBuffer()]))
    await put('shared.jpg', heicOf([await jpeg()]))
    expect(outcomes(await run(await open()))).toEqual({
      'glass.heif': ['done', null, ['sent_converted: PNG, 160 × 120', 'converted_larger: 51']],
      'shared.jpg': ['done', null, ['sent_converted: JPEG, 160 × 120']],
    })
    expect(Object.keys(await world.listing())).toContain('glass-optimized.png')
  })
})
