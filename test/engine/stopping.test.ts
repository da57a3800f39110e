import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { openLog } from '../../src/main/log/log.ts'
import { closeAll } from '../../src/main/engine/end-process.ts'
import type { SecretStore } from '../../src/shared/runtime/ports.ts'
import { ask, refusal, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it('An engine stops although the keychain hangs, and lets its data folder go', async () => {
  let hangs = false
  const secrets: SecretStore = {
    ...world.secrets,
    get: (name, origin) => (hangs ? new Promise(() => undefined) : world.secrets.get(name, origin)),
  }
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir, { secrets })
  hangs = true
  let isAnswered = false
  const answered = () => (isAnswered = true)
  engine.call('settings.set', { keyHeader: 'x-api-key' }).then(answered, answered)
  await world.stop(engine)
  expect(isAnswered).toBe(false)
  await world.stop(await world.engine(dataDir))
})

it('A text that is being saved is in the journal and in the sidecar before the data folder is let go', async () => {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures])
  const saved = ask(engine, 'jobs.editText', { id: job!.id, languageCode: 'en', altText: 'A heron' })
  await world.stop(engine)
  const stopped = await readFile(join(world.pictures, 'a.jpg.alt.json'), 'utf8')
  expect(stopped).toContain('A heron')
  expect(await saved).toMatchObject({ sidecarWritten: true, filesLeft: [] })
})

it('A call that comes after the end is told so, and is no error in the log', async () => {
  const lines: string[] = []
  const log = openLog({ clock: realClock, target: { kind: 'lines', write: (line) => lines.push(line) } })
  const engine = await world.engine(world.newDataFolder(), { log })
  await world.stop(engine)
  expect((await refusal(engine, 'jobs.get', { ids: ['a'] })).code).toBe('aborted')
  expect(lines.filter((line) => line.includes('error'))).toEqual([])
})

it('What was opened is all closed, the last first, even when closing something fails', async () => {
  const closed: string[] = []
  const opened = ['lock', 'journal', 'http'].map((name) => () => {
    closed.push(name)
    if (name === 'journal') throw new Error('disk full')
  })
  await expect(closeAll(opened)).rejects.toThrow('disk full')
  expect(closed).toEqual(['http', 'journal', 'lock'])
})
