import type { JobRow } from '../../shared/contract/jobs.ts'
import { SETTLED_STATES, UNSETTLED_STATES } from '../../shared/jobs/job-list.ts'
import { isTypedIn } from '../parts/use-shortcut.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { onJobsChanged } from '../store/shell-store.ts'
import { useView } from '../store/view-store.ts'

const ENDS: readonly string[] = [...SETTLED_STATES, ...UNSETTLED_STATES]
const SHOWS_NOTHING: readonly string[] = ['skipped', 'cancelled']

/** Opens the first picture of a batch that ends as wanted, unless the person goes elsewhere or is at something else by then. */
export function openWhenDone(batchId: string, isWanted: (row: JobRow) => boolean = () => true): void {
  const stops = [
    onJobsChanged(({ rows }) => {
      const row = rows.find((one) => one.batchId === batchId && ENDS.includes(one.state) && isWanted(one))
      if (row === undefined) return
      stop()
      const isFree = useOpenDialogs.getState().open.length === 0 && !isTypedIn(document.activeElement)
      if (isFree && isAtTheList() && !SHOWS_NOTHING.includes(row.state)) useView.setState({ openJob: row.id })
    }),
    useView.subscribe(() => isAtTheList() || stop()),
  ]
  const stop = () => stops.forEach((one) => one())
}

function isAtTheList(): boolean {
  const { place, openJob } = useView.getState()
  return place === 'jobs' && openJob === null
}
