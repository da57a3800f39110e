import { copyFile, link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { findOutput, recordOutput } from '../../src/main/journal/outputs.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const SEO = { ...RECIPE, naming: 'seo' as const, widths: [40] }
const at = (name: string) => join(world.pictures, name)
const results = async () => (await readdir(world.pictures)).filter((name) => !name.startsWith('a.jpg')).toSorted()
const listed = async () => {
  const { outputs } = Sidecar.parse(JSON.parse(await readFile(at('a.jpg.alt.json'), 'utf8')))
  return outputs.map(({ name }) => name).toSorted()
}
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

  it('named after the original are not offered another name, nor is a file in the place of the original', async () => {
    await world.addPicture('a.jpg', 1)
    const engine = await world.engine(world.newDataFolder())
    const recipe = { ...SEO, widths: [], output: { kind: 'replace' as const } }
    for (const change of [{ ...RECIPE }, recipe]) {
      const [job] = await runToEnd(engine, [world.pictures], { recipe: change, force: true })
      const { id } = job!
      await ask(engine, 'jobs.editName', { id, languageCode: 'en', seoFilename: `heron-${change.naming}` })
      const { renames } = await ask(engine, 'jobs.texts', { id })
      expect(renames.map(({ to }) => to)).toEqual(change === recipe ? ['heron-seo.webp'] : [])
      await ask(engine, 'jobs.renameFiles', { id })
      expect(await readdir(world.pictures)).toContain('a.jpg')
    }
  })
})

describe('a crash while a result is renamed', () => {
  /** What the folder can look like between two steps: `from` has the earlier name, `to` the new one. */
  const STATES = {
    'before the file is linked': { has: ['from'], isRenamed: false },
    'after it was linked and before it lost its earlier name': { has: ['from', 'to'], isRenamed: true },
    'after it has its new name': { has: ['to'], isRenamed: true },
  } as const

  for (const [when, { has, isRenamed }] of Object.entries(STATES))
    it(`${when}: the next start has journal, sidecar and folder in step`, async () => {
      const dataDir = world.newDataFolder()
      const { engine, id, before } = await named(dataDir)
      const output = (await outputsOf(engine, id)).find(({ role }) => role === 'converted')!
      await world.stop(engine)
      const whole = await world.listing()
      const [name, to] = [before.find((one) => at(one) === output.path)!, 'heron.webp']
      await plan(dataDir, id, output, to)
      const places = { from: output.path, to: at(to) }
      await rename(output.path, places[has[0]])
      if (has.length > 1) await link(places[has[0]], places[has[1]!])

      const again = await world.engine(dataDir)
      const expected = before.map((one) => (one === name && isRenamed ? to : one)).toSorted()
      expect([await results(), await listed()]).toEqual([expected, expected])
      const now = await outputsOf(again, id)
      expect(now.map(({ path }) => path).toSorted()).toEqual(expected.map(at))
      expect(Object.values(await world.listing()).toSorted()).toHaveLength(Object.values(whole).length)
      expect((await world.listing())['a.jpg']).toBe(whole['a.jpg'])
      expect(await readdir(world.pictures)).not.toContainEqual(expect.stringContaining('.hangar-'))
      // Renaming goes on from there.
      await ask(again, 'jobs.renameFiles', { id })
      expect([await results(), await listed()]).toEqual([NEW, NEW])
      await world.stop(again)
      const db = openJournal(dataDir)
      expect(db.prepare(`SELECT count(*) FROM documents WHERE kind = 'rename'`).pluck().get()).toBe(0)
      expect(db.prepare(`SELECT count(*) FROM outputs WHERE state = 'planned'`).pluck().get()).toBe(0)
      db.close()
    })

  it('leaves a copy that a person made under the new name alone', async () => {
    const dataDir = world.newDataFolder()
    const { engine, id, before } = await named(dataDir)
    const output = (await outputsOf(engine, id)).find(({ role }) => role === 'converted')!
    await world.stop(engine)
    await plan(dataDir, id, output, 'heron.webp')
    await copyFile(output.path, at('heron.webp'))
    await world.engine(dataDir)
    expect(await results()).toEqual([...before, 'heron.webp'].toSorted())
    await unlink(at('heron.webp'))
  })

  /** As `renameResults` leaves journal and sidecar before the file is touched. */
  async function plan(dataDir: string, id: string, output: JobView['outputs'][number], name: string): Promise<void> {
    const db = openJournal(dataDir)
    const [from, to] = [output.path, at(name)]
    new Documents(db, Date.now).put('rename', from, { jobId: id, from, to, sha256: output.sha256 })
    recordOutput(db, { ...output, path: to, state: 'planned' }, at('a.jpg'), id)
    expect(findOutput(db, to)?.state).toBe('planned')
    db.close()
    const sidecar = Sidecar.parse(JSON.parse(await readFile(at('a.jpg.alt.json'), 'utf8')))
    const one = sidecar.outputs.find(({ sha256 }) => sha256 === output.sha256)!
    const outputs = [...sidecar.outputs, { ...one, name }]
    await writeFile(at('a.jpg.alt.json'), `${JSON.stringify({ ...sidecar, outputs }, null, 2)}\n`)
  }
})
