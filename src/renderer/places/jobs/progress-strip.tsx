import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Progress } from '../../../shared/ui-contract.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText, durationText, sizeText } from '../../text/figures.ts'

/** What is going on, in words and figures, over a line that never goes back. */
export function ProgressStrip() {
  const { t } = useTranslation('jobs')
  const progress = useShell(({ state }) => state?.progress ?? null)
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  const words = useProgressWords()
  const share = useShare(progress)
  if (progress === null) return null
  const percent = Math.round(share * 100)
  const isWorking = progress.ended < progress.total
  return (
    <div className="jobs-strip">
      <p className="figures ellipsis" title={words(progress, isPaused)}>
        {words(progress, isPaused)}
      </p>
      <div
        className={isWorking ? 'progress-line' : 'progress-line over'}
        role="progressbar"
        aria-label={t('progress.label')}
        aria-valuenow={percent}
        aria-valuetext={t('progress.done', { ended: progress.ended, total: progress.total })}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}

function useProgressWords(): (progress: Progress, isPaused: boolean) => string {
  const { t, i18n } = useTranslation('jobs')
  const count = (n: number) => countText(n, i18n.language)
  return ({ total, ended, savedBytes, leftMs, requestsPerMinute }, isPaused) => {
    const isWorking = ended < total
    const parts = [
      isPaused ? t('progress.paused') : null,
      total === 0 ? t('progress.idle') : null,
      isWorking ? t('progress.done', { ended: count(ended), total: count(total) }) : null,
      !isWorking && total > 0 ? t('progress.allDone', { count: total, figure: count(total) }) : null,
      savedBytes > 0 ? t('progress.saved', { size: sizeText(savedBytes, i18n.language) }) : null,
      isWorking && leftMs !== null && !isPaused
        ? t('progress.left', { time: durationText(leftMs, i18n.language), rate: count(requestsPerMinute) })
        : null,
    ]
    return parts.filter((part) => part !== null).join(' · ')
  }
}

/** The share that is done; more work on top of it does not take the line back, the next run begins anew. */
function useShare(progress: Progress | null): number {
  const shown = useRef(0)
  if (progress === null || progress.total === 0) shown.current = 0
  else {
    const share = progress.ended / progress.total
    const isNewRun = shown.current === 1 && share < 1
    shown.current = isNewRun ? share : Math.max(shown.current, share)
  }
  return shown.current
}
