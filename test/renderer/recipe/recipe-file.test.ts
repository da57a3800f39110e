import { describe, expect, it } from 'vitest'
import { readRecipeFile } from '../../../src/renderer/recipe/recipe-file.ts'
import { DEFAULT_RECIPE } from '../../../src/shared/recipes/recipe.ts'
import type { UiRecipe } from '../../../src/shared/contract/places.ts'

const RECIPE: UiRecipe = { ...DEFAULT_RECIPE, name: 'Shop', output: { kind: 'beside' } }
const IN_FOLDER: UiRecipe = {
  ...RECIPE,
  output: { kind: 'folder', dir: 'token-0123456789', path: '/home/ada/out' },
}

describe('a chosen file', () => {
  it('may be a bare recipe', () => {
    expect(readRecipeFile(JSON.stringify(RECIPE))).toMatchObject({ ok: true, lostFolder: false })
  })

  it('loses a folder of another computer, and that is told', () => {
    expect(readRecipeFile(JSON.stringify(IN_FOLDER))).toEqual({ ok: true, recipe: RECIPE, lostFolder: true })
  })

  it.each([
    ['not JSON', 'photo', 'not_json'],
    ['a list', '[]', 'not_recipe'],
    ['nothing', 'null', 'not_recipe'],
    ['something else', '{"name":"x"}', 'not_recipe'],
    ['a mark without a recipe', '{"hangarRecipe":1}', 'not_recipe'],
    ['a later version', '{"hangarRecipe":2,"recipe":{}}', 'newer'],
    ['too long', `"${'x'.repeat(100_001)}"`, 'too_long'],
  ])('is refused when it is %s', (_, text, why) => {
    expect(readRecipeFile(text)).toEqual({ ok: false, why })
  })
})
