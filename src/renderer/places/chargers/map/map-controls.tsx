import { Globe, Layers, Minus, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeChargers } from '../../../store/charger-settings.ts'
import { useShell } from '../../../store/shell-store.ts'
import type { ChargerMap } from './charger-map.ts'

/** The buttons beside the map. */
export function MapControls({ map }: { map: ChargerMap | null }) {
  const { t } = useTranslation('chargers')
  const isBlocked = useBlockedPictures()
  return (
    <div className="menu chargers-controls" role="group" aria-label={t('map.controls')}>
      <IconButton tipSide="left" label={t('map.zoomIn')} onClick={() => map?.zoomBy(1)}>
        <Plus size={16} aria-hidden />
      </IconButton>
      <IconButton tipSide="left" label={t('map.zoomOut')} onClick={() => map?.zoomBy(-1)}>
        <Minus size={16} aria-hidden />
      </IconButton>
      <IconButton tipSide="left" label={t('map.world')} onClick={() => map?.showWorld()}>
        <Globe size={16} aria-hidden />
      </IconButton>
      <Popover
        label={t('streets.title')}
        align="end"
        trigger={
          <IconButton tipSide="left" label={t('map.layers')}>
            <Layers size={16} aria-hidden />
          </IconButton>
        }
      >
        <Streets isBlocked={isBlocked} />
      </Popover>
    </div>
  )
}

/** Switches street tiles on and off, and says what that discloses to whom. `isBlocked`: this page may not load them yet. */
function Streets({ isBlocked }: { isBlocked: boolean }) {
  const { t } = useTranslation('chargers')
  const tiles = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
  if (tiles === null) return null
  const address = tiles.url.replace(/\{[zxys]\}/g, '1')
  const host = URL.canParse(address) ? new URL(address).host : null
  const change = (enabled: boolean) => changeChargers({ streetTiles: { ...tiles, enabled } })
  return (
    <div className="chargers-streets">
      <CheckField
        label={t('streets.title')}
        hint={host === null ? t('streets.unusable') : t('streets.hint', { host })}
        checked={tiles.enabled}
        disabled={host === null}
        onChange={(enabled) => inBackground('map-controls.streets', () => change(enabled))}
      />
      {tiles.enabled && isBlocked ? (
        <p>
          {t('streets.reload')} <Button onClick={() => location.reload()}>{t('streets.reloadNow')}</Button>
        </p>
      ) : null}
    </div>
  )
}

/**
 * Whether the page's policy blocked a picture. The policy lists the allowed tile servers and is fixed when the page loads, so a
 * server allowed in the settings later takes effect at the next load.
 */
function useBlockedPictures(): boolean {
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => {
    const note = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'img-src') setBlocked(true)
    }
    document.addEventListener('securitypolicyviolation', note)
    return () => document.removeEventListener('securitypolicyviolation', note)
  }, [])
  return isBlocked
}
