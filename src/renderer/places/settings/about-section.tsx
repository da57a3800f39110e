import { useTranslation } from 'react-i18next'
import { askOrToast } from '../../store/bridge.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { showOverlay } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'

const LINKS = ['documentation', 'source', 'issues'] as const

export function AboutSection() {
  const { t } = useTranslation('settings')
  const version = useShell(({ state }) => state?.app.version ?? '')
  const canOpen = useCan('openExternal')
  return (
    <>
      <p className="figures">{t('version', { version })}</p>
      <div className="settings-buttons row">
        <Button onClick={() => showOverlay({ kind: 'shortcuts' })}>{t('shortcuts')}</Button>
        {canOpen
          ? LINKS.map((link) => (
              <Button key={link} onClick={() => askOrToast('app.openExternal', { link })}>
                {t(link)}
              </Button>
            ))
          : null}
      </div>
    </>
  )
}
