import { describe, expect, it } from 'vitest'
import { factsOf } from '../../src/main/page/job-facts.ts'
import { jobRow } from '../renderer/harness/job-row.ts'

describe('what can be done to chosen jobs', () => {
  it('is counted job by job from what each can take', () => {
    const facts = factsOf([
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
  })

  it('names what may be charged again: what is sent again, not what continues', () => {
    const facts = factsOf([
      jobRow('failed', { state: 'failed', nextSteps: ['retry'] }),
      jobRow('cancelled', { state: 'cancelled', nextSteps: ['retry'] }),
      jobRow('held', { state: 'held', nextSteps: ['retry'] }),
    ])
    expect(facts.mayCost).toEqual(['failed', 'cancelled'])
  })

  it('names nothing of the practice service as what may be charged again, and all else that is sent again', () => {
    const facts = factsOf([
      jobRow('practice', { state: 'failed', nextSteps: ['retry'], practice: true }),
      jobRow('unknown', { state: 'unknown', nextSteps: ['resend'] }),
      jobRow('practice unknown', { state: 'unknown', nextSteps: ['resend'], practice: true }),
    ])
    expect(facts.mayCost).toEqual(['unknown'])
    expect(facts.steps.resend).toEqual(['unknown', 'practice unknown'])
  })
})
