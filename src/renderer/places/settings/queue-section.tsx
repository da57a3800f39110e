import { useTranslation } from 'react-i18next'
import { MAX_REQUESTS_PER_MINUTE } from '../../../shared/recipes/limits.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { Segmented } from '../../parts/field.tsx'
import { inBackground } from '../../bridge/in-background.ts'
import { askOrToast } from '../../store/bridge.ts'
import { NumberSetting } from './number-setting.tsx'
import { SettingRow } from './section.tsx'

export function QueueSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  return (
    <div className="settings-rows">
      <NumberSetting
        label={t('requests')}
        hint={t('requestsHint')}
        range={t('requestsRange')}
        value={settings.requestsPerMinute}
        min={1}
        max={MAX_REQUESTS_PER_MINUTE}
        onSet={async (value) => (value === null ? null : askOrToast('settings.set', { requestsPerMinute: value }))}
      />
      <NumberSetting
        label={t('retention')}
        range={t('retentionRange')}
        value={settings.retentionDays}
        min={1}
        max={3650}
        onSet={async (value) => (value === null ? null : askOrToast('settings.set', { retentionDays: value }))}
      />
      <SettingRow label={t('header')} hint={t('headerHint')}>
        <Segmented
          label={t('header')}
          value={settings.keyHeader}
          onChange={(keyHeader) =>
            inBackground('queue-section.change', () => askOrToast('settings.set', { keyHeader }))
          }
          choices={[
            { value: 'bearer', label: t('bearer') },
            { value: 'x-api-key', label: t('xApiKey') },
          ]}
        />
      </SettingRow>
    </div>
  )
}
