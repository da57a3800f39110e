import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { ALL, CAMPAIGN_MS, killAtSample, SEED } from './campaign.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { callsDuring, inject, type Call, type ThreadName } from './syscalls.ts'

/** Positions of each thread in `npm run test:long`, others each time as the seed shifts them; `npm run test:faults` tries all. */
const SAMPLE = 10

let world: FaultWorld
afterEach(() => world.end())

/** An engine that has recovered, holds still, and can be traced thread by thread. */
const started = () => world.start({ threads: 1 })

/** Brings one more picture through all its stations. False when the engine was killed on the way. */
async function bringOne(hangar: EngineProcess): Promise<boolean> {
  const isKilled = () => hangar.child.signalCode !== null
  await world.add()
  await hangar.call('intake.add', world.everything)
  await world.until('every picture has ended, or the engine', () => isKilled() || world.isAtRest())
  return !isKilled()
}

/** Every call that the thread makes for one picture, in order. */
async function listCalls(thread: ThreadName): Promise<Call[]> {
  const hangar = await started()
  const calls = await callsDuring(hangar.pid, thread, join(world.logDir, 'calls'), async () =>
    expect(await bringOne(hangar)).toBe(true),
  )
  await hangar.kill()
  return calls
}

/** Kills at each of these calls in one world and checks it at the end. Returns how many calls were reached. */
async function killAtEach(thread: ThreadName, positions: readonly Call[]): Promise<number> {
  let hits = 0
  for (const call of positions) {
    const hangar = await started()
    await inject(hangar.pid, thread, call, 'signal=KILL')
    if (!(await bringOne(hangar))) hits += 1
    await hangar.kill()
    expect(await world.violations(false), `killed at ${call.call} ${call.nth}`).toEqual([])
  }
  const hangar = await started()
  expect(await bringOne(hangar)).toBe(true)
  expect(await world.violations(true)).toEqual([])
  // What was not in the middle of being sent is done.
  expect(world.reasons().filter((reason) => reason !== 'unknown crashed_while_sending')).toEqual(['done'])
  return hits
}

describeWith(STRACE)('a kill at a system call', () => {
  for (const thread of ['main', 'pool'] as const)
    it(
      `breaks no promise, whichever it is: ${ALL ? 'every one' : `${SAMPLE}`} of the ${thread} thread (seed ${SEED})`,
      { timeout: CAMPAIGN_MS },
      async () => {
        world = await FaultWorld.make({ speed: 6 })
        await killAtSample(await listCalls(thread), SAMPLE, `${thread} thread`, {
          killAt: (group) => killAtEach(thread, group),
          another: async () => {
            await world.end()
            world = await FaultWorld.make({ speed: 6 })
          },
        })
      },
    )
})
