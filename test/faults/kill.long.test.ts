import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import { ALL, CAMPAIGN_MS, inWorlds, SEED } from './campaign.ts'
import { until } from '../until.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'

const KILLS = Number(process.env['HANGAR_KILLS'] ?? (ALL ? 200 : 14))
const MOMENTS: JobState[] = ['ready', 'sending', 'waiting', 'fetching', 'writing', 'done']

let world: FaultWorld
afterEach(() => world.end())

/** Processes that this one has started, now. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** Arguments and environment of a child, as any process of the same user can read them. */
function textsOf(pid: number, parent: number): string[] {
  try {
    const [command, parents] = [pid, parent].map((of) => readFileSync(`/proc/${of}/cmdline`, 'utf8'))
    // Forked a moment ago, it is a copy of its parent, which got the key from its environment, until its program starts.
    if (command === undefined || command === parents) return []
    return [command, readFileSync(`/proc/${pid}/environ`, 'utf8')]
  } catch {
    return []
  }
}

interface Campaign {
  kills: number
  seed: number
  /** Results take the originals' places, which are kept in a backup. */
  replace: boolean
  naming: string
}

describe('kill -9', () => {
  const campaigns: Campaign[] = [
    { times: KILLS, replace: false, naming: 'original' },
    { times: Math.ceil(KILLS / 3), replace: true, naming: 'original' },
    { times: Math.ceil(KILLS / 3), replace: false, naming: 'web/{seo}/{date:YYYY}-{n:3}' },
  ].flatMap(({ times, ...how }) =>
    inWorlds(Array.from({ length: times })).map(({ length: kills }, nth) => ({ kills, seed: SEED + nth, ...how })),
  )
  for (const one of campaigns)
    it(
      `${one.kills} times at random, also during start and recovery, breaks no promise (${one.replace ? 'originals replaced, ' : ''}names: ${one.naming}, seed ${one.seed})`,
      { timeout: CAMPAIGN_MS },
      () => campaign(one),
    )

  async function campaign({ kills, seed, replace, naming }: Campaign): Promise<void> {
    const random = seededRandom(seed)
    const replacing: Partial<Recipe> = { operation: 'optimize', output: { kind: 'replace' } }
    const recipe: Partial<Recipe> = { naming, ...(replace ? replacing : {}) }
    const jobTime = { kind: 'lognormal', medianMs: 600, sigma: 0.7 } as const
    world = await FaultWorld.make({ speed: 6, recipe, practice: { jobTime } })
    world.checks.replaced = replace
    world.addForeign('notes.txt', 'mine')
    let isAdded = false
    for (let kill = 0; kill < kills; kill += 1) {
      for (let nth = random() * 4; nth > 1; nth -= 1) await world.add()
      const hangar = world.spawn({ watch: true })
      await moment(hangar, random, async () => {
        if (!isAdded) isAdded = (await hangar.call('folders.add', world.folder))?.ok === true
      })
      const children = childrenOf(hangar.pid)
      world.processTexts.push(...children.flatMap((child) => textsOf(child, hangar.pid)))
      await hangar.kill()
      expect(await world.violations(false)).toEqual([])
      await until('no child outlives it', () => !children.some(isRunning))
    }
    await world.add()
    const last = await world.start({ watch: true })
    if (!isAdded) await last.call('folders.add', world.folder)
    await world.rest(CAMPAIGN_MS / 4)
    expect(await world.violations(true)).toEqual([])
    expect(world.counts()['done']).toBeGreaterThan(0)
    expect(world.reasons().filter((reason) => reason.startsWith('failed'))).toEqual([])
  }

  /** Waits for the moment to kill: some time after the start, or after it is ready, or when a picture comes to a state. */
  async function moment(hangar: EngineProcess, random: () => number, onReady: () => Promise<void>): Promise<void> {
    const way = random()
    const waitMs = random() * 900
    if (way < 0.25) return delay(waitMs)
    await hangar.ready
    await onReady()
    await world.add()
    if (way < 0.6) return delay(waitMs)
    const state = MOMENTS[Math.floor(random() * MOMENTS.length)]!
    await Promise.race([hangar.untilJob(state), delay(3000)])
    await delay(random() * 15)
  }
})
