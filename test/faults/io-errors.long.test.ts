import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { ALL, CAMPAIGN_MS, inWorlds, SEED } from './campaign.ts'
import { until } from '../until.ts'
import { FaultWorld } from './fault-world.ts'
import { readJobs } from './journal-view.ts'
import { inject, type Call, type ThreadName } from './syscalls.ts'

/** The call that fails is counted from 1 for each picture. */
interface InjectedError extends Call {
  thread: ThreadName
  error: string
}

const nameOf = ({ call, error, nth }: InjectedError) => `${error} at ${call} ${nth}`

/** What the kernel may say, and to which calls. Not writes of the pool: Node itself cannot bear a failure of its own. */
const ERRORS: InjectedError[] = (
  [
    ['pool', 'openat', ['EMFILE', 'EIO', 'EACCES']],
    ['pool', 'fsync', ['EIO', 'ENOSPC']],
    ['pool', 'link', ['EPERM', 'EACCES', 'EIO', 'ENOSPC']],
    ['pool', 'unlink', ['EACCES', 'EIO']],
    ['main', 'pwrite64', ['ENOSPC', 'EIO']],
    ['main', 'fdatasync', ['EIO']],
  ] as const
).flatMap(([thread, call, errors]) =>
  errors.flatMap((error, at) =>
    (ALL ? Array.from({ length: 30 }, (_, before) => before + 1) : [SEED % 2 === 0 ? 1 + at : 3 + 2 * at]).map(
      (nth) => ({ thread, call, error, nth }),
    ),
  ),
)

let world: FaultWorld
afterEach(() => world.end())

describeWith(STRACE)('an I/O error', () => {
  for (const errors of inWorlds(ERRORS)) {
    const [first, last] = [errors[0]!, errors.at(-1)!].map(nameOf)
    it(
      `once, at each of ${errors.length} places from ${first} to ${last} (seed ${SEED}), costs nothing but time and a retry: every picture is done in the end`,
      { timeout: CAMPAIGN_MS },
      () => meetErrors(errors),
    )
  }

  async function meetErrors(errors: readonly InjectedError[]): Promise<void> {
    world = await FaultWorld.make({ speed: 30 })
    const hangar = await world.start({ threads: 1 })
    for (const injected of errors) {
      const strace = await inject(hangar.pid, injected.thread, injected, `error=${injected.error}`)
      await world.add()
      // A folder that cannot be listed is reported and left out of a run: the person starts it again.
      await until(
        'every picture has ended',
        async () => {
          if (!world.isAtRest()) await world.look(hangar)
          return world.isAtRest()
        },
        { describe: () => `${nameOf(injected)}: ${world.reasons().join(', ')}` },
      )
      await strace.detach()
      expect(await world.violations(false), nameOf(injected)).toEqual([])
    }
    expect(hangar.child.exitCode).toBe(null)
    // What could not be read at the time was reported as such, and is done when it is added again.
    await world.look(hangar)
    await world.rest()
    const pictures = readJobs(world.dataDir)!.filter(({ path }) => world.originals.has(path))
    expect(
      [...new Set(pictures.map(({ state, reason }) => reason ?? state))].filter((end) => end !== 'already_done'),
    ).toEqual(['done'])
    // A part that could not be removed at the time goes at the next start.
    await hangar.kill()
    await world.start()
    expect(await world.violations(true)).toEqual([])
  }
})
