import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { until } from '../until.ts'
import { FaultWorld } from './fault-world.ts'

let world: FaultWorld
afterEach(() => world.end())

it('Two computers that watch one folder at the same time may each pay, but never take in what the other wrote, nor overwrite it', async () => {
  world = await FaultWorld.make({ speed: 6 })
  const dataDir = join(world.base, 'data-of-another')
  mkdirSync(dataDir)
  world.dataDirs.push(dataDir)
  const computers = [await world.open({ watch: true }), await world.open({ watch: true, dataDir })]
  for (const { engine } of computers) await engine.call('folders.add', world.folder)
  await world.addSome(8)
  for (const { sha256 } of world.originals.values()) world.approvedRepeats.set(sha256!, 1)
  for (const dir of [world.dataDir, dataDir])
    await until('every picture has ended', () => world.isAtRest(undefined, dir), {
      describe: () => world.reasons(dir).join(', '),
    })
  // One more look of both at all that is there now.
  for (const { engine } of computers) await engine.call('folders.reconcile', { id: null })
  for (const { engine } of computers) await engine.call('intake.add', world.everything)
  await until('both are at rest', () => world.isAtRest() && world.isAtRest(undefined, dataDir))
  expect(await world.violations(true)).toEqual([])
})
