import { expect, it } from 'vitest'
import { Background } from '../../src/shared/runtime/background.ts'
import { RECIPE } from '../engine/engine-harness.ts'
import { openWorldForEachTest, world } from '../engine/world-for-each-test.ts'
import { quiet } from '../simulation/world.ts'
import { jsonLines, runCli } from './harness.ts'

openWorldForEachTest()

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })

it('hangar status says what has stopped in the Hangar that runs, until it works again', async () => {
  const background = new Background({ log: quiet, nowMs: () => 1000 })
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir, { background })
  const folder = await engine.call('folders.add', {
    path: world.pictures,
    recipe: RECIPE,
    include: [],
    exclude: [],
    askAbove: 100,
  })
  expect(folder).toMatchObject({ ok: true })
  const id = folder.ok ? folder.value.id : ''
  const status = async (...flags: string[]) => (await runCli(['status', '--data-dir', dataDir, ...flags])).stdout
  background.run('queue_work', () => {
    throw full()
  })
  background.run('folder_burst', () => Promise.reject(full()), id)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await status()).toContain('Work on pictures is interrupted: the disk is full.')
  expect(await status()).toContain(`New pictures in “${world.pictures}” wait and are not being sent: the disk is full.`)
  expect(jsonLines(await status('--json'))[0]).toMatchObject({
    stopped: [
      { task: 'queue_work', subject: null, code: 'disk_full', sinceMs: 1000 },
      { task: 'folder_burst', subject: id, code: 'disk_full' },
    ],
  })
  background.run('queue_work', () => undefined)
  background.forget(id)
  expect(jsonLines(await status('--json'))[0]).toMatchObject({ stopped: [] })
  background.run('queue_work', () => Promise.reject(full()))
  await new Promise((resolve) => setImmediate(resolve))
  await world.stop(engine)
  expect(jsonLines(await status('--json'))[0]).toMatchObject({ running: false, stopped: [] })
})
