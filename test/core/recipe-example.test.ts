import { describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { recipeExample } from '../../src/main/core/recipe-example.ts'

describe('the example of a recipe', () => {
  it('names what the default recipe writes beside a JPEG', () => {
    const expected = ['Beach-optimized.JPG', 'Beach.webp', 'Beach.JPG.alt.json']
    expect(recipeExample(DEFAULT_RECIPE, 'Beach.JPG')).toEqual(expected)
  })

  it('names the widths, also of what has the format already', () => {
    const recipe = { ...DEFAULT_RECIPE, widths: [640, 1280] }
    expect(recipeExample(recipe, 'a.jpg')).toEqual(
      'a-optimized.jpg a.webp a-1280w.webp a-640w.webp a.jpg.alt.json'.split(' '),
    )
    const expected = ['a-1280w.webp', 'a-640w.webp', 'a.webp.alt.json']
    expect(recipeExample({ ...recipe, operation: 'convert' }, 'a.webp')).toEqual(expected)
    const seo = recipeExample({ ...recipe, naming: 'seo' }, 'a.jpg')
    expect(seo).toContain('<seo>-640w.webp')
  })

  it('keeps the name of an original that is replaced', () => {
    const outputs = recipeExample({ ...DEFAULT_RECIPE, operation: 'optimize', output: { kind: 'replace' } }, 'a.jpg')
    expect(outputs).toEqual(['a.jpg', 'a.jpg.alt.json'])
  })

  it('names nothing for what the recipe cannot take', () => {
    for (const name of ['a.bmp', 'a.psd', 'notes', '.jpg', 'a.jpg.alt.json'])
      expect(recipeExample(DEFAULT_RECIPE, name)).toEqual([])
    const onService = { ...DEFAULT_RECIPE, operation: 'convert', convertOn: 'service' } as const
    expect(recipeExample(onService, 'a.gif')).toEqual([])
  })
})
