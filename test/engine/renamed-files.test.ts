import { readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, RECIPE, runToEnd } from './engine-harness.ts'
import { at, listed, openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const SEO = { ...RECIPE, naming: 'seo' as const, widths: [40] }
const results = async () => (await readdir(world.pictures)).filter((name) => !name.startsWith('a.jpg')).toSorted()
const NEW = ['heron-40w.webp', 'heron-optimized.jpg', 'heron.webp']

/** A picture that is done, its results called as the service suggested, and then another name chosen. */
async function named(dataDir = world.newDataFolder()): Promise<{ engine: Engine; id: string; before: string[] }> {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(dataDir)
  const [job] = await runToEnd(engine, [world.pictures], { recipe: SEO })
  const before = await results()
  expect(before).toHaveLength(3)
  await ask(engine, 'jobs.editName', { id: job!.id, languageCode: 'en', seoFilename: 'heron' })
  return { engine, id: job!.id, before }
}

const outputsOf = async (engine: Engine, id: string) =>
  (await ask(engine, 'jobs.get', { ids: [id] })).jobs[0]!.outputs.filter(({ role }) => role !== 'sidecar')

describe('results whose suggested name was edited', () => {
  it('are renamed when a person says so, with journal and sidecar in step, and back again', async () => {
    const { engine, id, before } = await named()
    const whole = await world.listing()
    const { renames } = await ask(engine, 'jobs.texts', { id })
    expect(renames.map(({ to }) => to).toSorted()).toEqual(NEW)
    expect(await results()).toEqual(before)

    const { renamed, left } = await ask(engine, 'jobs.renameFiles', { id })
    expect([renamed.map(({ to }) => to).toSorted(), left]).toEqual([NEW, []])
    expect([await results(), await listed()]).toEqual([NEW, NEW])
    const after = await world.listing()
    for (const { from, to } of renamed) expect(after[to]).toBe(whole[from])
    expect(after['a.jpg']).toBe(whole['a.jpg'])
    expect((await outputsOf(engine, id)).map(({ path }) => path).toSorted()).toEqual(NEW.map(at))
    expect((await ask(engine, 'jobs.texts', { id })).renames).toEqual([])
    expect(await ask(engine, 'jobs.renameFiles', { id })).toEqual({ renamed: [], left: [] })

    // Done before, and no result is taken for a picture.
    const again = await runToEnd(engine, [world.pictures], { recipe: SEO })
    expect(again).toEqual([])
    expect(world.charges).toHaveLength(1)

    expect((await ask(engine, 'jobs.renameFiles', { id, back: true })).renamed).toHaveLength(3)
    expect([await results(), await listed()]).toEqual([before, before])
    expect(await ask(engine, 'jobs.renameFiles', { id, back: true })).toEqual({ renamed: [], left: [] })
  })

  it('get a number where the name is taken, and what has it stays as it is', async () => {
    const { engine, id } = await named()
    await writeFile(at('Heron.WEBP'), 'another person’s')
    await writeFile(at('heron-optimized.jpg'), 'another person’s')
    await ask(engine, 'jobs.renameFiles', { id })
    expect(await results()).toEqual(
      ['Heron.WEBP', 'heron-2.webp', 'heron-40w.webp', 'heron-optimized-2.jpg', 'heron-optimized.jpg'].toSorted(),
    )
    for (const name of ['Heron.WEBP', 'heron-optimized.jpg'])
      expect(await readFile(at(name), 'utf8')).toBe('another person’s')
    expect((await ask(engine, 'jobs.texts', { id })).renames).toEqual([])
  })

  it('keep their names where another program changed them, and where only case differs', async () => {
    const { engine, id, before } = await named()
    const webp = before.find((name) => name.endsWith('.webp') && !name.includes('40w'))!
    await writeFile(at(webp), 'edited by hand')
    const { renamed, left } = await ask(engine, 'jobs.renameFiles', { id })
    expect([renamed.length, left]).toEqual([2, [webp]])
    expect(await readFile(at(webp), 'utf8')).toBe('edited by hand')
    await ask(engine, 'jobs.editName', { id, languageCode: 'en', seoFilename: 'HERON' })
    expect((await ask(engine, 'jobs.renameFiles', { id })).renamed).toEqual([])
    expect(await results()).toEqual([webp, 'heron-40w.webp', 'heron-optimized.jpg'].toSorted())
  })
})
