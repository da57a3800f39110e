import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../parts/use-now.ts'
import { changeChargers, REFRESH_MINUTES, type RefreshMinutes } from '../../../store/charger-settings.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { durationText, exactTimeText, relativeText } from '../../../text/figures.ts'
import { Menu } from '../../../parts/menu.tsx'
import { isOld } from './is-old.ts'
import './head.css'

const NOW_EVERY_MS = 15_000
const MINUTE_MS = 60_000

/** The age of the data and the time of the next refresh; always visible. */
export function DataAge() {
  const { t, i18n } = useTranslation('chargers')
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const minutes = useShell(({ state }) => state?.settings.chargers.refreshMinutes ?? 0)
  const nowMs = useNow(NOW_EVERY_MS)
  if (status === null) return null
  const { atMs, refreshing } = status
  const { language } = i18n
  const old = isOld(status, minutes, nowMs)
  const every =
    minutes === 0 ? t('age.onlyByHand') : t('age.every', { time: durationText(minutes * MINUTE_MS, language) })
  const age =
    atMs === null ? t('age.never') : t(old ? 'age.stale' : 'age.asOf', { when: relativeText(atMs, nowMs, language) })
  return (
    <span className="chargers-age figures" title={atMs === null ? undefined : exactTimeText(atMs, language)}>
      <span className={old ? 'stale' : ''}>{age}</span>
      {' · '}
      {refreshing ? t('refreshing') : <RefreshChoice words={every} now={minutes} />}
    </span>
  )
}

/** The refresh interval, with a way to change it. */
function RefreshChoice({ words, now }: { words: string; now: RefreshMinutes }) {
  const { t, i18n } = useTranslation('chargers')
  const items = REFRESH_MINUTES.map((refreshMinutes) => ({
    label:
      refreshMinutes === 0
        ? t('age.choiceByHand')
        : t('age.choice', { time: durationText(refreshMinutes * MINUTE_MS, i18n.language) }),
    icon: <Check size={14} aria-hidden className={refreshMinutes === now ? '' : 'chargers-not-chosen'} />,
    onSelect: () => inBackground('data-age.refreshMinutes', () => changeChargers({ refreshMinutes })),
  }))
  return (
    <Menu items={items}>
      <button type="button" className="chargers-every" aria-label={`${t('age.choose')}: ${words}`}>
        {words}
      </button>
    </Menu>
  )
}
