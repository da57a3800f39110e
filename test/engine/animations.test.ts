import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { apng } from '../images/animations.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest({ stillsOfApng: true })

const addAnimation = async (): Promise<{ path: string; bytes: Buffer }> => {
  const frame = (value: number) => ({ width: 64, height: 48, colour: [value, 255 - value, 90, 255] as const })
  const bytes = await apng([0, 60, 120, 180].map(frame))
  const path = join(world.pictures, 'moving.png')
  await writeFile(path, bytes)
  return { path, bytes }
}

describe('an animated PNG', () => {
  it.each<Recipe['output']>([{ kind: 'replace' }, { kind: 'beside' }])(
    'is never replaced by a still, nor is one written ($kind)',
    async (output) => {
      const { path, bytes } = await addAnimation()
      const recipe: Recipe = { ...RECIPE, operation: 'optimize', output }
      const engine = await world.engine(world.newDataFolder())
      const [job] = await runToEnd(engine, [path], { recipe })
      expect(job).toMatchObject({ state: 'done', notes: [{ code: 'frames_lost', detail: '4 → 1' }] })
      expect(await readFile(path)).toEqual(bytes)
      expect(Object.keys(await world.listing())).toEqual(['moving.png', 'moving.png.alt.json'])
      // It is done: another computer does not pay for it either.
      const [elsewhere] = await runToEnd(await world.engine(world.newDataFolder()), [path], { recipe })
      expect(elsewhere).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
      expect(world.charges).toHaveLength(1)
    },
  )
})

it('an animated GIF is said to be at risk before it is sent, and kept when all its frames come back', async () => {
  const frames = [1, 2, 3].map((seed) =>
    sharp({ create: { width: 200, height: 150, channels: 3, background: { r: seed * 70, g: 9, b: 9 } } })
      .png()
      .toBuffer(),
  )
  const path = join(world.pictures, 'moving.gif')
  await writeFile(
    path,
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif({ effort: 1 })
      .toBuffer(),
  )
  const recipe: Recipe = { ...RECIPE, operation: 'optimize' }
  const [job] = await runToEnd(await world.engine(world.newDataFolder()), [path], { recipe })
  expect(job?.state).toBe('done')
  const codes = job?.notes.map(({ code }) => code)
  expect(codes).toContain('animation_kept')
  expect(codes).not.toContain('animation_may_be_lost')
})
