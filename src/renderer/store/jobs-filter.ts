import type { GroupBy, JobFilter } from '../../shared/contract.ts'
import type { JobState } from '../../shared/reasons.ts'

/** The chips over the list; each stands for the states it shows. `review` looks at the texts instead, `removed` beside the list. */
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
const isStateChip = (chip: Chip): chip is StateChip => chip in CHIPS
export type Chip = 'all' | 'review' | 'removed' | StateChip

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
  const states = filter.states ?? (isStateChip(filter.chip) ? CHIPS[filter.chip] : null)
  return {
    ...(states === null ? {} : { states: [...states] }),
    ...(filter.chip === 'review' ? { needsReview: true } : {}),
    ...(filter.chip === 'removed' ? { removed: true } : {}),
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(filter.folderId === null ? {} : { folderId: filter.folderId }),
    ...(filter.batchId === null ? {} : { batchId: filter.batchId }),
  }
}

/** New jobs go on top of this list, whatever they are. */
export function takesEveryJob(filter: ListFilter, groupBy: GroupBy): boolean {
  return groupBy === 'none' && !isFiltered(filter)
}
