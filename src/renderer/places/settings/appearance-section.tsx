import { useTranslation } from 'react-i18next'
import type { UiSettings } from '../../../shared/ui-contract.ts'
import { inBackground } from '../../store/in-background.ts'
import { Segmented } from '../../ui/field.tsx'
import { change } from './change.ts'
import { SettingRow } from './section.tsx'

export function AppearanceSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  const { appearance } = settings
  return (
    <div className="settings-rows">
      <SettingRow label={t('theme')}>
        <Segmented
          label={t('theme')}
          value={appearance.theme}
          onChange={(theme) =>
            inBackground('appearance-section.change', () => change({ appearance: { ...appearance, theme } }))
          }
          choices={[
            { value: 'system', label: t('themeSystem') },
            { value: 'light', label: t('themeLight') },
            { value: 'dark', label: t('themeDark') },
          ]}
        />
      </SettingRow>
      <SettingRow label={t('language')}>
        <Segmented
          label={t('language')}
          value={appearance.language}
          onChange={(language) =>
            inBackground('appearance-section.change', () => change({ appearance: { ...appearance, language } }))
          }
          choices={[
            { value: 'system', label: t('languageSystem') },
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
      </SettingRow>
    </div>
  )
}
