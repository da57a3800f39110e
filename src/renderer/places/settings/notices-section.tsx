import { useTranslation } from 'react-i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useCan } from '../../store/shell-store.ts'
import { Fixed } from '../../parts/fixed.tsx'
import { CheckField } from '../../parts/field.tsx'
import { change } from './change.ts'
import { FileManagersSetting } from './file-managers-setting.tsx'

export function NoticesSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  const canNotify = useCan('notify')
  const canStart = useCan('startAtLogin')
  const hasTray = useCan('tray')
  const inManagers = useCan('fileManagers')
  const { notifications } = settings
  return (
    <div className="settings-rows">
      {canNotify ? (
        <>
          <Fixed by={['notifications.batchDone']}>
            <CheckField
              label={t('noticeBatch')}
              hint={t('noticeBatchHint')}
              checked={notifications.batchDone}
              onChange={(batchDone) =>
                inBackground('notices-section.change', () => change({ notifications: { batchDone } }))
              }
            />
          </Fixed>
          <Fixed by={['notifications.needsPerson']}>
            <CheckField
              label={t('noticePerson')}
              hint={t('noticePersonHint')}
              checked={notifications.needsPerson}
              onChange={(needsPerson) =>
                inBackground('notices-section.change', () => change({ notifications: { needsPerson } }))
              }
            />
          </Fixed>
        </>
      ) : (
        <p className="secondary">{t('noticesInPage')}</p>
      )}
      {canStart ? (
        <CheckField
          label={t('startAtLogin')}
          hint={t('startAtLoginHint')}
          checked={settings.startAtLogin}
          onChange={(startAtLogin) => inBackground('notices-section.change', () => change({ startAtLogin }))}
        />
      ) : null}
      {hasTray ? (
        <CheckField
          label={t('keepInTray')}
          hint={t('keepInTrayHint')}
          checked={settings.keepInTray}
          onChange={(keepInTray) => inBackground('notices-section.change', () => change({ keepInTray }))}
        />
      ) : null}
      {inManagers ? <FileManagersSetting /> : null}
    </div>
  )
}
