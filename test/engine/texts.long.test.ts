import { copyFile, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { ask, collect, RECIPE, runToEnd, until } from './engine-harness.ts'
import { at, openWorldForEachTest, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const sidecarPath = () => at('a.jpg.alt.json')
const inSidecar = async (language: string, name?: string) =>
  (await sidecarOf(name)).translations.find(({ languageCode }) => languageCode === language)
/** The English text of a picture, with all that is known of it. */
const english = async (engine: Engine, id: string) =>
  (await ask(engine, 'jobs.texts', { id })).texts.find(({ languageCode }) => languageCode === 'en')!
const edit = (engine: Engine, id: string, altText: string, languageCode = 'en') =>
  ask(engine, 'jobs.editText', { id, languageCode, altText })

const nameIt = (engine: Engine, id: string, seoFilename: string) =>
  ask(engine, 'jobs.editName', { id, languageCode: 'en', seoFilename })

/** One picture that is done, in an engine of its own. */
async function donePicture(): Promise<{ engine: Engine; id: string; service: string }> {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures])
  return { engine, id: job!.id, service: (await english(engine, job!.id)).altText }
}

describe("a person's alt text", () => {
  it('stands in the sidecar and in place of the words of the service, which come back for an empty one', async () => {
    const { engine, id, service } = await donePicture()
    const before = await readFile(sidecarPath(), 'utf8')
    const edited = await edit(engine, id, '  A heron at dawn ')
    expect(edited).toMatchObject({ sidecarWritten: true, why: null })
    expect(await english(engine, id)).toMatchObject({ altText: 'A heron at dawn', original: service })
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A heron at dawn', edited: true })
    expect(await inSidecar('de')).not.toHaveProperty('edited')
    const reverted = await edit(engine, id, '')
    expect(reverted.texts.every(({ original }) => original === null)).toBe(true)
    expect(JSON.parse(await readFile(sidecarPath(), 'utf8'))).toEqual(JSON.parse(before))
  })

  it('survives that the picture is done again, also when its sidecar was lost', async () => {
    const { engine, id } = await donePicture()
    await edit(engine, id, 'A heron')
    await unlink(sidecarPath())
    const [again] = await runToEnd(engine, [world.pictures])
    expect(again?.id).not.toBe(id)
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A heron', edited: true })
    await runToEnd(engine, [world.pictures], { force: true })
    expect(world.charges).toHaveLength(2)
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A heron', edited: true })
  })

  it('is kept while the sidecar is gone or about other content, and says so', async () => {
    const { engine, id } = await donePicture()
    const own = await readFile(sidecarPath(), 'utf8')
    await writeFile(sidecarPath(), own.replace(/"sha256": "[0-9a-f]{4}/, '"sha256": "0000'))
    expect((await edit(engine, id, 'A heron')).why).toEqual({ code: 'sidecar_of_other' })
    await rm(sidecarPath())
    const missing = await edit(engine, id, 'A grey heron')
    expect(missing.sidecarWritten).toBe(false)
    expect(missing.why).toEqual({ code: 'sidecar_missing' })
    expect((await ask(engine, 'jobs.texts', { id })).texts[0]).toMatchObject({ altText: 'A grey heron' })
    // A sidecar with an older text of a person: the one that it never got is the newer.
    const withOlder = JSON.parse(own) as Sidecar
    const older = withOlder.translations.find(({ languageCode }) => languageCode === 'en')!
    Object.assign(older, { seoAltText: 'Older words', edited: true })
    await writeFile(sidecarPath(), JSON.stringify(withOlder))
    await runToEnd(engine, [world.pictures], { force: true })
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A grey heron', edited: true })
  })

  it('leaves a text alone that a person wrote into the sidecar later', async () => {
    const { engine, id } = await donePicture()
    await edit(engine, id, 'A heron')
    await writeFile(sidecarPath(), (await readFile(sidecarPath(), 'utf8')).replace('A heron', 'A white heron'))
    await runToEnd(engine, [world.pictures], { force: true })
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A white heron', edited: true })
  })

  it('reaches every sidecar of the same content, and leaves none behind when it is taken back', async () => {
    const path = await world.addPicture('a.jpg', 1)
    await copyFile(path, join(world.pictures, 'b.jpg'))
    const engine = await world.engine(world.newDataFolder())
    const jobs = await runToEnd(engine, [world.pictures])
    expect(world.charges).toHaveLength(1)
    const altTexts = async () => Promise.all(['a.jpg', 'b.jpg'].map(async (name) => (await inSidecar('en', name))!))
    const [service] = await altTexts()
    expect(await edit(engine, jobs[0]!.id, 'A heron')).toMatchObject({ sidecarWritten: true, why: null })
    expect(await altTexts()).toMatchObject([{ seoAltText: 'A heron' }, { seoAltText: 'A heron' }])
    expect((await ask(engine, 'jobs.texts', { id: jobs[1]!.id })).texts[0]).toMatchObject({ altText: 'A heron' })
    await edit(engine, jobs[1]!.id, '')
    expect(await altTexts()).toEqual([service, service])
  })

  it('leaves what another computer wrote into the sidecar since alone, where only the file name was edited, and the reverse', async () => {
    const { engine, id } = await donePicture()
    const theirs = async (change: object) => {
      const sidecar = await sidecarOf()
      const translations = sidecar.translations.map((text) =>
        text.languageCode === 'en' ? { ...text, ...change } : text,
      )
      await writeFile(sidecarPath(), `${JSON.stringify({ ...sidecar, translations }, null, 2)}\n`)
    }
    await edit(engine, id, 'A heron')
    await theirs({ seoAltText: 'Their heron', edited: true })
    await nameIt(engine, id, 'heron')
    expect(await inSidecar('en')).toMatchObject({
      seoAltText: 'Their heron',
      edited: true,
      seoFilename: 'heron',
      nameEdited: true,
    })
    await theirs({ seoFilename: 'their-heron' })
    await edit(engine, id, 'A heron at dawn')
    expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A heron at dawn', seoFilename: 'their-heron' })
    // Restored here, both are the service's again, even those edited elsewhere.
    await edit(engine, id, '')
    await nameIt(engine, id, '')
    expect(await inSidecar('en')).not.toHaveProperty('edited')
    expect(await inSidecar('en')).not.toHaveProperty('nameEdited')
  })
})

const mark = (engine: Engine, id: string, decorative: boolean) => ask(engine, 'jobs.decorative', { id, decorative })

it('a picture that is only decoration is marked in its sidecar beside its texts, needs no look at them, and is so until the mark is taken away', async () => {
  const { engine, id } = await donePicture()
  expect(engine.snapshot().needsReview).toBe(1)
  const before = await sidecarOf()
  const marked = { sidecarWritten: true, why: null, filesLeft: [], wasReviewed: false }
  expect(await mark(engine, id, true)).toEqual(marked)
  expect(await sidecarOf()).toEqual({ ...before, decorative: true })
  expect(engine.snapshot().needsReview).toBe(0)
  expect((await ask(engine, 'jobs.texts', { id })).decorative).toBe(true)
  await mark(engine, id, false)
  expect(await sidecarOf()).toEqual(before)
  expect((await ask(engine, 'jobs.texts', { id })).decorative).toBe(false)
})

describe('a picture that was done before and is given again', () => {
  it('is shown with all that its sidecar knows after its job has expired, and after its journal is lost', async () => {
    await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    const [job] = await runToEnd(engine, [world.pictures])
    await edit(engine, job!.id, 'A heron')
    await ask(engine, 'jobs.decorative', { id: job!.id, decorative: true })
    await world.stop(engine)
    const db = openJournal(dataDir)
    db.prepare('UPDATE jobs SET updated_at_ms = 0').run()
    db.close()
    const expired = await world.engine(dataDir)
    await until(expired, 'the job has expired', async () => (await ask(expired, 'jobs.list', {})).jobs.length === 0)
    for (const other of [expired, await world.engine(world.newDataFolder())]) {
      const [again] = await runToEnd(other, [join(world.pictures, 'a.jpg')])
      expect(again).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
      expect(again!.outputs.map(({ role }) => role).toSorted()).toEqual(['converted', 'optimized', 'sidecar'])
      expect(await english(other, again!.id)).toMatchObject({ altText: 'A heron' })
      expect((await ask(other, 'jobs.texts', { id: again!.id })).decorative).toBe(true)
      await ask(other, 'jobs.decorative', { id: again!.id, decorative: false })
      expect((await ask(other, 'jobs.texts', { id: again!.id })).decorative).toBe(false)
      await ask(other, 'jobs.decorative', { id: again!.id, decorative: true })
    }
    expect(world.charges).toHaveLength(1)
  })

  it.each(['its job was removed', 'another computer did it'])(
    'shows texts and files although %s, and takes edits',
    async (why) => {
      const { engine, id, service } = await donePicture()
      await edit(engine, id, 'A heron')
      if (why === 'its job was removed') await ask(engine, 'jobs.remove', { ids: [id] })
      const other = why === 'its job was removed' ? engine : await world.engine(world.newDataFolder())
      // Its results are in the folder as well, and may come first.
      const found = await runToEnd(other, [world.pictures])
      const skipped = found.find(({ source }) => source.path === join(world.pictures, 'a.jpg'))
      expect(skipped).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
      expect(world.charges).toHaveLength(1)
      const [done] = (await ask(engine, 'jobs.get', { ids: [id] })).jobs
      const facts = ({ role, path, type, state }: Job['outputs'][number]) => ({ role, path, type, state })
      const byRole = (outputs: Job['outputs']) => outputs.map(facts).toSorted((a, b) => a.role.localeCompare(b.role))
      expect(byRole(skipped!.outputs)).toEqual(byRole(done!.outputs))
      for (const { path, sizeBytes } of skipped!.outputs) expect((await stat(path)).size).toBe(sizeBytes)
      // Only the journal that paid knows the service's own words.
      const original = why === 'its job was removed' ? service : null
      expect(await english(other, skipped!.id)).toMatchObject({ altText: 'A heron', original })
      expect(await edit(other, skipped!.id, 'A grey heron')).toMatchObject({ sidecarWritten: true })
      expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A grey heron', edited: true })
    },
  )
})

it('a look at the texts is asked for when they come, and is done with a mark or an edit, through a restart', async () => {
  await world.addPicture('a.jpg', 1)
  await world.addPicture('b.jpg', 2)
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir)
  const [a, b] = await runToEnd(engine, [world.pictures])
  expect([a!.review, b!.review]).toEqual(['needed', 'needed'])
  expect(engine.snapshot().needsReview).toBe(2)
  const events = collect(engine)
  expect(await ask(engine, 'jobs.review', { ids: [a!.id, 'unknown'], reviewed: true })).toEqual({ changed: 1 })
  expect(await ask(engine, 'jobs.review', { ids: [a!.id], reviewed: true })).toEqual({ changed: 0 })
  await edit(engine, b!.id, 'A heron')
  expect(events.filter((event) => event.type === 'job').map(({ job }) => job.review)).toEqual(['reviewed', 'reviewed'])
  expect(await ask(engine, 'jobs.review', { ids: [b!.id], reviewed: false })).toEqual({ changed: 1 })
  await world.stop(engine)
  const again = await world.engine(dataDir)
  expect((await ask(again, 'jobs.counts', {})).needsReview).toBe(1)
  const { sections } = await ask(again, 'jobs.index', { filter: { needsReview: true } })
  expect(sections.flatMap(({ ids }) => ids)).toEqual([b!.id])
})

it('a person’s file name stands in the sidecar, survives that the picture is done again, and names its files from then on', async () => {
  const { engine, id } = await donePicture()
  const before = await readFile(sidecarPath(), 'utf8')
  const service = (await english(engine, id)).seoFilename
  const named = await nameIt(engine, id, ' heron-at-dawn ')
  expect(named).toMatchObject({ sidecarWritten: true, why: null })
  const wanted = { seoFilename: 'heron-at-dawn', originalName: service, original: null }
  expect(await english(engine, id)).toMatchObject(wanted)
  expect(await inSidecar('en')).toMatchObject({ seoFilename: 'heron-at-dawn', nameEdited: true })
  expect(await inSidecar('en')).not.toHaveProperty('edited')
  await runToEnd(engine, [world.pictures], { force: true, recipe: { ...RECIPE, naming: 'seo' } })
  expect(await inSidecar('en')).toMatchObject({ seoFilename: 'heron-at-dawn', nameEdited: true })
  expect(await readdir(world.pictures)).toContain('heron-at-dawn.webp')
  await nameIt(engine, id, '')
  expect((await inSidecar('en'))?.seoFilename).toBe(service)
  expect(Sidecar.parse(JSON.parse(before)).translations).toContainEqual(await inSidecar('en'))
})

it('word rules are tried on the service’s own texts, leave those of a person, and reach a picture as an edit that can be undone', async () => {
  const { engine, id, service } = await donePicture()
  const untouched = await english(engine, id)
  const [first = ''] = service.split(' ')
  const rules = [{ kind: 'replace', from: first, to: 'Something', at: 'start', language: 'en' }] as const
  const tryOn = (ids = [id, id, 'no-such-job']) => ask(engine, 'jobs.tryRules', { ids, rules: [...rules] })
  const tried = await tryOn()
  expect(tried).toMatchObject({ found: [{ id, languageCode: 'en', before: service }], persons: 0, more: 0 })
  const [{ after }] = tried.found as [(typeof tried.found)[number]]
  expect(after).toBe(service.replace(first, 'Something'))
  expect((await inSidecar('en'))?.seoAltText).toBe(service)
  const change = (seen: string, to: string) =>
    ask(engine, 'jobs.editTexts', {
      edits: [{ id, languageCode: 'en', altText: { seen, to }, seoFilename: null, byRule: true }],
    })
  expect(await change(service, after)).toMatchObject({ changed: [0] })
  expect(await inSidecar('en')).toMatchObject({ seoAltText: after, edited: true, byRule: true })
  expect((await tryOn()).found).toEqual([])
  expect(await change(after, service)).toMatchObject({ changed: [0] })
  expect(await english(engine, id)).toEqual(untouched)
  expect(await inSidecar('en')).toMatchObject({ seoAltText: service })
  expect(await inSidecar('en')).not.toHaveProperty('edited')
  await edit(engine, id, 'A heron that a person described')
  expect(await tryOn()).toMatchObject({ found: [], persons: 1 })
})

it('words in many texts are changed without counting as reviewed, where they are as they were seen', async () => {
  const { engine, id } = await donePicture()
  await edit(engine, id, 'A Heron over the heronry')
  await ask(engine, 'jobs.review', { ids: [id], reviewed: false })
  const [before, after] = ['A Heron over the heronry', 'A crane over the heronry']
  const change = (seen: string, to: string) => ({
    edits: [{ id, languageCode: 'en', altText: { seen, to }, seoFilename: null }],
  })
  const done = { changed: [0], unwritten: 0, why: null }
  expect(await ask(engine, 'jobs.editTexts', change(before, after))).toEqual(done)
  expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A crane over the heronry' })
  expect((await ask(engine, 'jobs.texts', { id })).reviewed).toBe(false)
  // What another window changed meanwhile stays.
  expect(await ask(engine, 'jobs.editTexts', change(before, 'Lost'))).toEqual({ ...done, changed: [] })
  expect(await inSidecar('en')).toMatchObject({ seoAltText: 'A crane over the heronry' })
})
