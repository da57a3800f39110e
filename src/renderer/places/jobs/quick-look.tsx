import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useJobs, useRow } from '../../store/jobs-store.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Compare } from './detail/compare.tsx'
import { goToLine, jobInFocus, neighbour } from './list-moves.ts'
import './quick-look.css'

const close = () => useJobs.setState({ isQuickLookOpen: false })

/** The focused picture, large, while a person looks at it; the arrow keys step through the list while it is not zoomed. */
export function QuickLook() {
  const focus = useJobs(({ selection }) => selection.focus)
  return focus !== null && jobInFocus() !== null ? <QuickLookDialog id={focus} /> : null
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function step(id: string, by: 1 | -1): void {
  const next = neighbour(id, by)
  if (next !== null) goToLine(next, { mod: false, shift: false })
}

function QuickLookDialog({ id }: { id: string }) {
  const { t } = useTranslation('jobs')
  const row = useRow(id)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      return close()
    }
    const by = STEPS[event.key]
    // The divider and a zoomed picture use the arrow keys themselves.
    if (by === undefined || event.defaultPrevented || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    step(id, by)
  }
  return (
    <Dialog title={row?.name ?? ''} onClose={close} wide>
      <div className="jobs-look" tabIndex={-1} data-autofocus onKeyDown={onKeyDown}>
        {row === null ? null : <Compare key={id} row={row} isLarge />}
        <div className="jobs-look-steps">
          <IconButton label={t('steps.previous')} disabled={neighbour(id, -1) === null} onClick={() => step(id, -1)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('steps.next')} disabled={neighbour(id, 1) === null} onClick={() => step(id, 1)}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </Dialog>
  )
}
