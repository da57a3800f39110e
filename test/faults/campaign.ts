import { expect } from 'vitest'

/** How long the campaigns in this folder are: a sample in `npm run test:long`, everything in `npm run test:faults`. */
export const ALL = process.env['HANGAR_FAULTS'] === 'all'

/** Of a test that meets faults one after another, each with engines that start and end; `until` says what hangs. */
export const CAMPAIGN_MS = ALL ? 3_600_000 : 1_200_000

/** Printed in the name of each test that draws at random; `HANGAR_FAULT_SEED` repeats one. */
export const SEED = Number(process.env['HANGAR_FAULT_SEED'] ?? Date.now() % 1_000_000)

/** Met in one world, for what is left of one to meet the next; few enough for a campaign's time not to grow with their square. */
const FAULTS_PER_WORLD = 30

/** Splits the faults of a campaign among worlds, as evenly as possible. */
export function inWorlds<Fault>(faults: readonly Fault[]): Fault[][] {
  const worlds = Math.ceil(faults.length / FAULTS_PER_WORLD)
  const startOf = (nth: number) => Math.round((nth * faults.length) / worlds)
  return Array.from({ length: worlds }, (_, nth) => faults.slice(startOf(nth), startOf(nth + 1)))
}

/** Those of a campaign: all of them, or as many as the sample holds, evenly spread and shifted by the seed. */
function spread<Fault>(all: readonly Fault[], sample: number): Fault[] {
  const count = ALL ? all.length : Math.min(sample, all.length)
  return Array.from({ length: count }, (_, at) => all[(Math.floor((at * all.length) / count) + SEED) % all.length]!)
}

/** Kills at a sample of these calls: `killAt` says for how many of a group they came, `another` makes a new world for the next. */
export async function killAtSample<Call>(
  all: readonly Call[],
  sample: number,
  who: string,
  { killAt, another }: { killAt: (group: readonly Call[]) => Promise<number>; another: () => Promise<void> },
): Promise<void> {
  const calls = spread(all, sample)
  let hits = 0
  for (const [nth, group] of inWorlds(calls).entries()) {
    if (nth > 0) await another()
    hits += await killAt(group)
  }
  process.stdout.write(`${who}: killed at ${hits} of ${calls.length}, ${all.length} in all\n`)
  // No two runs make exactly as many calls: the last ones of a kind may not come.
  expect(hits).toBeGreaterThan(calls.length * 0.6)
}
