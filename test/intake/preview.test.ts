import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { makePicture, RECIPE, runToEnd } from '../engine/engine-harness.ts'
import { openWorldForEachTest, world } from '../engine/world-for-each-test.ts'
import { openPreview, previewOf } from './previews.ts'

openWorldForEachTest()

describe('A preview', () => {
  it('comes picture by picture in the order of the names, whatever takes longer', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `${String(n).padStart(2, '0')}.jpg`)
    for (const [n, name] of names.entries()) await world.addPicture(name, n)
    await writeFile(join(world.pictures, '00.jpg'), await makePicture(3, 'jpeg'))
    const { all } = await previewOf(world, world.newDataFolder(), RECIPE)
    expect(all.map((one) => (one.kind === 'known' ? '' : basename(one.job.source.path)))).toEqual(names)
  })

  it('tells how many pictures a cap or a missing yes would hold, as they are held then', async () => {
    for (let n = 0; n < 5; n += 1) await world.addPicture(`${n}.jpg`, n)
    const dataDir = world.newDataFolder()
    const caps = { perDay: 3, perMonth: null, perFolderPerDay: null }
    const preview = openPreview(world, dataDir, caps)
    const spend = { dispatches: 5, pictures: 5, confirmed: true, maxCredits: null, creditsPerImage: null }
    const held = preview.held(spend, null)
    expect(preview.held({ ...spend, dispatches: 101, pictures: 101, confirmed: false }, null)?.pictures).toBe(101)
    expect(preview.held({ ...spend, dispatches: 2, pictures: 2 }, null)).toBeNull()
    await preview.close()
    const engine = await world.engine(dataDir, { overrides: { caps } })
    const jobs = await runToEnd(engine, [world.pictures])
    const waiting = jobs.filter(({ state }) => state === 'held')
    expect(waiting).toHaveLength(held!.pictures)
    expect(waiting[0]?.reason).toEqual(held?.reason)
  })

  it('tells a picture that is unknown from one that was paid for', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    await runToEnd(await world.engine(dataDir), [path])
    await copyFile(path, join(world.pictures, 'elsewhere.jpg'))
    expect((await previewOf(world, dataDir, RECIPE)).all.at(-1)).toMatchObject({
      kind: 'work',
      sent: null,
      isPaid: true,
    })
    const db = openJournal(dataDir)
    db.exec(`UPDATE payments SET state = 'unknown'`)
    db.close()
    const { all, spend } = await previewOf(world, dataDir, RECIPE)
    expect(all.at(-1)).toMatchObject({ kind: 'over', job: { state: 'unknown', reason: { code: 'unclear_answer' } } })
    expect(spend.dispatches).toBe(0)
  })
})
