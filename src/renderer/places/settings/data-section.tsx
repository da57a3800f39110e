import { useTranslation } from 'react-i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { pickFolder } from '../../pickers/pick-folder.tsx'
import { askOrToast } from '../../store/bridge.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { saveText } from '../../store/save-text.ts'
import { SettingRow } from './section.tsx'

export function DataSection({ settings }: { settings: UiSettings }) {
  const { t } = useTranslation('settings')
  const dataDir = useShell(({ state }) => state?.app.dataDir ?? '')
  const canReveal = useCan('reveal')
  const canUpload = useCan('upload')
  const chooseInbox = async () => {
    const place = await pickFolder(t('inbox'))
    if (place !== null) await askOrToast('settings.set', { inboxDir: place.token })
  }
  const saveDiagnostics = async () => {
    const file = await askOrToast('app.diagnostics', {})
    if (file !== null) await saveText(file.filename, 'application/json', file.text)
  }
  return (
    <>
      <SettingRow label={t('dataFolder')}>
        <PathText path={dataDir} whole={dataDir} className="settings-path mono" />
        <CopyButton text={dataDir} of={t('dataFolder')} />
        {canReveal ? (
          <Button aria-label={`${t('reveal')}: ${t('dataFolder')}`} onClick={() => askOrToast('app.revealData', {})}>
            {t('reveal')}
          </Button>
        ) : null}
      </SettingRow>
      {canUpload ? (
        <SettingRow label={t('inbox')} hint={t('inboxHint')}>
          {settings.inboxDir === null ? (
            <span className="secondary">{t('inboxNone')}</span>
          ) : (
            <PathText path={settings.inboxDir} whole={settings.inboxDir} className="settings-path mono" />
          )}
          <Button aria-label={`${t('inboxChoose')}: ${t('inbox')}`} onClick={() => chooseInbox()}>
            {t('inboxChoose')}
          </Button>
        </SettingRow>
      ) : null}
      <SettingRow label={t('diagnostics')} hint={t('diagnosticsHint')}>
        <Button aria-label={`${t('diagnosticsSave')}: ${t('diagnostics')}`} onClick={() => saveDiagnostics()}>
          {t('diagnosticsSave')}
        </Button>
      </SettingRow>
      <Quarantine />
    </>
  )
}

/** Journal rows that no longer parse, if there are any. */
function Quarantine() {
  const { t } = useTranslation('settings')
  const count = useAnswer('jobs.quarantined', {}).value?.rows.length ?? 0
  return count === 0 ? null : <SettingRow label={t('quarantine')}>{t('quarantine', { count })}</SettingRow>
}
