import { Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { IconButton } from '../../../parts/button.tsx'
import { markFavourite } from '../store/chargers-actions.ts'
import { SidePanel } from './side-panel.tsx'

/** A charger that the service no longer lists, or never did. */
export function GoneCharger({ id, back }: { id: number; back: string }) {
  const { t } = useTranslation('chargers')
  const isFavourite = useShell(({ state }) => state?.chargers.favourites.includes(id) ?? false)
  return (
    <SidePanel
      id={`charger ${id}`}
      title={t('route.charger', { id })}
      back={back}
      hasControls={false}
      actions={
        isFavourite ? (
          <IconButton
            label={t('dropFavourite')}
            aria-pressed
            onClick={() => inBackground('gone-charger.dropFavourite', () => markFavourite(id, false))}
          >
            <Star size={16} fill="currentColor" aria-hidden />
          </IconButton>
        ) : null
      }
    >
      <p className="secondary">{t('detail.gone')}</p>
    </SidePanel>
  )
}
