import { describe, expect, it } from 'vitest'
import { BURST_LIMIT } from '../../../src/main/core/spend-guard.ts'
import { planWork, type WorkPlan } from '../../../src/main/core/plan-work.ts'
import { ASK_ABOVE } from '../../../src/renderer/places/folders/folder-facts.ts'
import { SHIPPED_NAME } from '../../../src/renderer/recipe/recipe-name.ts'
import {
  compresses,
  encodesHere,
  makesTexts,
  mayLeaveOut,
  priceKind,
  recipeFacts,
  typeFact,
  uploads,
  type TypeFact,
} from '../../../src/shared/recipes/recipe-facts.ts'
import { ConvertFormat, DEFAULT_RECIPE, ImageType, Operation, type Recipe } from '../../../src/shared/recipes/recipe.ts'
import english from '../../../src/shared/text/en/recipe.json' with { type: 'json' }

const RECIPES: Recipe[] = Operation.options.flatMap((operation) =>
  ConvertFormat.options.flatMap((format) =>
    (['here', 'service'] as const).map((convertOn) => ({ ...DEFAULT_RECIPE, operation, format, convertOn })),
  ),
)
const CASES = RECIPES.flatMap((recipe) => ImageType.options.map((type) => ({ recipe, type })))
const nameOf = ({ operation, format, convertOn }: Recipe) => `${operation} to ${format}, converted ${convertOn}`

/** What a fact promises of a still picture, in the terms of the plan. */
const PROMISES: Record<TypeFact, { send: Operation | null; optimized: boolean; converted: boolean } | 'cannot'> = {
  full: { send: 'process', optimized: true, converted: true },
  described_converted: { send: 'analyze', optimized: false, converted: true },
  described_converted_still: { send: 'analyze', optimized: false, converted: true },
  described: { send: 'analyze', optimized: false, converted: false },
  compressed: { send: 'optimize', optimized: true, converted: false },
  compressed_maybe: { send: 'optimize', optimized: true, converted: false },
  converted: { send: null, optimized: false, converted: true },
  converted_still: { send: null, optimized: false, converted: true },
  figures: { send: 'convert', optimized: false, converted: false },
  left_alone: { send: null, optimized: false, converted: false },
  no_gain: { send: null, optimized: false, converted: false },
  refused: 'cannot',
}

describe('what is said of a type', () => {
  it.each(CASES.map(({ recipe, type }) => [nameOf(recipe), type, recipe] as const))(
    'is what is done under %s with %s',
    (_, type, recipe) => {
      const fact = typeFact(recipe, type)
      const plan = planWork(recipe, { type, animated: false, width: 1, height: 1 })
      const done =
        'cannot' in plan ? 'cannot' : { send: plan.send, optimized: plan.optimized, converted: plan.converted }
      expect(done).toEqual(PROMISES[fact])
      expect(english.type[fact]).toBeTruthy()
    },
  )

  it('names animations where those, and only those, are not converted', () => {
    for (const { recipe, type } of CASES.filter(({ type }) => type === 'gif' || type === 'webp')) {
      const still = planWork(recipe, { type, animated: false, width: 1, height: 1 })
      const animated = planWork(recipe, { type, animated: true, width: 1, height: 1 })
      if ('cannot' in still || 'cannot' in animated) continue
      const differs = still.converted && !animated.converted
      expect(typeFact(recipe, type).endsWith('_still'), `${nameOf(recipe)} with ${type}`).toBe(differs)
    }
  })
})

describe('what is said of a recipe', () => {
  it.each(RECIPES.map((recipe) => [nameOf(recipe), recipe] as const))('is true of %s', (_, recipe) => {
    const plans = CASES.filter((one) => one.recipe === recipe).map(({ type }) =>
      planWork(recipe, { type, animated: false, width: 1, height: 1 }),
    )
    const possible = plans.filter((plan): plan is WorkPlan => !('cannot' in plan))
    expect(uploads(recipe)).toBe(possible.some((plan) => plan.send !== null))
    expect(compresses(recipe.operation)).toBe(possible.some((plan) => plan.optimized))
    expect(encodesHere(recipe)).toBe(possible.some((plan) => plan.converted))
    expect(makesTexts(recipe.operation)).toBe(
      possible.some((plan) => plan.send === 'process' || plan.send === 'analyze'),
    )
    const facts = recipeFacts(recipe)
    expect(new Set(facts).size).toBe(facts.length)
    expect(facts.filter((fact) => fact === 'uploaded' || fact === 'stays_here')).toHaveLength(1)
    for (const fact of facts) {
      expect(english.fact[fact]).toBeTruthy()
    }
  })

  it('knows the price of the full pipeline only, and that work on this computer has none', () => {
    expect(priceKind(DEFAULT_RECIPE)).toBe('known')
    expect(priceKind({ operation: 'analyze', convertOn: 'here' })).toBe('at_most')
    expect(priceKind({ operation: 'convert', convertOn: 'service' })).toBe('at_most')
    expect(priceKind({ operation: 'convert', convertOn: 'here' })).toBe('free')
  })

  it('warns of projects that uploads may create, but only where something is uploaded', () => {
    expect(recipeFacts(DEFAULT_RECIPE)).toContain('project_each')
    expect(recipeFacts({ ...DEFAULT_RECIPE, project: { kind: 'name', name: 'Shop' } })).toContain('project_named')
    expect(recipeFacts({ ...DEFAULT_RECIPE, operation: 'convert' }).join()).not.toContain('project')
  })
})

it('asks above the number at which the engine holds, and knows the name of the default recipe', () => {
  expect(SHIPPED_NAME).toBe(DEFAULT_RECIPE.name)
  expect(ASK_ABOVE).toBe(BURST_LIMIT)
})

it('says that a file may be left out where it has to save something', () => {
  const leavesOut = (changes: Partial<Recipe>) => mayLeaveOut({ ...DEFAULT_RECIPE, ...changes })
  expect(leavesOut({})).toBe(true)
  expect(leavesOut({ keepLarger: true })).toBe(true)
  expect(leavesOut({ operation: 'convert' })).toBe(true)
  expect(leavesOut({ operation: 'convert', keepLarger: true })).toBe(false)
  expect(leavesOut({ operation: 'convert', convertOn: 'service' })).toBe(false)
  expect(leavesOut({ operation: 'analyze' })).toBe(false)
})
