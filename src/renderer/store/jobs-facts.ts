import type { PageRequest } from '../../shared/contract/calls.ts'
import type { JobFacts } from '../../shared/contract/jobs.ts'
import { CHIPS } from './jobs-filter.ts'

/** Up to this many selected jobs are looked at one by one; of more, which would take seconds, only the states are distinguished. */
export const LOOKED_AT = 1000

/** `exact` false: the commands may not apply to some of the ids. */
export type Facts = JobFacts & { exact: boolean }

/** The lists by which more than `LOOKED_AT` jobs are distinguished. */
export const LISTS = {
  failed: { states: ['failed'] },
  unknown: { states: ['unknown'] },
  held: { states: ['held'] },
  cancelled: { states: ['cancelled'] },
  active: { states: [...CHIPS.waiting, ...CHIPS.working] },
  review: { needsReview: true },
} satisfies Record<string, PageRequest<'jobs.index'>['filter']>
type FactList = keyof typeof LISTS

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
    replaced: [],
    settled: [...chosen].filter((id) => !unended.has(id) && !unsettled.has(id)),
    unsettled: [...unsettled],
    exact: false,
  }
}
