import { chmod, open, utimes, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, makePicture, RECIPE, until } from './engine-harness.ts'
import { at, openWorldForEachTest, world } from './world-for-each-test.ts'

/* Programs that write into a file and set its mtime back, as exiftool -P -overwrite_original_in_place does. */

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }

openWorldForEachTest()

async function putOld(name: string, seed: number): Promise<void> {
  await writeFile(at(name), Buffer.concat([await makePicture(seed, 'jpeg'), Buffer.from('0')]))
  await utimes(at(name), 1_700_000_000, 1_600_000_000)
}

/** Same size, same inode, same mtime; only the content and the ctime are others. */
async function editInPlace(name: string): Promise<void> {
  const file = await open(at(name), 'r+')
  await file.write('1', (await file.stat()).size - 1)
  await file.utimes(1_700_000_000, 1_600_000_000)
  await file.close()
}

/** This many were sent, and nothing else is under way. */
const sent = (engine: Engine, count: number) =>
  until(engine, `${count} are sent and done`, async () => {
    const { done, ...others } = (await ask(engine, 'jobs.counts', {})).counts
    return world.charges.length === count && done > 0 && Object.values(others).every((other) => other === 0)
  })

it('a change in place is noticed while the folder is watched and after a restart, and a new mode is none', async () => {
  await putOld('a.jpg', 1)
  await putOld('b.jpg', 2)
  const dataDir = world.newDataFolder()
  let engine = await world.engine(dataDir, { watch: true })
  await ask(engine, 'folders.add', { path: world.pictures, recipe: ANALYZE, include: [], exclude: [] })
  await sent(engine, 2)

  await chmod(at('b.jpg'), 0o600)
  await editInPlace('a.jpg')
  await sent(engine, 3)
  await engine.stop(10_000)

  await chmod(at('a.jpg'), 0o600)
  await editInPlace('b.jpg')
  engine = await world.engine(dataDir, { watch: true })
  await sent(engine, 4)
  expect(world.charges).toHaveLength(4)
})
