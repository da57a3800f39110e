import { describe, expect, it } from 'vitest'
import { readRecipeFile, recipeFile } from '../../../src/renderer/recipe/recipe-file.ts'
import { DEFAULT_RECIPE } from '../../../src/shared/recipes/recipe.ts'
import type { UiRecipe } from '../../../src/shared/contract/places.ts'

const RECIPE: UiRecipe = { ...DEFAULT_RECIPE, name: 'Shop', output: { kind: 'beside' } }
const IN_FOLDER: UiRecipe = {
  ...RECIPE,
  output: { kind: 'folder', dir: 'token-0123456789', path: '/home/ada/out' },
}

describe('a recipe as a file', () => {
  it('comes back as it was', () => {
    expect(readRecipeFile(recipeFile(RECIPE).text)).toEqual({ ok: true, recipe: RECIPE, lostFolder: false })
  })

  it('tells neither a path nor an id of the session', () => {
    const { text } = recipeFile(IN_FOLDER)
    expect(text).not.toContain('/home')
    expect(text).not.toContain('token')
    expect(readRecipeFile(text)).toEqual({ ok: true, recipe: RECIPE, lostFolder: false })
  })

  it('has a plain file name, whatever the recipe is called', () => {
    const nameFor = (name: string) => recipeFile({ ...RECIPE, name }).filename
    expect(nameFor('../Für den Shop: 1/2')).toBe('für-den-shop-1-2.hangar-recipe.json')
    expect(nameFor('???')).toBe('recipe.hangar-recipe.json')
    expect([...nameFor('🛩'.repeat(50) + 'x'.repeat(100))].length).toBeLessThan(90)
  })
})

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
