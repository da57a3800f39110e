import { useTranslation } from 'react-i18next'
import { useNow } from '../../../frame/use-now.ts'
import { useShell } from '../../../store/shell-store.ts'
import { durationText, exactTimeText, relativeText } from '../../../text/figures.ts'
import { isOld } from './is-old.ts'
import './head.css'

const NOW_EVERY_MS = 15_000

/** How old the chargers are and when they are asked for again; always in sight. */
export function DataAge() {
  const { t, i18n } = useTranslation('chargers')
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const minutes = useShell(({ state }) => state?.settings.chargers.refreshMinutes ?? 0)
  const nowMs = useNow(NOW_EVERY_MS)
  if (status === null) return null
  const { atMs, refreshing } = status
  const { language } = i18n
  const old = isOld(status, minutes, nowMs)
  const every = minutes === 0 ? t('age.onlyByHand') : t('age.every', { time: durationText(minutes * 60_000, language) })
  const age =
    atMs === null ? t('age.never') : t(old ? 'age.stale' : 'age.asOf', { when: relativeText(atMs, nowMs, language) })
  return (
    <span className="chargers-age ellipsis figures" title={atMs === null ? undefined : exactTimeText(atMs, language)}>
      <span className={old ? 'stale' : ''}>{age}</span>
      {' · '}
      {refreshing ? t('refreshing') : every}
    </span>
  )
}
