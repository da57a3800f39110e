import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../../../shared/text/languages.ts'
import { ownLanguageName } from '../../../shared/text/text-language.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { askOrToast } from '../../store/bridge.ts'
import { Segmented } from '../../parts/field.tsx'
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
            inBackground('appearance-section.change', () => askOrToast('settings.set', { appearance: { theme } }))
          }
          choices={[
            { value: 'system', label: t('themeSystem') },
            { value: 'light', label: t('themeLight') },
            { value: 'dark', label: t('themeDark') },
          ]}
        />
      </SettingRow>
      <SettingRow label={t('language')}>
        <select
          className="select"
          aria-label={t('language')}
          value={appearance.language}
          onChange={({ target }) => {
            const language = target.value as typeof appearance.language
            inBackground('appearance-section.change', () => askOrToast('settings.set', { appearance: { language } }))
          }}
        >
          <option value="system">{t('languageSystem')}</option>
          {LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language}>
              {ownLanguageName(language)}
            </option>
          ))}
        </select>
      </SettingRow>
    </div>
  )
}
