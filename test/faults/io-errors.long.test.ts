import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { ALL, CAMPAIGN_MS, inWorlds, SEED } from './campaign.ts'
import { until } from '../until.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { readJobs } from './journal-view.ts'
import { attachStrace, threadOf, type ThreadName } from './syscalls.ts'

interface InjectedError {
  thread: ThreadName
  call: string
  error: string
  /** The call that fails, counted from 1 for each picture. */
  position: number
}

const nameOf = ({ call, error, position }: InjectedError) => `${error} at ${call} ${position}`

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
  errors.flatMap((error, nth) =>
    (ALL ? Array.from({ length: 30 }, (_, at) => at + 1) : [SEED % 2 === 0 ? 1 + nth : 3 + 2 * nth]).map(
      (position) => ({
        thread,
        call,
        error,
        position,
      }),
    ),
  ),
)

let world: FaultWorld
afterEach(() => world.end())

/** Adds the folder and waits until it was scanned. */
async function addAgain(hangar: EngineProcess): Promise<void> {
  const added = await hangar.call('intake.add', world.everything)
  if (added?.ok !== true) return
  await until('the folder was scanned', async () => {
    const batch = await hangar.call('batches.get', { id: added.value.batchId })
    return batch?.ok !== true || !batch.value.open
  })
}

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
    const hangar = world.spawn({ threads: 1 })
    expect(await hangar.ready).toBe(true)
    for (const injected of errors) {
      const { thread, call, error, position } = injected
      const strace = await attachStrace([
        '-p',
        `${threadOf(hangar.pid, thread)}`,
        '-e',
        `trace=${call}`,
        '-o',
        '/dev/null',
        '-e',
        `inject=${call}:error=${error}:when=${position}`,
      ])
      await world.add()
      // A folder that cannot be listed is reported and left out of a run: the person starts it again.
      await until(
        'every picture has ended',
        async () => {
          if (!world.isAtRest()) await addAgain(hangar)
          return world.isAtRest()
        },
        { describe: () => `${nameOf(injected)}: ${world.reasons().join(', ')}` },
      )
      await strace.detach()
      expect(await world.violations(false), nameOf(injected)).toEqual([])
    }
    expect(hangar.child.exitCode).toBe(null)
    // What could not be read at the time was reported as such, and is done when it is added again.
    await addAgain(hangar)
    await until('every picture has ended', () => world.isAtRest())
    const pictures = readJobs(world.dataDir)!.filter(({ path }) => world.originals.has(path))
    expect(
      [...new Set(pictures.map(({ state, reason }) => reason ?? state))].filter((end) => end !== 'already_done'),
    ).toEqual(['done'])
    // A part that could not be removed at the time goes at the next start.
    await hangar.kill()
    const next = world.spawn()
    expect(await next.ready).toBe(true)
    expect(await world.violations(true)).toEqual([])
  }
})
