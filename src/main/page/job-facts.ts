import type { JobFacts, JobRow } from '../../shared/contract/jobs.ts'
import { BULK_STEPS, SETTLED_STATES, UNSETTLED_STATES } from '../../shared/jobs/job-list.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'

const isOneOf = (states: readonly JobState[], state: JobState) => states.includes(state)

/** What can be done with these jobs. */
export function factsOf(rows: readonly JobRow[]): JobFacts {
  const idsOf = (isIn: (row: JobRow) => boolean) => rows.filter(isIn).map(({ id }) => id)
  const isSentAgain = ({ nextSteps, state }: JobRow) =>
    nextSteps.includes('resend') || (nextSteps.includes('retry') && state !== 'held')
  const steps = BULK_STEPS.map((step) => [step, idsOf(({ nextSteps }) => nextSteps.includes(step))])
  return {
    steps: Object.fromEntries(steps) as JobFacts['steps'],
    mayCost: idsOf((row) => isSentAgain(row) && !row.practice),
    changeable: idsOf(({ recipeCanChange }) => recipeCanChange),
    toReview: idsOf(({ review }) => review === 'needed'),
    reviewed: idsOf(({ review }) => review === 'reviewed'),
    replaced: idsOf(({ replaced }) => replaced),
    settled: idsOf(({ state }) => isOneOf(SETTLED_STATES, state)),
    unsettled: idsOf(({ state }) => isOneOf(UNSETTLED_STATES, state)),
  }
}
