import { useCallback, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { GroupBy, JobRow } from '../../shared/contract/jobs.ts'
import { inBackground } from '../bridge/in-background.ts'
import { isNewestFirst, type JobOrder } from '../../shared/jobs/job-list.ts'
import { ask } from './bridge.ts'
import { isFiltered, NO_FILTER, requestedFilter, type ListFilter } from './jobs-filter.ts'
import { ListKeeper, NO_LIST, type ListView } from './jobs-list.ts'
import { remember, readOrder, readTile, readLook, remembered, type ListLook } from './remembered-look.ts'
import { JobRows } from './jobs-rows.ts'
import { NOTHING_CHOSEN, type Selection } from './jobs-selection.ts'
import { onJobsChanged } from './shell-store.ts'

export type JobGroup = PageResponse<'jobs.groups'>['groups'][number]

interface JobsState extends ListView {
  filter: ListFilter
  groupBy: GroupBy
  order: JobOrder
  look: ListLook
  /** Width of a tile in pixels; those of a line share what is left. */
  tilePx: number
  /** What is done of each section, by key. */
  groups: ReadonlyMap<string, JobGroup>
  selection: Selection
}

/** State of the jobs view. The ids of the jobs are in `index`, their rows in `rows`. */
export const useJobs = create<JobsState>(() => ({
  ...NO_LIST,
  filter: NO_FILTER,
  groupBy: 'batch',
  order: remembered('jobs.order', readOrder),
  look: remembered('jobs.look', readLook),
  tilePx: remembered('jobs.tile', readTile),
  groups: new Map(),
  selection: NOTHING_CHOSEN,
}))

const rows = new JobRows((ids) => ask('jobs.rows', { ids }))

const keeper = new ListKeeper({
  ask: ({ filter, groupBy, order }) =>
    ask('jobs.index', {
      filter: requestedFilter(filter),
      groupBy,
      ...(isNewestFirst(order) ? {} : { order }),
    }),
  onView: (view) => useJobs.setState(view),
})

let isOpen = false

function showList(): void {
  if (!isOpen) return
  const { filter, groupBy, order } = useJobs.getState()
  keeper.show({ filter, groupBy, order })
  inBackground(readGroups)
}

/** Reading them of a hundred thousand jobs takes a while: not more often than this, nor more than a tenth of the time. */
const GROUPS_EVERY_MS = 2000
const GROUPS_SHARE = 10
let groupsTookMs = 0
let groupsTimer: ReturnType<typeof setTimeout> | undefined

function readGroupsLater(): void {
  const read = () => {
    groupsTimer = undefined
    inBackground(readGroups)
  }
  groupsTimer ??= setTimeout(read, Math.max(GROUPS_EVERY_MS, GROUPS_SHARE * groupsTookMs))
}

async function readGroups(): Promise<void> {
  const { filter, groupBy } = useJobs.getState()
  const beganAtMs = performance.now()
  const answer = await ask('jobs.groups', { filter: requestedFilter(filter), groupBy })
  groupsTookMs = performance.now() - beganAtMs
  const { filter: filterNow, groupBy: groupByNow } = useJobs.getState()
  if (!answer.ok || filter !== filterNow || groupBy !== groupByNow) return
  useJobs.setState({ groups: new Map(answer.value.groups.map((group) => [group.key, group])) })
}

/** Keeps the list up to date while it is shown; returns stop. */
export function openJobs(): () => void {
  isOpen = true
  showList()
  rows.invalidate()
  const unsubscribe = onJobsChanged((delta) => {
    rows.update(delta.rows)
    if (delta.stale) rows.invalidate()
    keeper.take(delta)
    readGroupsLater()
  })
  return () => {
    isOpen = false
    unsubscribe()
    clearTimeout(groupsTimer)
    groupsTimer = undefined
    keeper.stop()
    rows.stop()
  }
}

/** Changes the filter, and clears the selection because its jobs may not be in the new list. */
export function filterJobs(change: Partial<ListFilter>): void {
  const filter = { ...useJobs.getState().filter, ...change }
  useJobs.setState({ filter, selection: NOTHING_CHOSEN })
  showList()
}

export function clearFilter(): void {
  if (isFiltered(useJobs.getState().filter)) filterJobs(NO_FILTER)
}

export function groupJobs(groupBy: GroupBy): void {
  useJobs.setState({ groupBy })
  showList()
}

export function sortJobs(order: JobOrder): void {
  useJobs.setState({ order })
  remember('jobs.order', order)
  showList()
}

export function lookAtJobs(look: ListLook): void {
  useJobs.setState({ look })
  remember('jobs.look', look)
}

export function sizeTiles(tilePx: number): void {
  useJobs.setState({ tilePx })
  remember('jobs.tile', tilePx)
}

export function selectJobs(selection: Selection): void {
  useJobs.setState({ selection })
}

export const wantRows = (ids: readonly string[]) => rows.want(ids)
/** For pictures that are shown elsewhere than in the list. */
export function fetchRows(ids: readonly string[]): void {
  const lacking = ids.filter((id) => rows.get(id) === null)
  if (lacking.length > 0) inBackground(() => rows.fetch(lacking))
}
export const toggleSection = (key: string) => keeper.toggle(key)
export const holdList = (held: boolean) => keeper.hold(held)
export const showPendingJobs = () => keeper.showPending()
export const refreshList = () => keeper.refresh()
export const removeFromList = (ids: ReadonlySet<string>) => keeper.remove(ids)

/** One row of the list; null until it is fetched. Only a change of this row triggers a render. */
export function useRow(id: string): JobRow | null {
  const listen = useCallback((listener: () => void) => rows.listen(id, listener), [id])
  return useSyncExternalStore(listen, () => rows.get(id))
}
