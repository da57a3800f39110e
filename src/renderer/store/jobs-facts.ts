import type { JobState, NextStep } from '../../shared/sentences/reasons.ts'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { SETTLED_STATES, UNSETTLED_STATES } from '../../shared/jobs/job-list.ts'
import { CHIPS } from './jobs-filter.ts'

/** Steps that the list offers for many jobs at once. */
const BULK_STEPS = ['retry', 'resend', 'ask_again', 'fetch_again', 'drop', 'cancel'] as const satisfies NextStep[]
export type BulkStep = (typeof BULK_STEPS)[number]

/** The other steps open something in the window. */
export function isBulkStep(step: NextStep): step is BulkStep {
  return (BULK_STEPS as readonly NextStep[]).includes(step)
}

/** What can be done with the selected jobs: the ids that each command applies to. */
export interface Facts {
  steps: Record<BulkStep, string[]>
  /** Of `steps.retry` and `steps.resend`: jobs that are sent again, so they may be charged again. Practice jobs never are. */
  mayCost: string[]
  /** Jobs that another recipe can be chosen for without a second charge. */
  changeable: string[]
  /** Jobs whose texts have not been reviewed, and jobs whose texts have been. */
  toReview: string[]
  reviewed: string[]
  /** Jobs whose original was replaced; null when unknown. */
  replaced: string[] | null
  /** Ended jobs without and with something left to decide. All others are under way or held. */
  settled: string[]
  unsettled: string[]
  /** False: the commands may not apply to some of the ids. */
  exact: boolean
}

function noFacts(): Facts {
  return {
    steps: { retry: [], resend: [], ask_again: [], fetch_again: [], drop: [], cancel: [] },
    mayCost: [],
    changeable: [],
    toReview: [],
    reviewed: [],
    replaced: [],
    settled: [],
    unsettled: [],
    exact: true,
  }
}

const isOneOf = (states: readonly JobState[], state: JobState) => states.includes(state)

/** Computed from the rows of the jobs. */
export function factsOfRows(rows: readonly JobRow[]): Facts {
  const facts = noFacts()
  for (const row of rows) {
    for (const step of BULK_STEPS) if (row.nextSteps.includes(step)) facts.steps[step].push(row.id)
    const isSentAgain = row.nextSteps.includes('resend') || (row.nextSteps.includes('retry') && row.state !== 'held')
    if (isSentAgain && !row.practice) facts.mayCost.push(row.id)
    if (row.recipeCanChange) facts.changeable.push(row.id)
    if (row.review === 'needed') facts.toReview.push(row.id)
    if (row.review === 'reviewed') facts.reviewed.push(row.id)
    if (row.replaced) facts.replaced!.push(row.id)
    if (isOneOf(SETTLED_STATES, row.state)) facts.settled.push(row.id)
    if (isOneOf(UNSETTLED_STATES, row.state)) facts.unsettled.push(row.id)
  }
  return facts
}

/** The states by which more than `LOOKED_AT` jobs are distinguished, with one list each. */
export const FACT_STATES = {
  failed: ['failed'],
  unknown: ['unknown'],
  held: ['held'],
  cancelled: ['cancelled'],
  active: [...CHIPS.waiting, ...CHIPS.working],
} as const satisfies Record<string, readonly JobState[]>
export type FactList = keyof typeof FACT_STATES | 'review'

/** Computed from lists of all jobs in certain states, of which only the selected ones count. */
export function factsOfLists(chosen: ReadonlySet<string>, lists: Record<FactList, readonly string[]>): Facts {
  const among = (...names: FactList[]) => names.flatMap((name) => lists[name].filter((id) => chosen.has(id)))
  const unended = new Set(among('held', 'active'))
  const failed = among('failed')
  const unknown = among('unknown')
  const unsettled = new Set([...failed, ...unknown])
  const uncertain = new Set([...among('active'), ...unknown])
  const retriable = [...failed, ...among('cancelled')]
  return {
    steps: {
      retry: [...retriable, ...among('held')],
      resend: unknown,
      ask_again: unknown,
      fetch_again: failed,
      drop: [...unknown, ...failed],
      cancel: [...unended],
    },
    mayCost: [...retriable, ...unknown],
    changeable: [...chosen].filter((id) => !uncertain.has(id)),
    toReview: among('review'),
    reviewed: [],
    replaced: null,
    settled: [...chosen].filter((id) => !unended.has(id) && !unsettled.has(id)),
    unsettled: [...unsettled],
    exact: false,
  }
}
