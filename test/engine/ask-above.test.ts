import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { ask, makePicture, RECIPE, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }

openWorldForEachTest()

async function pictures(count: number): Promise<void> {
  await mkdir(world.pictures, { recursive: true })
  const content = await makePicture(1, 'jpeg')
  for (let n = 0; n < count; n += 1)
    await writeFile(join(world.pictures, `${n}.jpg`), Buffer.concat([content, Buffer.from(`${n}`)]))
}

/** An engine that watches the folder with these pictures in it. */
async function watching(askAbove: number | undefined, changes: Partial<EngineDeps> = {}) {
  const engine = await world.engine(world.newDataFolder(), { watch: true, ...changes })
  const settings = { recipe: ANALYZE, include: [], exclude: [], ...(askAbove === undefined ? {} : { askAbove }) }
  const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...settings })
  return { engine, id }
}

const counts = async (engine: Engine) => (await ask(engine, 'jobs.counts', {})).counts

async function untilCount(engine: Engine, state: 'done' | 'held', count: number): Promise<void> {
  await until(engine, `${count} are ${state}`, async () => (await counts(engine))[state] === count)
}

describe('a burst in a watched folder', () => {
  it('waits for a person above the number that is set for the folder, and continues when a larger one is set', async () => {
    await pictures(6)
    const { engine, id } = await watching(5)
    await untilCount(engine, 'held', 6)
    expect(world.charges).toHaveLength(0)
    const [job] = (await ask(engine, 'jobs.list', {})).jobs
    expect(job!.reason).toMatchObject({ code: 'spend_guard' })
    expect(englishText(job!.reason!.detail!)).toContain('5')
    await ask(engine, 'folders.update', { id, changes: { askAbove: 6 } })
    await untilCount(engine, 'done', 6)
  })

  it('never waits where the number is 0, and a cap holds it all the same', async () => {
    await pictures(105)
    const overrides = { caps: { perDay: 3, perMonth: null, perFolderPerDay: null } }
    const { engine } = await watching(0, { overrides })
    await untilCount(engine, 'held', 102)
    await untilCount(engine, 'done', 3)
    expect(world.charges).toHaveLength(3)
  })

  it('goes by what was given for this run, whatever the folder says', async () => {
    await pictures(3)
    const { engine } = await watching(1, { askAbove: 0 })
    await untilCount(engine, 'done', 3)
  })
})
