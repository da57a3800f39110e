/** What must hold in a simulated world at any time, whatever happens in it. */
import { expect } from 'vitest'
import { hashOf } from './memory-files.ts'
import type { World } from './world.ts'

/** Each charge beyond the first for the same content must have been approved. */
export function checkCharges(world: World): void {
  const repeated = world.service.charges.length - new Set(world.service.charges).size
  expect(repeated, 'charges nobody approved').toBeLessThanOrEqual(world.approved)
}

export function checkRate({ service }: Pick<World, 'service'>): void {
  const times = service.countedAtMs
  for (let n = 60; n < times.length; n += 1)
    expect(times[n]! - times[n - 60]!, 'calls in a minute').toBeGreaterThanOrEqual(60_000)
}

export function checkOutputs(world: World): void {
  const sources = new Set(
    world
      .jobs()
      .filter((job) => job.state !== 'skipped')
      .map((job) => job.source.path),
  )
  for (const [path, sha256] of world.files.written) {
    expect(sources.has(path), `${path} is an output and was taken in`).toBe(false)
    const there = world.files.disk.get(path)
    if (there !== undefined) expect(hashOf(there.bytes)).toBe(sha256)
  }
  const parts = [...world.files.disk.keys()].filter((path) => path.includes('/.hangar-'))
  expect(parts, 'parts left behind').toEqual([])
}
