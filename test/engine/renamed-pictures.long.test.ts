import { copyFile, readdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { ask, RECIPE, runToEnd } from './engine-harness.ts'
import { at, openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const NFC = 'Zoë.jpg'.normalize('NFC')
const NFD = NFC.normalize('NFD')
const RENAMES = [
  ['Case.JPG', 'case.jpg'],
  ['Suffix.JPG', 'Suffix.jpg'],
  [NFC, NFD],
] as const
const namesOf = (jobs: readonly JobView[]) =>
  jobs.flatMap(({ outputs }) => outputs.map(({ path }) => basename(path))).toSorted()

async function addAll(): Promise<void> {
  for (const [n, [from]] of RENAMES.entries()) await world.addPicture(from, n + 1)
}

describe('a picture that is renamed in case or normal form alone', () => {
  it.each([
    ['beside it', null],
    ['in another folder', 'out'],
  ])('keeps its results, sidecar and words %s, also for a new data folder', async (_, folder) => {
    const out = folder === null ? world.pictures : join(world.dir, folder)
    const recipe = folder === null ? RECIPE : { ...RECIPE, output: { kind: 'folder' as const, dir: out } }
    await addAll()
    const dataDir = world.newDataFolder()
    const first = await world.engine(dataDir)
    const jobs = await runToEnd(first, [world.pictures], { recipe })
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    for (const [from, to] of RENAMES) await rename(at(from), at(to))
    const there = [await readdir(world.pictures), await readdir(out)]
    await world.stop(first)

    for (const data of folder === null ? [dataDir, world.newDataFolder()] : [world.newDataFolder()]) {
      const engine = await world.engine(data)
      const again = await runToEnd(
        engine,
        RENAMES.map(([, to]) => at(to)),
        { recipe },
      )
      expect(again.map(({ reason }) => reason?.code)).toEqual(['already_done', 'already_done', 'already_done'])
      expect(namesOf(again)).toEqual(namesOf(jobs))
      const { id } = again.find(({ source }) => source.path === at('case.jpg'))!
      const said = `By hand, ${basename(data)}`
      expect(await ask(engine, 'jobs.editText', { id, languageCode: 'en', altText: said })).toMatchObject({
        sidecarWritten: true,
      })
      const sidecar = Sidecar.parse(JSON.parse(await readFile(join(out, 'Case.JPG.alt.json'), 'utf8')))
      expect(sidecar.translations.find(({ languageCode }) => languageCode === 'en')?.seoAltText).toBe(said)
      expect([await readdir(world.pictures), await readdir(out)]).toEqual(there)
      await world.stop(engine)
    }
    expect(world.charges).toHaveLength(3)
  })

  it('is known when results and sidecars are renamed with it, and by another recipe has its result replaced where the name is the same', async () => {
    await addAll()
    const engine = await world.engine(world.newDataFolder())
    await runToEnd(engine, [world.pictures])
    for (const name of await readdir(world.pictures))
      if (name.normalize('NFC').startsWith('Zo')) await rename(at(name), at(name.normalize('NFD')))
    await rename(at('Suffix.JPG'), at('Suffix.jpg'))
    const there = await readdir(world.pictures)
    const fresh = await world.engine(world.newDataFolder())
    const [known] = await runToEnd(fresh, [at(NFD)])
    expect([known?.reason?.code, known?.outputs.length]).toEqual(['already_done', 3])

    const [done] = await runToEnd(engine, [at('Suffix.jpg')], { recipe: { ...RECIPE, quality: 40 } })
    expect([done?.state, namesOf([done!])]).toEqual([
      'done',
      ['Suffix-optimized-2.jpg', 'Suffix.JPG.alt.json', 'Suffix.webp'],
    ])
    expect((await readdir(world.pictures)).filter((name) => name !== 'Suffix-optimized-2.jpg').toSorted()).toEqual(
      there.toSorted(),
    )
    expect(world.charges).toHaveLength(3)
  })

  it('is another picture beside a copy of another case, and gets its own original back', async () => {
    await world.addPicture('Case.JPG', 1)
    const before = await readFile(at('Case.JPG'))
    const engine = await world.engine(world.newDataFolder())
    await runToEnd(engine, [world.pictures])
    await copyFile(at('Case.JPG'), at('case.jpg'))
    const [copy] = await runToEnd(engine, [at('case.jpg')])
    expect([copy?.state, namesOf([copy!])]).toEqual([
      'done',
      ['case-2.webp', 'case-optimized-2.jpg', 'case.jpg.alt.json'],
    ])

    await world.addPicture('Replaced.JPG', 2)
    const original = await readFile(at('Replaced.JPG'))
    await runToEnd(engine, [at('Replaced.JPG')], { recipe: { ...RECIPE, output: { kind: 'replace' } } })
    expect(await readFile(at('Replaced.JPG'))).not.toEqual(original)
    await copyFile(at('Replaced.JPG'), at('replaced.jpg'))
    const restore = async () => (await tryRestore(at('replaced.jpg'), world.pictures, false)).restored
    expect(await restore()).toBe(false)
    await rename(at('Replaced.JPG'), at('replaced.jpg'))
    expect(await restore()).toBe(true)
    expect(await readFile(at('replaced.jpg'))).toEqual(original)
    expect(await readFile(at('Case.JPG'))).toEqual(before)
  })
})
