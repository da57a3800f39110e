import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipe.ts'
import { paidKeyOf, planWork, recipeSignature } from '../../src/main/core/plan-work.ts'

const recipe = (changes: Partial<Recipe>): Recipe => ({ ...DEFAULT_RECIPE, ...changes })
const still = (type: 'jpeg' | 'png' | 'gif' | 'webp') => ({ type, animated: false })

describe('what a recipe does to each type', () => {
  it('sends JPEG and PNG through the whole pipeline and converts them here', () => {
    for (const type of ['jpeg', 'png'] as const)
      expect(planWork(recipe({}), still(type))).toEqual({
        send: 'process',
        optimized: true,
        converted: true,
        notes: [],
      })
  })

  it('sends GIF and WebP to analysis and says so', () => {
    const plan = planWork(recipe({}), still('gif'))
    expect(plan).toMatchObject({ send: 'analyze', optimized: false, converted: true })
    expect(plan).toHaveProperty('notes', [{ code: 'analyzed_only', detail: 'gif' }])
    expect(planWork(recipe({ format: 'webp' }), still('webp'))).toMatchObject({ send: 'analyze', converted: false })
  })

  it('never makes a still AVIF of an animation', () => {
    expect(planWork(recipe({ format: 'avif' }), { type: 'gif', animated: true })).toMatchObject({ converted: false })
    expect(planWork(recipe({ format: 'webp' }), { type: 'gif', animated: true })).toMatchObject({
      converted: true,
      notes: [{ code: 'analyzed_only' }, { code: 'animation_kept' }],
    })
  })

  it('sends all four types to optimize and nothing at all for a conversion on this computer', () => {
    for (const type of ['jpeg', 'png', 'gif', 'webp'] as const) {
      expect(planWork(recipe({ operation: 'optimize' }), still(type))).toMatchObject({
        send: 'optimize',
        optimized: true,
      })
      expect(planWork(recipe({ operation: 'convert' }), still(type))).toMatchObject({ send: null, optimized: false })
    }
  })

  it('refuses a conversion on the service of a type that the document does not give', () => {
    expect(planWork(recipe({ operation: 'convert', convertOn: 'service' }), still('gif'))).toHaveProperty('cannot')
    expect(planWork(recipe({ operation: 'convert', convertOn: 'service' }), still('png'))).toMatchObject({
      send: 'convert',
      converted: false,
      notes: [{ code: 'figures_only' }],
    })
  })
})

describe('the paid key', () => {
  const sha = 'a'.repeat(64)

  it('does not depend on naming, place, quality or the order of languages', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['en', 'de', 'fr', 'it'], { minLength: 1 }), fc.boolean(), (languages, seo) => {
        const one = recipe({ languages, naming: seo ? 'seo' : 'original', quality: 10, output: { kind: 'replace' } })
        const other = recipe({ languages: [...languages].reverse() })
        expect(paidKeyOf('https://a', sha, 'process', one)).toBe(paidKeyOf('https://a', sha, 'process', other))
      }),
    )
  })

  it('differs by service, content, operation, languages and, where it matters, format', () => {
    const base = paidKeyOf('https://a', sha, 'process', recipe({}))
    expect(paidKeyOf('https://b', sha, 'process', recipe({}))).not.toBe(base)
    expect(paidKeyOf('https://a', 'b'.repeat(64), 'process', recipe({}))).not.toBe(base)
    expect(paidKeyOf('https://a', sha, 'analyze', recipe({}))).not.toBe(base)
    expect(paidKeyOf('https://a', sha, 'process', recipe({ languages: ['de'] }))).not.toBe(base)
    expect(paidKeyOf('https://a', sha, 'process', recipe({ format: 'avif' }))).not.toBe(base)
    expect(paidKeyOf('https://a', sha, 'optimize', recipe({ format: 'avif', languages: ['de'] }))).toBe(
      paidKeyOf('https://a', sha, 'optimize', recipe({})),
    )
  })

  it('has a signature beside it that a new name or project does not change and a new place does', () => {
    expect(recipeSignature(recipe({ name: 'Other' }))).toBe(recipeSignature(recipe({})))
    expect(recipeSignature(recipe({ output: { kind: 'folder', dir: '/x' } }))).not.toBe(recipeSignature(recipe({})))
  })
})
