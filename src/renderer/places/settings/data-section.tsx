import { t } from 'i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { pickFolder } from '../../pickers/pick-folder.tsx'
import { askOrToast } from '../../store/bridge.ts'
import { errorText } from '../../store/error-text.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { saveText } from '../../store/save-text.ts'
import { SettingRow } from './section.tsx'
import { SettingControls } from './setting-controls.tsx'

export function DataSection({ settings }: { settings: UiSettings }) {
  const dataDir = useShell(({ state }) => state?.app.dataDir ?? '')
  const canReveal = useCan('reveal')
  const canUpload = useCan('upload')
  const chooseInbox = async () => {
    const place = await pickFolder(t('settings:inbox'))
    if (place !== null) await askOrToast('settings.set', { inboxDir: place.token })
  }
  const saveDiagnostics = async () => {
    const file = await askOrToast('app.diagnostics', {})
    if (file !== null) await saveText(file.filename, 'application/json', file.text)
  }
  return (
    <>
      <SettingRow label={t('settings:dataFolder')} hint={t('settings:logHint')}>
        <PathText path={dataDir} whole={dataDir} className="settings-path mono" />
        <CopyButton text={dataDir} of={t('settings:dataFolder')} />
        {canReveal ? (
          <Button
            aria-label={`${t('frame:notice.show')}: ${t('settings:dataFolder')}`}
            onClick={() => askOrToast('app.revealData', {})}
          >
            {t('frame:notice.show')}
          </Button>
        ) : null}
      </SettingRow>
      {canUpload ? (
        <SettingRow label={t('settings:inbox')} hint={t('settings:inboxHint')}>
          {settings.inboxDir === null ? (
            <span className="secondary">{t('settings:inboxNone')}</span>
          ) : (
            <PathText path={settings.inboxDir} whole={settings.inboxDir} className="settings-path mono" />
          )}
          <Button aria-label={`${t('settings:inboxChoose')}: ${t('settings:inbox')}`} onClick={() => chooseInbox()}>
            {t('settings:inboxChoose')}
          </Button>
        </SettingRow>
      ) : null}
      <SettingRow label={t('settings:diagnostics')} hint={t('settings:diagnosticsHint')}>
        <Button aria-label={`${t('common:save')}: ${t('settings:diagnostics')}`} onClick={() => saveDiagnostics()}>
          {t('common:save')}
        </Button>
      </SettingRow>
      <SettingControls of="data" settings={settings} />
      <Quarantine />
    </>
  )
}

/** Journal rows that no longer parse. */
function Quarantine() {
  const { value, error } = useAnswer('jobs.quarantined', {})
  const count = value?.rows.length ?? 0
  const said = error === null ? count > 0 && t('settings:quarantine', { count }) : errorText(error)
  return said === false ? null : <SettingRow label={t('settings:quarantined')}>{said}</SettingRow>
}
