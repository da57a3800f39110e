import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { exportedJob } from '../../src/main/page/job-row.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { makePicture, previewToEnd, RECIPE, runToEnd } from './engine-harness.ts'
import { at, listed, madeSince, openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const recipe = (naming: string, changes = {}) => ({ ...RECIPE, naming, ...changes })
const HERE = { ...DEFAULT_RECIPE, operation: 'convert' as const, keepLarger: true }

describe('results that a template names', () => {
  it('go into its folders, are listed by their sidecar, and are done when they are asked for again', async () => {
    await world.addPicture('a.jpg', 1)
    const before = await world.listing()
    const engine = await world.engine(world.newDataFolder())
    const asked = { recipe: recipe('web/{lang}/{seo}', { widths: [40] }) }
    const [job] = await runToEnd(engine, [world.pictures], asked)
    const files = await madeSince(before)
    expect(files).toHaveLength(3)
    for (const name of files) expect(name).toMatch(/^web\/en\/[a-z0-9-]+(?:-optimized\.jpg|\.webp|-40w\.webp)$/)
    expect(await listed()).toEqual(files)
    expect(
      job!.outputs
        .filter(({ role }) => role !== 'sidecar')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(files.map(at))
    const texts = { texts: [], decorative: false }
    expect(
      exportedJob(job!, texts)
        .outputs.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['a.jpg.alt.json', ...files])
    expect(await runToEnd(engine, [world.pictures], asked)).toEqual([])
    expect(world.charges).toHaveLength(1)
    expect(await world.listing()).toMatchObject(before)
  })

  it('are known on another computer that sees the folder, whatever it is given of it', async () => {
    await world.addPicture('a.jpg', 1)
    const first = await world.engine(world.newDataFolder())
    const asked = { recipe: recipe('web/{date:YYYY}/{seo}') }
    await runToEnd(first, [world.pictures], asked)
    await world.stop(first)
    const before = await world.listing()
    const second = await world.engine(world.newDataFolder())
    const reasons = async (path: string) =>
      (await runToEnd(second, [path], asked)).map(({ state, reason }) => `${state} ${reason?.code}`).toSorted()
    const ownOutputs = ['skipped own_output', 'skipped own_output']
    expect(await reasons(at('web'))).toEqual(ownOutputs)
    const third = await world.engine(world.newDataFolder())
    const all = await runToEnd(third, [world.pictures], asked)
    expect(all.map(({ reason }) => reason?.code).toSorted()).toEqual(['already_done', 'own_output', 'own_output'])
    expect(world.charges).toHaveLength(1)
    expect(await world.listing()).toEqual(before)
  })

  it('never take the place of another file, and a preview says so before', async () => {
    for (const nth of [1, 2]) await world.addPicture(`${nth}.jpg`, nth)
    await mkdir(at('web'))
    await writeFile(at('web/EN-2.webp'), 'another person’s')
    const before = await world.listing()
    const engine = await world.engine(world.newDataFolder())
    const asked = { recipe: { ...HERE, naming: 'web/{lang}' } }
    const { examples } = await previewToEnd(engine, { ...asked, paths: [world.pictures] })
    expect(examples.flatMap(({ outputs }) => outputs).filter((name) => name.endsWith('.webp'))).toEqual([
      'web/en.webp',
      'web/en-3.webp',
    ])
    await writeFile(at('web/en.webp'), 'another person’s')
    await runToEnd(engine, [world.pictures], asked)
    expect(await madeSince(before)).toEqual(['web/en-3.webp', 'web/en-4.webp', 'web/en.webp'])
    expect(await readFile(at('web/en.webp'), 'utf8')).toBe('another person’s')
    expect(world.charges).toHaveLength(0)
  })

  it('never leave the folder through a link', async () => {
    await world.addPicture('a.jpg', 1)
    const outside = join(world.dir, 'outside')
    await mkdir(outside)
    await symlink(outside, at('web'))
    const engine = await world.engine(world.newDataFolder())
    await writeFile(at('file'), 'no folder')
    for (const naming of ['web/{name}', 'web/{seo}/{name}', 'file/{seo}']) {
      const jobs = await runToEnd(engine, [world.pictures], { recipe: recipe(naming) })
      expect(jobs.map(({ state, reason }) => [state, reason?.code])).toEqual([['failed', 'no_free_name']])
    }
    expect(await readdir(outside)).toEqual([])
    expect(world.charges).toHaveLength(0)
  })

  it('have the time that the picture was taken, else that of its file, and the number that it got', async () => {
    const taken = sharp(await makePicture(1, 'jpeg')).withExif({ IFD2: { DateTimeOriginal: '2019:03:02 23:59:58' } })
    await writeFile(at('b.jpg'), await taken.jpeg().toBuffer())
    await world.addPicture('a.jpg', 2)
    const changed = new Date(2021, 10, 9, 8, 7, 6)
    await utimes(at('a.jpg'), changed, changed)
    await world.addPicture('c.jpg', 3)
    await utimes(at('c.jpg'), changed, changed)
    const before = await world.listing()
    const engine = await world.engine(world.newDataFolder())
    const naming = '{date:YYYY}/{n:3}-{date:YYMMDD-HHmmss}'
    const { examples } = await previewToEnd(engine, { paths: [world.pictures], recipe: { ...HERE, naming } })
    await runToEnd(engine, [world.pictures], { recipe: { ...HERE, naming } })
    const expected = ['2019/002-190302-235958.webp', '2021/001-211109-080706.webp', '2021/003-211109-080706.webp']
    expect(await madeSince(before)).toEqual(expected)
    const shown = examples.flatMap(({ outputs }) => outputs).filter((name) => name.endsWith('.webp'))
    expect(shown.toSorted()).toEqual(expected)
    // A new picture goes on; one that is made again keeps its number.
    await world.addPicture('d.jpg', 4)
    await utimes(at('d.jpg'), changed, changed)
    await runToEnd(engine, [world.pictures], { recipe: { ...HERE, naming, quality: 40 } })
    expect((await madeSince(before)).filter((name) => name.endsWith('webp'))).toEqual([
      ...expected,
      '2021/004-211109-080706.webp',
    ])
  })
})
