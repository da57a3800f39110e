import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { ask, makePicture, previewToEnd, RECIPE, runToEnd } from './engine-harness.ts'
import { at, openWorldForEachTest, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const recipe = { ...RECIPE, embedTexts: true }
const sidecarAt = async (path: string) => Sidecar.parse(JSON.parse(await readFile(path, 'utf8')))
const english = ({ translations }: Sidecar) => translations.find(({ languageCode }) => languageCode === 'en')!
const embedded = async (path: string) => (await sharp(await readFile(path)).metadata()).xmp?.toString() ?? ''

describe('a picture that takes the name of another', () => {
  it('gets none of the words about that one, which count again when it is back', async () => {
    const first = await world.addPicture('a.jpg', 1)
    await copyFile(first, join(world.dir, 'kept.jpg'))
    const engine = await world.engine(world.newDataFolder())
    const [heron] = await runToEnd(engine, [world.pictures], { recipe })
    await ask(engine, 'jobs.editText', { id: heron!.id, languageCode: 'en', altText: 'A heron' })
    await ask(engine, 'jobs.editName', { id: heron!.id, languageCode: 'en', seoFilename: 'heron' })
    await ask(engine, 'jobs.decorative', { id: heron!.id, decorative: true })
    await ask(engine, 'jobs.decorative', { id: heron!.id, decorative: false })

    await writeFile(first, await makePicture(2, 'jpeg'))
    const [other] = await runToEnd(engine, [world.pictures], { recipe })
    const now = await sidecarOf()
    expect(english(now)).not.toHaveProperty('edited')
    expect(english(now)).not.toHaveProperty('nameEdited')
    expect(now.earlier).toMatchObject([
      { translations: [{ languageCode: 'en', seoAltText: 'A heron', edited: true, seoFilename: 'heron' }] },
    ])
    expect(other!.notes).toContainEqual({ code: 'earlier_words_kept', detail: 'a.jpg.alt.json' })
    for (const name of ['a-optimized.jpg', 'a.webp']) {
      expect(await embedded(at(name))).toContain(english(now).seoAltText)
      expect(await embedded(at(name))).not.toContain('A heron')
    }
    const { texts, earlier } = await ask(engine, 'jobs.texts', { id: other!.id })
    expect(texts.every(({ original }) => original === null)).toBe(true)
    expect(earlier).toEqual([{ languageCode: 'en', altText: 'A heron' }])

    await copyFile(join(world.dir, 'kept.jpg'), first)
    // Known by its sidecar alone.
    const elsewhere = await world.engine(world.newDataFolder())
    await runToEnd(elsewhere, [world.pictures], { recipe })
    expect(english(await sidecarOf())).toMatchObject({ seoAltText: 'A heron', edited: true, seoFilename: 'heron' })
    expect(await sidecarOf()).not.toHaveProperty('earlier')
    for (const name of (await readdir(world.pictures)).filter((found) => found.endsWith('.webp')))
      if ((await sidecarOf()).outputs.some((one) => one.name === name && one.of === undefined))
        expect(await embedded(at(name))).toContain('A heron')
  })

  it('is not done because results of that one are there', async () => {
    await world.addPicture('a.jpg', 1)
    await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
    await writeFile(at('a.jpg'), await makePicture(2, 'jpeg'))
    // This one does not know the results, so they keep their names.
    await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
    const { outputs } = await sidecarOf()
    expect(outputs.filter(({ of }) => of !== undefined).map(({ name }) => name)).toEqual(['a-optimized.jpg', 'a.webp'])
    await rename(at('a-2.webp'), join(world.dir, 'gone.webp'))
    const [again] = await runToEnd(await world.engine(world.newDataFolder()), [at('a.jpg')])
    expect(again).toMatchObject({ state: 'done' })
    expect(await readdir(world.pictures)).toContain('a-2.webp')
  })
})

it('two pictures of one name that meet in one folder have a sidecar each, which another data folder finds and pays nothing again', async () => {
  const out = join(world.dir, 'out')
  const folders = ['A', 'B'].map((name) => join(world.dir, name))
  for (const [n, dir] of folders.entries()) {
    await mkdir(dir)
    await writeFile(join(dir, 'photo.jpg'), await makePicture(n + 1, 'jpeg'))
  }
  const into = { recipe: { ...recipe, output: { kind: 'folder' as const, dir: out } } }
  const engine = await world.engine(world.newDataFolder())
  const { examples } = await previewToEnd(engine, { paths: folders, ...into })
  const expected = examples.flatMap(({ outputs }) => outputs).toSorted()
  const jobs = await runToEnd(engine, folders, into)
  const names = await readdir(out)
  expect(names.filter((name) => name.endsWith('.json')).toSorted()).toEqual([
    'photo.jpg-2.alt.json',
    'photo.jpg.alt.json',
  ])
  expect(expected).toEqual(names.toSorted())
  for (const [n, job] of jobs.entries())
    await ask(engine, 'jobs.editText', { id: job.id, languageCode: 'en', altText: `Words of ${n}` })
  const both = await Promise.all(
    ['photo.jpg.alt.json', 'photo.jpg-2.alt.json'].map((name) => sidecarAt(join(out, name))),
  )
  for (const { translations, outputs } of both) {
    const { seoAltText } = translations.find(({ languageCode }) => languageCode === 'en')!
    expect(seoAltText).toMatch(/^Words of/)
    expect(outputs).toHaveLength(2)
    for (const { name } of outputs) expect(await embedded(join(out, name))).toContain(seoAltText)
  }
  expect(new Set(both.map(({ source }) => source.sha256)).size).toBe(2)

  const before = await Promise.all(names.map((name) => readFile(join(out, name), 'utf8')))
  const again = await runToEnd(await world.engine(world.newDataFolder()), folders, into)
  expect(again.map(({ state }) => state)).toEqual(['skipped', 'skipped'])
  expect(world.charges).toHaveLength(2)
  expect(await Promise.all(names.map((name) => readFile(join(out, name), 'utf8')))).toEqual(before)
  expect((await readdir(out)).toSorted()).toEqual(names.toSorted())
})
