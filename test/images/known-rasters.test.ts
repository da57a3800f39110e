import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storedRasters } from '../../src/main/files/stored-rasters.ts'
import type { JudgeOptions } from '../../src/main/core/picture-tasks.ts'
import type { ImageWorker } from '../../src/main/images/image-worker-client.ts'
import { keepRasters, type StoredRasters } from '../../src/main/images/known-rasters.ts'

const raster = (shade: number) => ({ columns: 1, rows: 1, cells: Uint8Array.of(shade, shade, shade, 255) })
const file = (sha256: string, shade = 0) => ({ bytes: Uint8Array.of(shade), sha256 })

/** A worker that sees as much in a file as its only byte says: nothing in 0, no picture in 1. */
function kept({ most, stored }: { most?: number; stored?: StoredRasters } = {}) {
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
  return { ...keepRasters(worker, { ...(stored && { stored }), ...(most && { most }) }), given }
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

describe('what was still to be compared when Hangar ended', () => {
  const folder = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'hangar-compared-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    return dir
  }
  const sha = (digit: string): string => digit.repeat(64)

  it('is known after the next start, by the content of the original alone, until it was compared', async () => {
    const stored = storedRasters(folder())
    const first = kept({ stored })
    for (const [name, shade] of [
      ['a', 100],
      ['b', 120],
      ['c', 140],
    ] as const)
      await first.inspect(file(sha(name), shade))
    await first.judge(file(sha('f')), file(sha('c')), null)
    await first.close()
    const second = kept({ stored })
    await second.inspect(file(sha('d'), 160))
    // The original was changed: it has another content.
    await second.judge(file(sha('f')), file(sha('e')), null)
    await second.judge(file(sha('f')), file(sha('a')), null)
    await second.close()
    const third = kept({ stored })
    for (const name of ['a', 'b', 'c', 'd']) await third.judge(file(sha('f')), file(sha(name)), null)
    const originals = (of: typeof first.given) => of.map((known) => known?.original ?? null)
    expect(originals(second.given)).toEqual([null, raster(100)])
    expect(originals(third.given)).toEqual([null, raster(120), null, raster(160)])
  })

  it('is nothing where it was cut, changed or never written, and stops nobody', async () => {
    const dir = folder()
    const stored = storedRasters(dir)
    await stored.write(new Map([[sha('a'), raster(100)]]))
    const [name] = readdirSync(dir)
    const path = join(dir, name!)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const whole = readFileSync(path)
    expect(await stored.read()).toEqual(new Map([[sha('a'), raster(100)]]))
    for (const damaged of [
      whole.subarray(0, -1),
      whole.with(-2, whole.at(-2)! ^ 1),
      whole.subarray(0, 5),
      Buffer.alloc(0),
    ]) {
      writeFileSync(path, damaged)
      expect((await stored.read()).size).toBe(0)
    }
    rmSync(dir, { recursive: true })
    expect((await stored.read()).size).toBe(0)
    await stored.write(new Map([[sha('a'), raster(100)]]))
  })
})
