import { expect, it } from 'vitest'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { animation } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, put, read, world } from './world-for-each-test.ts'

openWorldForEachTest({ stillsOfAnimations: true })

it.each<Recipe['output']>([{ kind: 'replace' }, { kind: 'beside' }])(
  'an animation that comes back as a still is not replaced, nor is the still written ($kind)',
  async (output) => {
    const bytes = await animation('gif', 4)
    const path = await put('moving.gif', bytes)
    const recipe: Recipe = { ...RECIPE, operation: 'optimize', output }
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [path], { recipe })
    expect(job).toMatchObject({ state: 'done', notes: [{ code: 'frames_lost', detail: '4 → 1' }] })
    expect(await read('moving.gif')).toEqual(bytes)
    expect(Object.keys(await world.listing())).toEqual(['moving.gif', 'moving.gif.alt.json'])
    // It is done: another computer does not pay for it either.
    const [elsewhere] = await runToEnd(await world.engine(world.newDataFolder()), [path], { recipe })
    expect(elsewhere).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
    expect(world.charges).toHaveLength(1)
  },
)
