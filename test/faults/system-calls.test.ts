import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FaultWorld, until, type EngineProcess } from './fault-world.ts'
import { attachStrace, FAMILIES, HAS_STRACE, threadOf, type ThreadName } from './syscalls.ts'

const ALL = process.env['HANGAR_FAULTS'] === 'all'
/** So many positions of each thread and family are in `npm test`; all of them in `npm run test:faults`. */
const SAMPLE = 8

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
  await world.add()
  void hangar.call('intake.add', world.order)
  return Promise.race([
    hangar.ended.then(() => false),
    until(
      'every picture has ended',
      () => world.isAtRest(),
      30_000,
      () => world.reasons().join(', '),
    ).then(() => true),
  ])
}

async function countCalls(thread: ThreadName, family: string): Promise<number> {
  const hangar = await started()
  const log = join(world.logDir, 'calls')
  const strace = await attachStrace(['-p', `${threadOf(hangar.pid, thread)}`, '-e', `trace=${family}`, '-o', log])
  expect(await bringOne(hangar)).toBe(true)
  await strace.detach()
  await hangar.kill()
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /^\w+\(/.test(line)).length
}

describe.skipIf(!HAS_STRACE)('a kill at a system call (needs strace)', () => {
  for (const thread of ['main', 'pool'] as const)
    for (const family of FAMILIES)
      it(
        `breaks no promise: ${ALL ? 'every' : `${SAMPLE} of the`} ${family} of the ${thread} thread`,
        { timeout: ALL ? 3_600_000 : 60_000 },
        async () => {
          world = await FaultWorld.make({ speed: 6 })
          const total = await countCalls(thread, family)
          const count = Math.min(total, ALL ? total : SAMPLE)
          const positions = Array.from({ length: count }, (_, nth) => 1 + Math.floor((nth * total) / count))
          let hits = 0
          for (const position of positions) {
            const hangar = await started()
            const inject = `inject=${family}:signal=KILL:when=${position}`
            await attachStrace([
              '-p',
              `${threadOf(hangar.pid, thread)}`,
              '-e',
              `trace=${family}`,
              '-e',
              inject,
              '-o',
              '/dev/null',
            ])
            if (!(await bringOne(hangar))) hits += 1
            await hangar.kill()
            expect(await world.violations(false), `killed at ${family} ${position} of ${total}`).toEqual([])
          }
          // The last position may not come again: no two runs make exactly as many calls.
          expect(hits).toBeGreaterThanOrEqual(Math.floor(count / 2))
          process.stdout.write(
            `${thread} thread, ${family}: killed at ${hits} of ${count} positions, ${total} in all\n`,
          )
          const hangar = await started()
          expect(await bringOne(hangar)).toBe(true)
          expect(await world.violations(true)).toEqual([])
          // What was not in the middle of being sent is done.
          expect(
            world
              .reasons()
              .filter((reason) => !reason.startsWith('done') && reason !== 'unknown crashed_while_sending'),
          ).toEqual([])
        },
      )
})
