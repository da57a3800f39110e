import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { until } from '../until.ts'
import { ALL, CAMPAIGN_MS } from './campaign.ts'
import { FaultWorld } from './fault-world.ts'
import { readJobs } from './journal-view.ts'

/** More than the kernel keeps events for: two each, and its queue holds 16,384. */
const FILES = ALL ? 30_000 : 9000

// Where a file system discards blocks as it frees them, removing each file takes milliseconds.
vi.setConfig({ testTimeout: CAMPAIGN_MS, hookTimeout: CAMPAIGN_MS })

let world: FaultWorld
afterEach(() => world.end())

it(`files made while Hangar was suspended are all found and accounted for, though the kernel dropped events: ${FILES} files`, async () => {
  world = await FaultWorld.make({ speed: 6 })
  for (let dir = 0; dir < 50; dir += 1) mkdirSync(join(world.pictures, `d${dir}`))
  const hangar = await world.start({ watch: true })
  await hangar.call('folders.add', world.folder)
  await world.add('first.jpg')
  await world.rest()

  process.kill(hangar.pid, 'SIGSTOP')
  for (let nth = 0; nth < FILES; nth += 1) world.addForeign(`d${nth % 50}/${nth}.jpg`, `no picture ${nth}`)
  await world.add('last.jpg')
  process.kill(hangar.pid, 'SIGCONT')

  await until('every file is listed', () => readJobs(world.dataDir)!.length === FILES + 2, {
    patienceMs: CAMPAIGN_MS / 2,
  })
  await world.rest()
  expect(world.tally()).toEqual({ done: 2, 'failed not_an_image': FILES })
  expect(await world.violations(true)).toEqual([])
})
