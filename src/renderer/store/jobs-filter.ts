import type { GroupBy, JobFilter } from '../../shared/contract/jobs.ts'
import type { JobOrder } from '../../shared/jobs/job-list.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'

/** Filters by state with the states that each shows. */
export const CHIPS = {
  needs: ['failed', 'unknown', 'held'],
  working: ['sending', 'waiting', 'fetching', 'writing'],
  waiting: ['ready'],
  held: ['held'],
  failed: ['failed'],
  unknown: ['unknown'],
  done: ['done'],
  skipped: ['skipped'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly JobState[]>

type StateChip = keyof typeof CHIPS
/** Those of one kind of state, which stand in a menu. */
export const STATE_CHIPS = (Object.keys(CHIPS) as StateChip[]).filter((chip) => chip !== 'needs')
export const isStateChip = (chip: Chip): chip is StateChip => Object.hasOwn(CHIPS, chip)
/** `review` filters by the texts instead, and `removed` shows removed jobs. */
export type Chip = 'all' | 'review' | 'removed' | StateChip

/** The filter of the list. `states` is set from elsewhere in the window and replaces the chip. */
export interface ListFilter {
  chip: Chip
  states: readonly JobState[] | null
  search: string
  folderId: string | null
  batchId: string | null
}

export const NO_FILTER: ListFilter = { chip: 'all', states: null, search: '', folderId: null, batchId: null }

export function isFiltered(filter: ListFilter): boolean {
  return dependsOnState(filter) || filter.search !== '' || filter.folderId !== null || filter.batchId !== null
}

/** Whether a job can enter or leave the list when its state changes, and not only when it is added or removed. */
function dependsOnState(filter: ListFilter): boolean {
  return filter.chip !== 'all' || filter.states !== null
}

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

export interface ListWish {
  filter: ListFilter
  groupBy: GroupBy
  order: JobOrder
}

/** Whether a change of a job may move it in the list, or out of it. */
export function movesWithChanges({ filter, order }: ListWish): boolean {
  return dependsOnState(filter) || order.by === 'state' || order.by === 'saving' || order.by === 'changed'
}
