import { expect, it } from 'vitest'
import { factsOfLists } from '../../../src/renderer/store/jobs-facts.ts'

it('tells from lists what can be done with more jobs than are looked at, and that it is not exact', () => {
  const lists = { failed: ['f', 'x'], unknown: ['u'], held: ['h'], cancelled: ['c'], active: ['a'], review: ['d'] }
  const facts = factsOfLists(new Set(['f', 'u', 'h', 'c', 'a', 'd']), lists)
  expect(facts.exact).toBe(false)
  expect(facts.changeable).toEqual(['f', 'h', 'c', 'd'])
  expect(facts.steps.retry).toEqual(['f', 'c', 'h'])
  expect(facts.steps.drop).toEqual(['u', 'f'])
  expect(facts.steps.cancel).toEqual(['h', 'a'])
  expect(facts.settled).toEqual(['c', 'd'])
  expect(facts.unsettled).toEqual(['f', 'u'])
  expect(facts.toReview).toEqual(['d'])
})
