import { CirclePause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { serviceTrouble } from '../store/service-trouble.ts'
import { useShell } from '../store/shell-store.ts'
import { countText, durationText } from '../text/figures.ts'

/** Whether nothing is sent for now. */
export function useSendingWaits(): boolean {
  const { service, isPaused, trouble } = useSending()
  return isPaused || service === null || trouble !== null
}

function useSending() {
  const service = useShell(({ state }) => state?.service ?? null)
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  return { service, isPaused, trouble: service === null ? null : serviceTrouble(service) }
}

/** What would keep new pictures from being sent at once. */
export function IntakeHindrance({ preview: { toSend, price, held } }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation(['intake', 'frame'])
  const { service, isPaused, trouble } = useSending()
  // The price already says what is missing.
  const isSaid = trouble?.code === 'creditsShort' && price !== null && price.shortfall > 0
  const words = [
    held === null ? null : t('held', { count: held.pictures, shown: countText(held.pictures, i18n.language) }),
    isPaused ? t('paused') : null,
    service === null ? t('frame:service.practiceDownExplains') : null,
    trouble === null || isSaid
      ? null
      : t(`frame:trouble.${trouble.code}.explains`, { duration: durationText(trouble.forMs ?? 0, i18n.language) }),
  ].filter((line) => line !== null)
  if (toSend === 0 || words.length === 0) return null
  return (
    <div className="intake-hindrance">
      <CirclePause size={16} aria-hidden />
      <div>
        {words.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </div>
  )
}
