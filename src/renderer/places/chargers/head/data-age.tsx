import { useTranslation } from 'react-i18next'
import { isOld } from '../../../../shared/chargers/live-state.ts'
import { useNow } from '../../../parts/use-now.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'

const NOW_EVERY_MS = 15_000

/** The age of the data; always visible. */
export function DataAge() {
  const { t, i18n } = useTranslation('chargers')
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const minutes = useShell(({ state }) => state?.settings.chargers.refreshMinutes ?? 0)
  const nowMs = useNow(NOW_EVERY_MS)
  if (status === null) return null
  const { atMs, refreshing } = status
  const { language } = i18n
  const old = isOld(status, minutes, nowMs)
  const when = atMs === null ? null : relativeText(atMs, nowMs, language)
  return (
    <span className="chargers-age figures" title={atMs === null ? undefined : exactTimeText(atMs, language)}>
      <span className={old ? 'stale' : ''}>
        {when === null ? t('age.never') : old ? t('age.stale', { when }) : when}
      </span>
      {refreshing ? ` · ${t('refreshing')}` : null}
    </span>
  )
}
