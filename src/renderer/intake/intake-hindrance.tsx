import { CirclePause } from 'lucide-react'
import { t } from 'i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { serviceHost, serviceTrouble } from '../store/service-trouble.ts'
import { useShell } from '../store/shell-store.ts'

/** Whether nothing is sent for now. */
export function useSendingWaits(preview: IntakePreview | null): boolean {
  const { service, isPaused, trouble } = useSending()
  return isPaused || service === null || trouble !== null || preview?.away === true
}

function useSending() {
  const service = useShell(({ state }) => state?.service ?? null)
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  return { service, isPaused, trouble: service === null ? null : serviceTrouble(service) }
}

export function IntakeHindrance({ preview }: { preview: IntakePreview }) {
  const { toSend, price, held, away, progress } = preview
  const { service, isPaused, trouble } = useSending()
  const waits = useSendingWaits(preview)
  const isShort = price !== null && price.shortfall > 0
  const isAway = service !== null && (away || trouble?.code === 'unreachable')
  const words = [
    isAway ? t('intake:unreachable', { host: serviceHost(service) ?? '' }) : null,
    trouble === null || isAway || (isShort && trouble.code === 'creditsShort')
      ? null
      : t(`frame:trouble.${trouble.code}.explains`),
    isShort ? t('intake:price.short', { count: price.shortfall }) : null,
    isPaused ? t('intake:paused') : null,
    held === null ? null : t('intake:held', { count: held.pictures }),
    price === null && progress === null && !waits ? t('intake:price.unknown') : null,
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
