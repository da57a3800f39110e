import { useTranslation } from 'react-i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { askOrToast } from '../../store/bridge.ts'
import { CheckField } from '../../parts/field.tsx'
import { NumberSetting } from './number-setting.tsx'

const CAPS = [
  ['perDay', 'capPerDay'],
  ['perMonth', 'capPerMonth'],
  ['perFolderPerDay', 'capPerFolder'],
] as const

export function SpendingSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  return (
    <div className="settings-rows">
      <div className="field">
        <div className="field-label">{t('caps')}</div>
        <div className="settings-caps">
          {CAPS.map(([name, label]) => (
            <NumberSetting
              key={name}
              label={t(label)}
              range={t('wholeNumber')}
              value={settings.caps[name]}
              min={0}
              max={1_000_000_000}
              emptyText={t('noCap')}
              onSet={(value) => askOrToast('settings.set', { caps: { [name]: value } })}
            />
          ))}
        </div>
      </div>
      <CheckField
        label={t('resendUnknown')}
        hint={t('resendUnknownHint')}
        checked={settings.resendUnknownOnce}
        onChange={(checked) =>
          inBackground('spending-section.change', () => askOrToast('settings.set', { resendUnknownOnce: checked }))
        }
      />
    </div>
  )
}
