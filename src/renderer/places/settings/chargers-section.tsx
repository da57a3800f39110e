import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { changeChargers, REFRESH_MINUTES } from '../../store/charger-settings.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { durationText } from '../../text/figures.ts'
import { CheckField, Segmented } from '../../parts/field.tsx'
import { withTexts } from '../../text/start-texts.ts'
import { SettingRow } from './section.tsx'

const RouteNotices = lazy(() => withTexts(import('./route-notices.tsx'), 'chargers'))

const MINUTE_MS = 60_000

/** How often chargers are refreshed, and notices about favourites and saved routes. */
export function ChargersSection({ settings: { chargers } }: { settings: UiSettings }) {
  const { t, i18n } = useTranslation('settings')
  const choices = REFRESH_MINUTES.map((minutes) => ({
    value: String(minutes),
    label: minutes === 0 ? t('refreshByHand') : durationText(minutes * MINUTE_MS, i18n.language),
  }))
  const choose = (value: string) => {
    const refreshMinutes = REFRESH_MINUTES.find((minutes) => String(minutes) === value)
    if (refreshMinutes !== undefined) inBackground('chargers-section.change', () => changeChargers({ refreshMinutes }))
  }
  return (
    <div className="settings-rows">
      <SettingRow label={t('refreshEvery')}>
        <Segmented
          label={t('refreshEvery')}
          value={String(chargers.refreshMinutes)}
          onChange={choose}
          choices={choices}
        />
      </SettingRow>
      <CheckField
        label={t('noticeFavourites')}
        checked={chargers.notifyFavourites}
        onChange={(notifyFavourites) =>
          inBackground('chargers-section.change', () => changeChargers({ notifyFavourites }))
        }
      />
      <Suspense fallback={null}>
        <RouteNotices />
      </Suspense>
    </div>
  )
}
