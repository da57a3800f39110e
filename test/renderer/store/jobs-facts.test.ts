import { describe, expect, it } from 'vitest'
import { factsOfLists, factsOfRows, isBulkStep } from '../../../src/renderer/store/jobs-facts.ts'
import { jobRow } from '../harness/job-row.ts'

describe('what can be done to chosen jobs', () => {
  it('is counted job by job from what each can take', () => {
    const facts = factsOfRows([
      jobRow('failed', { state: 'failed', nextSteps: ['fetch_again', 'retry', 'drop'] }),
      jobRow('held', { state: 'held', nextSteps: ['retry', 'cancel'] }),
      jobRow('done', { review: 'needed', replaced: true }),
      jobRow('seen', { review: 'reviewed' }),
    ])
    expect(facts.steps.retry).toEqual(['failed', 'held'])
    expect(facts.steps.cancel).toEqual(['held'])
    expect(facts.toReview).toEqual(['done'])
    expect(facts.reviewed).toEqual(['seen'])
    expect(facts.replaced).toEqual(['done'])
    expect(facts.settled).toEqual(['done', 'seen'])
    expect(facts.unsettled).toEqual(['failed'])
    expect(facts.changeable).toEqual(['failed', 'held', 'done', 'seen'])
    expect(facts.exact).toBe(true)
  })

  it('names what may be charged again: what is sent again, not what continues', () => {
    const facts = factsOfRows([
      jobRow('failed', { state: 'failed', nextSteps: ['retry'] }),
      jobRow('cancelled', { state: 'cancelled', nextSteps: ['retry'] }),
      jobRow('held', { state: 'held', nextSteps: ['retry'] }),
    ])
    expect(facts.mayCost).toEqual(['failed', 'cancelled'])
  })

  it('names nothing of the practice service as what may be charged again, and all else that is sent again', () => {
    const facts = factsOfRows([
      jobRow('practice', { state: 'failed', nextSteps: ['retry'], practice: true }),
      jobRow('unknown', { state: 'unknown', nextSteps: ['resend'] }),
      jobRow('practice unknown', { state: 'unknown', nextSteps: ['resend'], practice: true }),
    ])
    expect(facts.mayCost).toEqual(['unknown'])
    expect(facts.steps.resend).toEqual(['unknown', 'practice unknown'])
  })

  it('is told from lists where there are too many, and says that it is not exact', () => {
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
    expect(facts.replaced).toBeNull()
  })
})

it('a step is carried out from the list, or leads somewhere', () => {
  expect(isBulkStep('retry')).toBe(true)
  expect(isBulkStep('set_key')).toBe(false)
})
