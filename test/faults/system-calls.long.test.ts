import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { ALL, CAMPAIGN_MS, inWorlds, SEED, spread } from './campaign.ts'
import { until } from '../until.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { attachStrace, CALLS, callsIn, threadOf, type Call, type ThreadName } from './syscalls.ts'

/**
 * How many positions of each thread `npm run test:long` tries, others each time, as the seed shifts them; all of them in
 * `npm run test:faults`.
 */
const SAMPLE = 10

let world: FaultWorld
afterEach(() => world.end())

/** An engine that has recovered, holds still, and can be traced thread by thread. */
async function started(): Promise<EngineProcess> {
  const hangar = world.spawn({ threads: 1 })
  if (!(await hangar.ready)) throw new Error(`the engine did not start: ${world.said.slice(-5).join('')}`)
  return hangar
}

/** Brings one more picture through all its stations. False when the engine was killed on the way. */
async function bringOne(hangar: EngineProcess): Promise<boolean> {
  let isKilled = false
  const killed = () => (isKilled = true)
  hangar.ended.then(killed, killed)
  await world.add()
  // No answer comes from one that is killed.
  hangar.call('intake.add', world.everything).catch(killed)
  await until('every picture has ended, or the engine', () => isKilled || world.isAtRest(), {
    describe: () => world.describeUnrest(),
  })
  return !isKilled
}

/** Every call that the thread makes for one picture, in order. */
async function listCalls(thread: ThreadName): Promise<Call[]> {
  const hangar = await started()
  const log = join(world.logDir, 'calls')
  const strace = await attachStrace(['-p', `${threadOf(hangar.pid, thread)}`, '-e', `trace=${CALLS}`, '-o', log])
  expect(await bringOne(hangar)).toBe(true)
  await strace.detach()
  await hangar.kill()
  return callsIn(readFileSync(log, 'utf8'))
}

/** Kills at each of these calls in one world and checks it at the end. Returns how many calls were reached. */
async function killAtEach(thread: ThreadName, positions: readonly Call[]): Promise<number> {
  let hits = 0
  for (const { call, nth } of positions) {
    const hangar = await started()
    const inject = `inject=${call}:signal=KILL:when=${nth}`
    const tid = threadOf(hangar.pid, thread)
    await attachStrace(['-p', `${tid}`, '-e', `trace=${call}`, '-e', inject, '-o', '/dev/null'])
    if (!(await bringOne(hangar))) hits += 1
    await hangar.kill()
    expect(await world.violations(false), `killed at ${call} ${nth}`).toEqual([])
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
        const all = await listCalls(thread)
        const positions = spread(all, SAMPLE)
        let hits = 0
        for (const [nth, group] of inWorlds(positions).entries()) {
          if (nth > 0) {
            await world.end()
            world = await FaultWorld.make({ speed: 6 })
          }
          hits += await killAtEach(thread, group)
        }
        process.stdout.write(
          `${thread} thread: killed at ${hits} of ${positions.length} positions, ${all.length} in all\n`,
        )
        // No two runs make exactly as many calls: the last ones of a kind may not come.
        expect(hits).toBeGreaterThan(positions.length * 0.6)
      },
    )
})
