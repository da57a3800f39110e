import { describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { recipeExample } from '../../src/main/core/recipe-example.ts'

describe('the example of a recipe', () => {
  it('names what the default recipe writes beside a JPEG', () => {
    expect(recipeExample(DEFAULT_RECIPE, 'Beach.JPG')).toEqual({
      sent: 'process',
      outputs: ['Beach-optimized.JPG', 'Beach.webp', 'Beach.JPG.alt.json'],
      notes: [],
      refused: null,
    })
  })

  it('names the widths, also of what has the format already', () => {
    const recipe = { ...DEFAULT_RECIPE, widths: [640, 1280] }
    expect(recipeExample(recipe, 'a.jpg').outputs).toEqual([
      'a-optimized.jpg',
      'a.webp',
      'a-1280w.webp',
      'a-640w.webp',
      'a.jpg.alt.json',
    ])
    expect(recipeExample({ ...recipe, operation: 'convert' }, 'a.webp').outputs).toEqual([
      'a-1280w.webp',
      'a-640w.webp',
      'a.webp.alt.json',
    ])
    const seo = recipeExample({ ...recipe, naming: 'seo' }, 'a.jpg').outputs
    expect(seo).toContain('<seo>-640w.webp')
  })

  it('keeps the name of an original that is replaced', () => {
    const { outputs } = recipeExample(
      { ...DEFAULT_RECIPE, operation: 'optimize', output: { kind: 'replace' } },
      'a.jpg',
    )
    expect(outputs).toEqual(['a.jpg', 'a.jpg.alt.json'])
  })

  it('refuses what the recipe cannot take', () => {
    for (const name of ['a.bmp', 'a.psd', 'notes', '.jpg', 'a.jpg.alt.json'])
      expect(recipeExample(DEFAULT_RECIPE, name)).toMatchObject({ refused: 'wrong_type', outputs: [] })
    const onService = { ...DEFAULT_RECIPE, operation: 'convert', convertOn: 'service' } as const
    expect(recipeExample(onService, 'a.gif').refused).toBe('wrong_type')
  })
})
