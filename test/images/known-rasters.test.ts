import { expect, it } from 'vitest'
import type { JudgeOptions } from '../../src/main/core/picture-tasks.ts'
import type { ImageWorker } from '../../src/main/images/image-worker-client.ts'
import { keepRasters } from '../../src/main/images/known-rasters.ts'

const raster = (shade: number) => ({ columns: 1, rows: 1, cells: Uint8Array.of(shade, shade, shade, 255) })
const file = (sha256: string, shade = 0) => ({ bytes: Uint8Array.of(shade), sha256 })

/** A worker that sees as much in a file as its only byte says: nothing in 0, no picture in 1. */
function kept(options: { most?: number } = {}) {
  const given: (JudgeOptions['known'] | undefined)[] = []
  const worker = {
    inspect: async ({ bytes: [shade = 0] }: { bytes: Uint8Array }) =>
      shade === 1
        ? { ok: false, reason: 'damaged', detail: { code: 'pixels_broken' } }
        : { ok: true, raster: shade === 0 ? null : raster(shade) },
    judge: async ({ known }: JudgeOptions) => {
      given.push(known)
      return { ok: true, fits: true, bytes: null, losses: [] }
    },
  } as unknown as ImageWorker
  return { ...keepRasters(worker, options), given }
}

it('gives the judgement what was seen of both contents, and of no other', async () => {
  const { inspect, judge, given } = kept()
  await inspect(file('a', 100))
  await judge(file('b'), file('a'), null)
  await inspect(file('a', 100))
  await inspect(file('b', 200))
  await inspect(file('moving', 0))
  await inspect(file('broken', 1))
  await judge(file('b'), file('a'), null)
  await judge(file('broken'), file('moving'), null)
  expect(given).toEqual([
    { served: null, original: raster(100) },
    { served: raster(200), original: raster(100) },
    { served: null, original: null },
  ])
})

it('forgets what was seen longest ago', async () => {
  const { inspect, judge, given } = kept({ most: 2 })
  await inspect(file('first', 50))
  await inspect(file('second', 60))
  await inspect(file('first', 50))
  await inspect(file('last', 80))
  await judge(file('second'), file('first'), null)
  expect(given).toEqual([{ served: null, original: raster(50) }])
})
