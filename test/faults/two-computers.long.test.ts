import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../until.ts'
import { FaultWorld } from './fault-world.ts'
import { readJobs } from './journal-view.ts'

let world: FaultWorld
afterEach(() => world.end())

/** Another computer: a journal of its own, the same folder. */
function secondComputer(): string {
  const dataDir = join(world.base, 'data-of-another')
  mkdirSync(dataDir)
  world.dataDirs.push(dataDir)
  return dataDir
}

describe('two computers that see the same folder', () => {
  for (const naming of ['original', 'seo', 'web/{date:YYYY}/{seo}-{n:3}'])
    it(`pay once when one comes after the other, and take no result for a picture (names: ${naming})`, async () => {
      world = await FaultWorld.make({ speed: 20, recipe: { naming } })
      for (const name of ['a.jpg', 'b.png', 'x/c.jpg', 'x/a.jpg', 'back\\slash.jpg', '-dash.jpg']) await world.add(name)
      const first = await world.open()
      await world.run(first.engine)
      await first.close(1000)
      const charges = world.practice.ledger().charges.length

      const dataDir = secondComputer()
      const { engine } = await world.open({ dataDir })
      expect(await world.look(engine)).toBe(true)
      await until('the second is at rest', () => world.isAtRest([], dataDir))
      expect(world.practice.ledger().charges).toHaveLength(charges)
      const reasons = readJobs(dataDir)!.map(({ state, reason }) => `${state} ${reason}`)
      expect(new Set(reasons)).toEqual(new Set(['skipped already_done', 'skipped own_output']))
      expect(await world.violations(true)).toEqual([])
    })

  it('at the same time may each pay, but never take in what the other wrote, nor overwrite it', async () => {
    world = await FaultWorld.make({ speed: 6 })
    const dataDir = secondComputer()
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
})
