import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { noteText } from '../../src/shared/sentences/reason-text.ts'
import { exportJobs } from '../../src/shared/presentation/export-jobs.ts'
import { jobLine } from '../../src/main/cli/job-report.ts'
import { exportedJob } from '../../src/main/page/job-row.ts'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { serveOtherFile } from './serve-other-file.ts'
import { names, notesOf, openWorldForEachTest, put, read, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** Decoders skip such a segment; where the next one starts, and so what is metadata, nobody can tell. */
const WITHOUT_LENGTH = Buffer.from([0xff, 0xe9, 0, 0])
const damaged = (jpeg: Buffer): Buffer => Buffer.concat([jpeg.subarray(0, 2), WITHOUT_LENGTH, jpeg.subarray(2)])

/** A picture with credits, and an engine whose service has made a damaged file of it. */
async function worldWithDamage() {
  // Coarse enough for the compressed file to be seen to show the same.
  const original = await noise(160, 120, 7)
    .blur(4)
    .normalise()
    .withExif({ IFD0: { Artist: 'Ann Lee' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 22/1 36/1' } })
    .jpeg({ quality: 98 })
    .toBuffer()
  await put('a.jpg', original)
  const served = damaged(await sharp(original).jpeg({ quality: 60 }).toBuffer())
  return { engine: await world.engine(world.newDataFolder(), { http: serveOtherFile(served) }), original, served }
}

describe("a service's file whose metadata cannot be parsed", () => {
  it('is published as it came where everything is kept, and the job says which credits nobody looked for', async () => {
    const { engine, served } = await worldWithDamage()
    const [job] = await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, metadata: 'keep-all' } })
    expect(job).toMatchObject({ state: 'done' })
    expect((await read('a-optimized.jpg')).equals(served)).toBe(true)
    expect(notesOf(job)).toContain('credits_unchecked: creator')
    expect(noteText(job!.notes.find(({ code }) => code === 'credits_unchecked')!)).toMatch(/creator/)
  })

  it.each([
    ['keep-without-location', 'place'],
    ['strip', 'all'],
  ] as const)('is left out under %s, while the texts and the converted file are there', async (metadata, detail) => {
    const { engine, original } = await worldWithDamage()
    const recipe = { ...RECIPE, metadata }
    const [job] = await runToEnd(engine, [world.pictures], { recipe })
    expect(job).toMatchObject({ state: 'done', reason: null })
    expect(await names()).toEqual(['a.jpg', 'a.jpg.alt.json', 'a.webp'])
    expect(notesOf(job)).toContain(`optimized_not_cleaned: ${detail}`)
    const sidecar = await sidecarOf()
    expect(sidecar.notes).toContain(`optimized_not_cleaned: ${detail}`)
    expect(sidecar.outputs.map(({ role }) => role)).toEqual(['converted'])
    expect(sidecar.translations).toHaveLength(2)
    expect(jobLine(job!)).toMatchObject({ state: 'done', notes: [{ code: 'optimized_not_cleaned', detail }] })
    const exported = [exportedJob(job!, { texts: [], decorative: false })]
    expect(exportJobs('json', exported)).toContain('optimized_not_cleaned')
    expect(exportJobs('html', exported)).toContain('was not written')
    expect((await read('a.jpg')).equals(original)).toBe(true)
    // It is done: here, and on a computer that has the sidecar only.
    const before = await world.listing()
    await runToEnd(engine, [world.pictures], { recipe })
    await world.stop(engine)
    await runToEnd(await world.engine(world.newDataFolder()), [world.pictures], { recipe })
    expect(await world.listing()).toEqual(before)
    expect(world.charges).toHaveLength(1)
  })

  it('can still be had by a later run that keeps everything, and nothing is charged again', async () => {
    const { engine, served } = await worldWithDamage()
    await runToEnd(engine, [world.pictures])
    expect(await names()).not.toContain('a-optimized.jpg')
    const [job] = await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, metadata: 'keep-all' } })
    expect(job).toMatchObject({ state: 'done' })
    expect((await read('a-optimized.jpg')).equals(served)).toBe(true)
    expect(world.charges).toHaveLength(1)
  })
})
