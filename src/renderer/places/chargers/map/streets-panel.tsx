import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { Button } from '../../../parts/button.tsx'

/** Switches street tiles on and off, and says what that discloses to whom. `isBlocked`: this page may not load them yet. */
export function StreetsPanel({ isBlocked }: { isBlocked: boolean }) {
  const { t } = useTranslation('chargers')
  const chargers = useShell(({ state }) => state?.settings.chargers ?? null)
  const [isBusy, setBusy] = useState(false)
  if (chargers === null) return null
  const { streetTiles } = chargers
  const host = hostOf(streetTiles.url)
  const change = async (enabled: boolean) => {
    setBusy(true)
    await askOrToast('settings.set', { chargers: { streetTiles: { ...streetTiles, enabled } } })
    setBusy(false)
  }
  return (
    <div className="chargers-streets-panel">
      <label className="check">
        <input
          type="checkbox"
          checked={streetTiles.enabled}
          disabled={isBusy || host === null}
          onChange={(event) => inBackground('streets-panel.change', () => change(event.target.checked))}
        />
        {t('streets.title')}
      </label>
      <p className="secondary">{host === null ? t('streets.unusable') : t('streets.hint', { host })}</p>
      {streetTiles.enabled && isBlocked ? (
        <p>
          {t('streets.reload')} <Button onClick={() => location.reload()}>{t('streets.reloadNow')}</Button>
        </p>
      ) : null}
    </div>
  )
}

function hostOf(url: string): string | null {
  const filled = url.replace(/\{[zxys]\}/g, '1')
  return URL.canParse(filled) ? new URL(filled).host : null
}
