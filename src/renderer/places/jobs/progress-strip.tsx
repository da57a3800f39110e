import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobCounts } from '../../../shared/contract/jobs.ts'
import type { Progress } from '../../../shared/contract/stream.ts'
import { progressFacts, type ProgressFact, rateFigure } from '../../../shared/presentation/progress-facts.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText, decimalText, durationText, sizeText } from '../../text/figures.ts'
import { useSpoken } from '../../parts/speech.tsx'

/** The progress as text and as a bar that never goes back. */
export function ProgressStrip() {
  const { t, i18n } = useTranslation('jobs')
  const progress = useShell(({ state }) => state?.progress ?? null)
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  const counts = useShell(({ state }) => state?.counts ?? null)
  const away = useShell(({ state }) => state?.away.length ?? 0)
  const reading = useShell(({ state }) => state?.reading ?? null)
  const inWords = useProgressWords()
  const share = useShare(progress)
  const isWorking = progress !== null && progress.ended < progress.total
  const { ended = 0, total = 0 } = progress ?? {}
  const working = t('progress.working', {
    ended: countText(ended, i18n.language),
    total: countText(total, i18n.language),
  })
  useSpoken(isWorking ? working : null)
  if (progress === null || counts === null) return null
  const percent = Math.round(share * 100)
  const words = inWords(progress, { counts, paused: isPaused, away, reading })
  return (
    <div className="jobs-strip">
      {words === '' ? null : <p className="figures">{words}</p>}
      <div
        className={isWorking ? 'progress-line' : 'progress-line over'}
        role="progressbar"
        aria-label={t('progress.label')}
        aria-valuenow={percent}
        aria-valuetext={working}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}

interface Others {
  counts: JobCounts
  paused: boolean
  away: number
  /** Of files that were dropped or chosen, how many are still to be read; null while none are. */
  reading: number | null
}

function useProgressWords(): (progress: Progress, others: Others) => string {
  const { t, i18n } = useTranslation('jobs')
  const count = (n: number) => countText(n, i18n.language)
  const said = (fact: ProgressFact) => {
    if (fact.code === 'working') return t('progress.working', { ended: count(fact.ended), total: count(fact.total) })
    return 'count' in fact
      ? t(`progress.${fact.code}`, { count: fact.count, figure: count(fact.count) })
      : t(`progress.${fact.code}`)
  }
  return (progress, others) => {
    const { total, ended, savedBytes, leftMs, resultsPerMinute } = progress
    const { reading } = others
    const facts = progressFacts({ progress, ...others }).filter(({ code }) => code !== 'idle' || reading === null)
    const parts = facts.map(said)
    if (reading === 0) parts.push(t('progress.finding'))
    else if (reading !== null) parts.push(t('progress.reading', { count: reading, figure: count(reading) }))
    const isGoing = ended < total && !others.paused
    if (isGoing && leftMs === null && resultsPerMinute === null) parts.push(t('progress.estimating'))
    if (isGoing && leftMs !== null) parts.push(t('progress.left', { time: durationText(leftMs, i18n.language) }))
    if (isGoing && resultsPerMinute !== null) {
      const rate = rateFigure(resultsPerMinute)
      parts.push(t('progress.rate', { count: rate, figure: decimalText(rate, 1, i18n.language) }))
    }
    if (savedBytes > 0) parts.push(t('progress.saved', { size: sizeText(savedBytes, i18n.language) }))
    return parts.join(' · ')
  }
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
