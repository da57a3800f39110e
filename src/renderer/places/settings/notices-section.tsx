import { useTranslation } from 'react-i18next'
import type { PageRequest } from '../../../shared/contract/calls.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { askOrToast } from '../../store/bridge.ts'
import { useCan } from '../../store/shell-store.ts'
import { CheckField } from '../../parts/field.tsx'
import { FileManagersSetting } from './file-managers-setting.tsx'

export function NoticesSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  const canNotify = useCan('notify')
  const canStart = useCan('startAtLogin')
  const hasTray = useCan('tray')
  const inManagers = useCan('fileManagers')
  const { notifications } = settings
  const set = (changes: PageRequest<'settings.set'>) =>
    inBackground('notices-section.change', () => askOrToast('settings.set', changes))
  return (
    <div className="settings-rows">
      {canNotify ? (
        <>
          <CheckField
            label={t('noticeBatch')}
            checked={notifications.batchDone}
            onChange={(batchDone) => set({ notifications: { batchDone } })}
          />
          <CheckField
            label={t('noticePerson')}
            checked={notifications.needsPerson}
            onChange={(needsPerson) => set({ notifications: { needsPerson } })}
          />
        </>
      ) : null}
      {canStart ? (
        <CheckField
          label={t('startAtLogin')}
          checked={settings.startAtLogin}
          onChange={(startAtLogin) => set({ startAtLogin })}
        />
      ) : null}
      {hasTray ? (
        <CheckField
          label={t('keepInTray')}
          checked={settings.keepInTray}
          onChange={(keepInTray) => set({ keepInTray })}
        />
      ) : null}
      {inManagers ? <FileManagersSetting /> : null}
    </div>
  )
}
