import { useState } from 'react'
import { t } from 'i18next'
import type { Progress } from '../../../shared/contract/queue.ts'
import { useShell } from '../../store/shell-store.ts'
import { durationText } from '../../text/figures.ts'
import { useSpoken } from '../../parts/speech.tsx'

/** The time left beside the filters, and under these a bar that never goes back. */
export function ProgressStrip() {
  const progress = useShell(({ state }) => state?.progress ?? null)
  const words = useProgressWords(progress)
  const share = useShare(progress)
  const { ended = 0, total = 0 } = progress ?? {}
  const isWorking = ended < total
  const working = t('common:ended', { ended, total })
  useSpoken(isWorking ? working : null)
  return (
    <>
      <p className="jobs-progress secondary figures ellipsis">{words}</p>
      <progress
        className={isWorking ? 'progress' : 'progress over'}
        aria-label={t('jobs:progress.label')}
        value={share}
        aria-valuetext={working}
      />
    </>
  )
}

function useProgressWords(progress: Progress | null): string {
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  // Of files that were dropped or chosen, how many are still to be read; null while none are.
  const reading = useShell(({ state }) => state?.reading ?? null)
  const parts = isPaused ? [t('common:paused')] : []
  if (reading === 0) parts.push(t('jobs:progress.finding'))
  else if (reading !== null) parts.push(t('jobs:progress.reading', { count: reading }))
  const leftMs = progress === null || isPaused || progress.ended === progress.total ? null : progress.leftMs
  if (leftMs !== null) parts.push(t('jobs:progress.left', { time: durationText(leftMs) }))
  return parts.join(' · ')
}

/** The share that is done. Additional work does not move the bar back; the next run starts from zero. */
function useShare(progress: Progress | null): number {
  const [before, setBefore] = useState(0)
  const share = progress === null || progress.total === 0 ? 0 : progress.ended / progress.total
  const isNewRun = before === 1 && share < 1
  const shown = share === 0 || isNewRun ? share : Math.max(before, share)
  if (shown !== before) setBefore(shown)
  return shown
}
