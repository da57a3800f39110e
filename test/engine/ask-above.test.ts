import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { ask, makePicture, reached, RECIPE } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }

openWorldForEachTest()

async function pictures(count: number): Promise<void> {
  const content = await makePicture(1, 'jpeg')
  for (let n = 0; n < count; n += 1)
    await writeFile(join(world.pictures, `${n}.jpg`), Buffer.concat([content, Buffer.from(`${n}`)]))
}

async function watching(askAbove: number | undefined, changes: Partial<EngineDeps> = {}) {
  const engine = await world.engine(world.newDataFolder(), { watch: true, ...changes })
  const settings = { recipe: ANALYZE, include: [], exclude: [], ...(askAbove === undefined ? {} : { askAbove }) }
  const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...settings })
  return { engine, id }
}

describe('a burst in a watched folder', () => {
  it('waits for a person above the number that is set for the folder, and continues when a larger one is set', async () => {
    await pictures(6)
    const { engine, id } = await watching(5)
    await reached(engine, 'held', 6)
    expect(world.charges).toHaveLength(0)
    const [job] = (await ask(engine, 'jobs.list', {})).jobs
    expect(job!.reason).toMatchObject({ code: 'spend_guard' })
    expect(englishText(job!.reason!.detail!)).toContain('5')
    await ask(engine, 'folders.update', { id, changes: { askAbove: 6 } })
    await reached(engine, 'done', 6)
  })

  it('never waits where the number is 0, and a cap holds it all the same', async () => {
    await pictures(105)
    const overrides = { caps: { perDay: 3, perMonth: null, perFolderPerDay: null } }
    const { engine } = await watching(0, { overrides })
    await reached(engine, 'held', 102)
    await reached(engine, 'done', 3)
    expect(world.charges).toHaveLength(3)
  })

  it('is cancelled with what still arrives of it, and nothing is sent', async () => {
    await pictures(6)
    const { engine } = await watching(5)
    await reached(engine, 'held', 6)
    const [job] = (await ask(engine, 'jobs.list', {})).jobs
    await ask(engine, 'batches.cancel', { id: job!.batchId })
    for (const n of [1, 2]) await world.addPicture(`late ${n}.jpg`, 90 + n)
    await reached(engine, 'cancelled', 8)
    expect(world.charges).toHaveLength(0)
  })

  it('goes by what was given for this run, whatever the folder says', async () => {
    await pictures(3)
    const { engine } = await watching(1, { askAbove: 0 })
    await reached(engine, 'done', 3)
  })
})
