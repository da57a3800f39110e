import { useEffect } from 'react'
import type { JobState } from '../../../shared/reasons.ts'
import { NO_FILTER } from '../../store/jobs-filter.ts'
import { filterJobs } from '../../store/jobs-store.ts'
import { useView } from '../../store/view-store.ts'

/** Another place asked to see certain jobs: shows those, instead of what was filtered by before. */
export function useFilterFromElsewhere(): void {
  const wanted = useView(({ jobsFilter }) => jobsFilter)
  useEffect(() => {
    if (wanted === null) return
    useView.setState({ jobsFilter: null })
    filterJobs({
      ...NO_FILTER,
      states: wanted.states === undefined ? null : (wanted.states as JobState[]),
      folderId: wanted.folderId ?? null,
      batchId: wanted.batchId ?? null,
    })
  }, [wanted])
}
