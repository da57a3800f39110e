import { CircleDotDashed, Globe, Layers, Minus, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../parts/button.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { useChargers } from '../store/chargers-store.ts'
import type { ChargerMap } from './charger-map.ts'
import { RingPanel } from './ring-panel.tsx'
import { StreetsPanel } from './streets-panel.tsx'

/** The buttons beside the map. */
export function MapControls({ map }: { map: ChargerMap | null }) {
  const { t } = useTranslation('chargers')
  const isBlocked = useBlockedPictures()
  const hasRing = useChargers(({ ring }) => ring !== null)
  return (
    <div className="chargers-controls" role="group" aria-label={t('map.controls')}>
      <IconButton tipSide="left" label={t('map.zoomIn')} onClick={() => map?.zoomBy(1)}>
        <Plus size={16} aria-hidden />
      </IconButton>
      <IconButton tipSide="left" label={t('map.zoomOut')} onClick={() => map?.zoomBy(-1)}>
        <Minus size={16} aria-hidden />
      </IconButton>
      <IconButton tipSide="left" label={t('map.world')} onClick={() => map?.showWorld()}>
        <Globe size={16} aria-hidden />
      </IconButton>
      <hr />
      <Popover
        label={t('ring.title')}
        align="end"
        trigger={
          <IconButton tipSide="left" label={t('map.ring')} aria-pressed={hasRing}>
            <CircleDotDashed size={16} aria-hidden />
          </IconButton>
        }
      >
        <RingPanel />
      </Popover>
      <Popover
        label={t('streets.title')}
        align="end"
        trigger={
          <IconButton tipSide="left" label={t('map.layers')}>
            <Layers size={16} aria-hidden />
          </IconButton>
        }
      >
        <StreetsPanel isBlocked={isBlocked} />
      </Popover>
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
