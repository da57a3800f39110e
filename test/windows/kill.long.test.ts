import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import { END_STATES } from '../../src/shared/sentences/job-states.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import { SEED } from '../faults/campaign.ts'
import { FaultWorld } from '../faults/fault-world.ts'
import { readJournal } from '../faults/journal-view.ts'
import { fromWindows, setUpWindows, startHangar, toWindows, whatIsLacking, type Running } from './windows.ts'

const KILLS = Number(process.env['HANGAR_KILLS'] ?? 4)
const MOMENTS = [/"state":"ready"/, /"state":"sending"/, /"state":"waiting"/, /"state":"writing"/, /"state":"done"/]

let world: FaultWorld | null = null
beforeAll(async () => {
  if (whatIsLacking === null) await setUpWindows()
})
afterEach(async () => {
  await world?.end()
  world = null
})

describeWith(whatIsLacking)('A kill of Hangar as win32', () => {
  it.each([false, true])(
    `${KILLS} times at random breaks no promise (originals replaced: %s, seed ${SEED})`,
    { timeout: 300_000 + KILLS * 60_000 },
    async (replace) => {
      const random = seededRandom(SEED)
      const recipe: Partial<Recipe> = replace ? { operation: 'optimize', output: { kind: 'replace' } } : {}
      world = await FaultWorld.make({ recipe, practice: { jobTime: { kind: 'lognormal', medianMs: 300, sigma: 0.7 } } })
      const { checks, originals } = world
      checks.replaced = replace
      checks.placeOf = fromWindows
      world.addForeign('notes.txt', 'mine')
      for (let nth = 0; nth < 6; nth += 1) await world.add()
      for (let kill = 0; kill < KILLS; kill += 1) {
        await world.add()
        const hangar = start(world, replace)
        await hangar.said(MOMENTS[Math.floor(random() * MOMENTS.length)]!)
        await delay(random() * 300)
        await hangar.kill()
        world.said.push(...Object.values(hangar.text()))
        expect(await world.violations(false)).toEqual([])
      }
      const last = start(world, replace)
      const ended = await last.ended
      world.said.push(ended.stdout, ended.stderr)
      const jobs = readJournal(world.dataDir, fromWindows)!.jobs
      expect(jobs.map(({ path }) => path)).toEqual(expect.arrayContaining([...originals.keys()]))
      expect(jobs.filter(({ state }) => !(END_STATES as readonly string[]).includes(state))).toEqual([])
      expect(jobs.filter(({ state }) => state === 'failed')).toEqual([])
      expect(await world.violations(true)).toEqual([])
    },
  )
})

function start({ pictures, dataDir, practice, apiKey }: FaultWorld, replace: boolean): Running {
  const more = replace ? ['--operation', 'optimize', '--output', 'replace'] : ['--widths', '16', '--if-larger', 'keep']
  const args = [
    'run',
    toWindows(pictures),
    '--json',
    '--yes',
    '--data-dir',
    toWindows(dataDir),
    '--requests-per-minute',
    '600',
  ]
  return startHangar([...args, ...more], { env: { HANGAR_SERVICE_URL: practice.imageBaseUrl, HANGAR_API_KEY: apiKey } })
}
