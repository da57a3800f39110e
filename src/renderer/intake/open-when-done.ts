import { isTypedIn } from '../parts/use-shortcut.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { onJobsChanged } from '../store/shell-store.ts'
import { useView } from '../store/view-store.ts'

const ENDS: readonly string[] = ['done', 'failed', 'unknown']

/** Opens the first picture of a batch that has ended, unless a person is at something else by then. */
export function openWhenDone(batchId: string): void {
  const stop = onJobsChanged(({ rows }) => {
    const row = rows.find((one) => one.batchId === batchId && ENDS.includes(one.state))
    if (row === undefined) return
    stop()
    const { place, openJob } = useView.getState()
    const isFree = useOpenDialogs.getState().open.length === 0 && !isTypedIn(document.activeElement)
    if (place === 'jobs' && openJob === null && isFree) useView.setState({ openJob: row.id })
  })
}
