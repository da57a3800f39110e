import type { GroupBy, JobFilter } from '../../shared/contract.ts'
import type { JobState } from '../../shared/reasons.ts'

/** The chips over the list; each stands for the states it shows. `review` looks at the texts instead. */
export const CHIPS = {
  working: ['sending', 'waiting', 'fetching', 'writing'],
  waiting: ['ready'],
  held: ['held'],
  failed: ['failed'],
  unknown: ['unknown'],
  done: ['done'],
  skipped: ['skipped'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly JobState[]>

export type StateChip = keyof typeof CHIPS
export const STATE_CHIPS = Object.keys(CHIPS) as StateChip[]
export type Chip = 'all' | 'review' | StateChip

/** States that nothing leaves on its own; only these can be taken off the list. */
const ENDED: ReadonlySet<JobState> = new Set<JobState>(['done', 'skipped', 'failed', 'unknown', 'cancelled'])

export function isEnded(state: JobState): boolean {
  return ENDED.has(state)
}

/** What a person looks for. `states` comes from elsewhere in the window and stands in for a chip. */
export interface ListFilter {
  chip: Chip
  states: readonly JobState[] | null
  search: string
  folderId: string | null
  batchId: string | null
}

export const NO_FILTER: ListFilter = { chip: 'all', states: null, search: '', folderId: null, batchId: null }

export function isFiltered(filter: ListFilter): boolean {
  return hangsOnState(filter) || filter.search !== '' || filter.folderId !== null || filter.batchId !== null
}

/** Whether a job can enter or leave the list by changing, rather than by being added or removed. */
export function hangsOnState(filter: ListFilter): boolean {
  return filter.chip !== 'all' || filter.states !== null
}

/** The same in the words of the contract. */
export function requestedFilter(filter: ListFilter): JobFilter {
  const states = filter.states ?? (filter.chip === 'all' || filter.chip === 'review' ? null : CHIPS[filter.chip])
  return {
    ...(states === null ? {} : { states: [...states] }),
    ...(filter.chip === 'review' ? { needsReview: true } : {}),
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(filter.folderId === null ? {} : { folderId: filter.folderId }),
    ...(filter.batchId === null ? {} : { batchId: filter.batchId }),
  }
}

/** New jobs go on top of this list, whatever they are. */
export function takesEveryJob(filter: ListFilter, groupBy: GroupBy): boolean {
  return groupBy === 'none' && !isFiltered(filter)
}
