import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE, MAX_UPLOAD_BYTES, type Recipe } from '../../src/shared/recipes/recipe.ts'
import {
  CALLS,
  maxSourceBytes,
  paidKeyOf,
  planWork,
  type PlannedImage,
  recipeSignature,
  sendsCopy,
} from '../../src/main/core/plan-work.ts'

const recipe = (changes: Partial<Recipe>): Recipe => ({ ...DEFAULT_RECIPE, ...changes })
const SIZE = { width: 4000, height: 3000 }
const still = (type: 'jpeg' | 'png' | 'gif' | 'webp') => ({ type, animated: false, ...SIZE })

describe('what a recipe does to each type', () => {
  it('sends JPEG and PNG through the whole pipeline and converts them here', () => {
    const plan = { send: 'process', optimized: true, converted: true, widths: [], notes: [] }
    for (const type of ['jpeg', 'png'] as const) expect(planWork(recipe({}), still(type))).toEqual(plan)
  })

  it('sends GIF and WebP to analysis and says so', () => {
    const plan = planWork(recipe({}), still('gif'))
    expect(plan).toMatchObject({ send: 'analyze', optimized: false, converted: true })
    expect(plan).toHaveProperty('notes', [{ code: 'analyzed_only', detail: 'gif' }])
    expect(planWork(recipe({ format: 'webp' }), still('webp'))).toMatchObject({ send: 'analyze', converted: false })
  })

  it('needs a download exactly where a file is fetched, and so a call more', () => {
    for (const operation of ['process', 'analyze', 'optimize', 'convert'] as const)
      for (const convertOn of ['here', 'service'] as const)
        for (const type of ['jpeg', 'png', 'gif', 'webp'] as const) {
          const plan = planWork(recipe({ operation, convertOn }), still(type))
          if ('cannot' in plan || plan.send === null) continue
          expect(CALLS[plan.send], `${operation} of a ${type}`).toBe(plan.optimized ? 3 : 2)
        }
  })

  it('never makes a still AVIF of an animation', () => {
    const [still, moving] = ['avif', 'webp'].map((format) =>
      planWork(recipe({ format: format as 'webp' }), { type: 'gif', animated: true, ...SIZE }),
    )
    expect(still).toMatchObject({ converted: false })
    const notes = [{ code: 'analyzed_only' }, { code: 'animation_kept' }]
    expect(moving).toMatchObject({ converted: true, notes })
  })

  it('says before paying what may come of an animation that is compressed', () => {
    for (const type of ['gif', 'webp'] as const)
      expect(planWork(recipe({ operation: 'optimize' }), { type, animated: true, ...SIZE })).toMatchObject({
        send: 'optimize',
        notes: [{ code: 'animation_may_be_lost' }],
      })
  })

  it('makes the widths that are narrower than what it converts, or than a picture that needs no conversion', () => {
    const widths = [320, 1000, 640, 999]
    const widthsOf = (changes: Partial<Recipe>, image: Partial<PlannedImage> = {}) => {
      const plan = planWork(recipe({ widths, ...changes }), { ...still('jpeg'), width: 1000, height: 500, ...image })
      return 'cannot' in plan ? plan.reason : plan.widths
    }
    expect(widthsOf({})).toEqual([999, 640, 320])
    expect(widthsOf({ longEdge: 640 })).toEqual([320])
    expect(widthsOf({ longEdge: 640 }, { width: 500, height: 1000 })).toEqual([])
    expect(widthsOf({}, { type: 'webp' })).toEqual([999, 640, 320])
    expect(widthsOf({}, { type: 'gif', animated: true })).toEqual([999, 640, 320])
    expect(widthsOf({ format: 'avif' }, { type: 'gif', animated: true })).toEqual([])
    for (const nothingMade of [{ operation: 'analyze' }, { operation: 'optimize' }] as const)
      expect(widthsOf(nothingMade)).toEqual([])
    expect(widthsOf({ operation: 'convert', convertOn: 'service' })).toEqual([])
  })

  it('refuses a picture that cannot become AVIF here before anything is paid for it, and says how large it may be', () => {
    const huge = { ...still('jpeg'), width: 10_000, height: 5001 }
    for (const operation of ['process', 'convert'] as const) {
      const refused = planWork(recipe({ operation, format: 'avif' }), huge)
      expect(refused).toMatchObject({ reason: 'too_many_pixels' })
      const values = { pixels: 50_010_000, limit: 50_000_000 }
      expect('cannot' in refused && refused.cannot).toEqual({ code: 'over_avif_limit', values })
    }
    expect(planWork(recipe({ format: 'avif' }), { ...huge, height: 5000 })).toMatchObject({ converted: true })
    expect(planWork(recipe({ format: 'webp' }), huge)).toMatchObject({ converted: true })
    expect(planWork(recipe({ operation: 'optimize', format: 'avif' }), huge)).toMatchObject({ optimized: true })
  })

  it('refuses a picture that is too long for the wanted format before anything is paid for it', () => {
    const panorama = { ...still('jpeg'), width: 16_384, height: 500 }
    for (const [format, name] of [['webp', 'WebP'] as const, ['avif', 'AVIF'] as const]) {
      const refused = planWork(recipe({ format }), panorama)
      const values = { side: 16_384, format: name, limit: 16_383 }
      expect('cannot' in refused && refused.cannot).toEqual({ code: 'over_side_limit', values })
      expect(planWork(recipe({ format }), { ...panorama, width: 16_383 })).toMatchObject({ converted: true })
      expect(planWork(recipe({ format, longEdge: 2000 }), panorama)).toMatchObject({ converted: true })
      expect(planWork(recipe({ format, operation: 'analyze' }), panorama)).toMatchObject({ send: 'analyze' })
    }
  })

  it('sends all four types to optimize and nothing at all for a conversion on this computer', () => {
    for (const type of ['jpeg', 'png', 'gif', 'webp'] as const) {
      const sent = { send: 'optimize', optimized: true }
      expect(planWork(recipe({ operation: 'optimize' }), still(type))).toMatchObject(sent)
      expect(planWork(recipe({ operation: 'convert' }), still(type))).toMatchObject({ send: null, optimized: false })
    }
  })

  it('refuses a conversion on the service of a type that the document does not give', () => {
    const onService = recipe({ operation: 'convert', convertOn: 'service' })
    expect(planWork(onService, still('gif'))).toHaveProperty('cannot')
    const plan = { send: 'convert', converted: false, notes: [{ code: 'figures_only' }] }
    expect(planWork(onService, still('png'))).toMatchObject(plan)
  })
})

describe('the paid key', () => {
  const content = { sha256: 'a'.repeat(64), type: 'jpeg' as const, sizeBytes: 1000 }

  it('does not depend on naming, place, quality or the order of languages', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['en', 'de', 'fr', 'it'], { minLength: 1 }), fc.boolean(), (languages, seo) => {
        const one = recipe({ languages, naming: seo ? 'seo' : 'original', quality: 10, output: { kind: 'replace' } })
        const other = recipe({ languages: [...languages].reverse() })
        expect(paidKeyOf('https://a', content, 'process', one)).toBe(paidKeyOf('https://a', content, 'process', other))
      }),
    )
  })

  it('differs by service, content, operation, languages and, where it matters, format', () => {
    const keyOf = (operation: 'process' | 'analyze' | 'optimize', changes: Partial<Recipe> = {}) =>
      paidKeyOf('https://a', content, operation, recipe(changes))
    const others = [
      paidKeyOf('https://b', content, 'process', recipe({})),
      paidKeyOf('https://a', { ...content, sha256: 'b'.repeat(64) }, 'process', recipe({})),
      keyOf('analyze'),
      keyOf('process', { languages: ['de'] }),
      keyOf('process', { format: 'avif' }),
    ]
    expect(others).not.toContain(keyOf('process'))
    expect(keyOf('optimize', { format: 'avif', languages: ['de'] })).toBe(keyOf('optimize'))
  })

  it('has a signature beside it that a new name, project or order of widths does not change and a new place does', () => {
    const signature = (changes: Partial<Recipe>) => recipeSignature(recipe(changes), 1000)
    expect(signature({ name: 'Other' })).toBe(signature({}))
    expect(signature({ widths: [320, 640] })).toBe(signature({ widths: [640, 320] }))
    expect(signature({ output: { kind: 'folder', dir: '/x' } })).not.toBe(signature({}))
  })

  it.each<[string, Partial<Recipe>, Partial<Recipe>]>([
    ['a long edge', {}, { longEdge: 1600 }],
    ['widths', {}, { widths: [640, 320] }],
    ['a largest size', {}, { maxSizeKb: 150 }],
    ['what becomes of a larger converted file', { keepLarger: true }, { keepLarger: false }],
  ])('is not touched by %s; the signature is, where something is converted here', (_what, one, other) => {
    const keyOf = (changes: Partial<Recipe>) => paidKeyOf('https://a', content, 'process', recipe(changes))
    const signature = (changes: Partial<Recipe>) => recipeSignature(recipe(changes), 1000)
    expect(keyOf(other)).toBe(keyOf(one))
    expect(signature(other)).not.toBe(signature(one))
    expect(signature({ ...other, operation: 'analyze' })).toBe(signature({ ...one, operation: 'analyze' }))
  })

  it('is touched by word rules as little as the signature is', () => {
    const [none, some] = [recipe({}), recipe({ rules: [{ kind: 'never', words: 'Hangar', language: null }] })]
    expect(paidKeyOf('https://a', content, 'process', some)).toBe(paidKeyOf('https://a', content, 'process', none))
    expect(recipeSignature(some, 1000)).toBe(recipeSignature(none, 1000))
  })
})

describe('a file over the limit of the service', () => {
  const large = { sha256: 'a'.repeat(64), type: 'jpeg' as const, sizeBytes: MAX_UPLOAD_BYTES + 1 }
  const small = { ...large, sizeBytes: MAX_UPLOAD_BYTES }
  const copies = recipe({ oversize: 'downscale' })

  it('is read in full only where a smaller copy of it may be sent', () => {
    expect(maxSourceBytes(recipe({}))).toBe(MAX_UPLOAD_BYTES)
    expect(maxSourceBytes(copies)).toBeGreaterThan(MAX_UPLOAD_BYTES)
  })

  it('has a paid key and a signature of its own when a copy of it is sent', () => {
    expect(paidKeyOf('https://a', large, 'process', copies)).toBe(`https://a|${large.sha256}+copy|process|en|webp`)
    expect(recipeSignature(copies, large.sizeBytes)).not.toBe(recipeSignature(copies, small.sizeBytes))
  })

  it.each([
    ['the file fits', copies, small],
    ['nothing is sent', recipe({ oversize: 'downscale', operation: 'convert' }), large],
    ['no copy is wanted', recipe({}), large],
  ])('is like any other when %s', (_when, order, content) => {
    const plain = { ...order, oversize: 'refuse' as const }
    expect(sendsCopy(order, 'jpeg', content.sizeBytes)).toBe(false)
    expect(paidKeyOf('https://a', content, 'process', order)).toBe(paidKeyOf('https://a', content, 'process', plain))
    expect(recipeSignature(order, content.sizeBytes)).toBe(recipeSignature(plain, content.sizeBytes))
  })

  it('keeps the signatures that journals hold already', () => {
    expect(recipeSignature(recipe({ keepLarger: true }), 1000)).toBe(
      '["process",["en"],"-","webp","here","beside","original",0,80,"keep-without-location"]',
    )
  })
})
