import { useTranslation } from 'react-i18next'
import { askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { showOverlay } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'

const LINKS = ['documentation', 'source', 'issues'] as const

export function AboutSection() {
  const { t } = useTranslation('settings')
  const version = useShell(({ state }) => state?.app.version ?? '')
  const canOpen = useCan('openExternal')
  return (
    <div className="settings-rows">
      <p className="figures">{t('version', { version })}</p>
      <div className="settings-buttons">
        <Button onClick={() => showOverlay({ kind: 'shortcuts' })}>{t('shortcuts')}</Button>
        {canOpen
          ? LINKS.map((link) => (
              <Button
                key={link}
                onClick={() => inBackground('app.openExternal', () => askOrToast('app.openExternal', { link }))}
              >
                {t(link)}
              </Button>
            ))
          : null}
      </div>
    </div>
  )
}
