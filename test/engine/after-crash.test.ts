import { readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { partName, tagOf } from '../../src/main/files/leftovers.ts'
import { runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** A picture that is done, in a data folder that no engine holds. */
async function donePicture(): Promise<{ dataDir: string; id: string; sha256: string }> {
  const dataDir = world.newDataFolder()
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(dataDir)
  const [job] = await runToEnd(engine, [world.pictures])
  await world.stop(engine)
  return { dataDir, id: job!.id, sha256: job!.image!.sha256 }
}

function change(dataDir: string, sql: string, ...values: unknown[]): void {
  const db = openJournal(dataDir)
  db.prepare(sql).run(...values)
  db.close()
}

const hidden = async () => (await readdir(world.pictures)).filter((name) => name.startsWith('.hangar-'))

describe('the start after a crash', () => {
  it('takes away what a write left', async () => {
    const { dataDir, id } = await donePicture()
    change(dataDir, `UPDATE jobs SET state = 'writing', doc = json_set(doc, '$.state', 'writing') WHERE id = ?`, id)
    await unlink(join(world.pictures, 'a.jpg'))
    await unlink(join(world.pictures, 'a-optimized.jpg'))
    await writeFile(join(world.pictures, `.hangar-${tagOf(id)}-converted.part`), 'half')
    await world.engine(dataDir)
    expect(await hidden()).toEqual([])
  })

  it('takes away what an edit of a text left', async () => {
    const { dataDir, id, sha256 } = await donePicture()
    change(dataDir, `INSERT INTO text_edits VALUES (?, 'en', 'A heron', NULL, 0, 1, 0)`, sha256)
    await writeFile(join(world.pictures, `.hangar-${tagOf(id)}-sidecar.part`), '{')
    const engine = await world.engine(dataDir)
    // The edit is written to the sidecar meanwhile, through a part of its own, and stopping waits for it.
    await world.stop(engine)
    expect(await hidden()).toEqual([])
    expect(await readFile(join(world.pictures, 'a.jpg.alt.json'), 'utf8')).toContain('A heron')
  })

  it('leaves alone what another computer is writing in the same folder', async () => {
    const { dataDir, id } = await donePicture()
    change(dataDir, `UPDATE jobs SET state = 'writing', doc = json_set(doc, '$.state', 'writing') WHERE id = ?`, id)
    const other = partName('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'optimized')
    await writeFile(join(world.pictures, other), 'half')
    await world.engine(dataDir)
    expect(await hidden()).toContain(other)
  })
})
