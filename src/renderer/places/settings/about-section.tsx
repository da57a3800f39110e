import { t } from 'i18next'
import { askOrToast } from '../../store/bridge.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { showOverlay } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'

const LINKS = ['documentation', 'source', 'issues'] as const

export function AboutSection() {
  const version = useShell(({ state }) => state?.app.version ?? '')
  const canOpen = useCan('openExternal')
  return (
    <>
      <p className="figures">{t('settings:version', { version })}</p>
      <div className="settings-buttons row">
        <Button onClick={() => showOverlay({ kind: 'shortcuts' })}>{t('frame:shortcuts.title')}</Button>
        {canOpen
          ? LINKS.map((link) => (
              <Button key={link} onClick={() => askOrToast('app.openExternal', { link })}>
                {t(`settings:${link}`)}
              </Button>
            ))
          : null}
      </div>
    </>
  )
}
