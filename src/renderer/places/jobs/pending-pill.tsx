import { ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { showPendingJobs, useJobs } from '../../store/jobs-store.ts'
import { countText } from '../../text/figures.ts'

/** Says what waits until nobody is at the list, and shows it. */
export function PendingPill() {
  const { t, i18n } = useTranslation('jobs')
  const pending = useJobs((state) => state.pending)
  if (pending === null) return null
  const text =
    pending === 0 ? t('changed') : t('pending', { count: pending, figure: countText(pending, i18n.language) })
  return (
    <button type="button" className="jobs-pill figures" onClick={showPendingJobs}>
      <ArrowUp size={12} aria-hidden />
      {text}
    </button>
  )
}
