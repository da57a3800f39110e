import { LONGEST_SEARCH } from '../../shared/jobs/job-list.ts'
import type { Place } from '../../shared/contract/places.ts'
import { splitPath } from '../parts/split-path.ts'
import { askOrToast } from '../store/bridge.ts'
import { goTo } from '../store/view-store.ts'

/** Shows what was made of these pictures before; a single one on the stage. */
export async function showResults(places: readonly Place[]): Promise<void> {
  const [first] = places
  if (first === undefined) return
  const path = places.length === 1 ? first.path : splitPath(first.path).parent
  const search = path.slice(-LONGEST_SEARCH)
  const index = await askOrToast('jobs.index', { filter: { search } })
  const ids = index?.sections.flatMap((section) => section.ids) ?? []
  goTo('jobs', { overlay: null, jobsFilter: { search }, openJob: ids.length === 1 ? ids[0]! : null })
}
