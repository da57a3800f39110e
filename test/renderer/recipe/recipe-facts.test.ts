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
  uploads,
} from '../../../src/shared/recipes/recipe-facts.ts'
import { ConvertFormat, DEFAULT_RECIPE, ImageType, Operation, type Recipe } from '../../../src/shared/recipes/recipe.ts'

const RECIPES: Recipe[] = Operation.options.flatMap((operation) =>
  ConvertFormat.options.flatMap((format) =>
    (['here', 'service'] as const).map((convertOn) => ({ ...DEFAULT_RECIPE, operation, format, convertOn })),
  ),
)
const CASES = RECIPES.flatMap((recipe) => ImageType.options.map((type) => ({ recipe, type })))
const nameOf = ({ operation, format, convertOn }: Recipe) => `${operation} to ${format}, converted ${convertOn}`

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
  })

  it('knows the price of the full pipeline only, and that work on this computer has none', () => {
    expect(priceKind(DEFAULT_RECIPE)).toBe('known')
    expect(priceKind({ operation: 'analyze', convertOn: 'here' })).toBe('at_most')
    expect(priceKind({ operation: 'convert', convertOn: 'service' })).toBe('at_most')
    expect(priceKind({ operation: 'convert', convertOn: 'here' })).toBe('free')
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
