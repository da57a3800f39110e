import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MapPin, Star } from 'lucide-react'
import { inBackground } from '../../../bridge/in-background.ts'
import { IconButton } from '../../../parts/button.tsx'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import { shownMap } from '../map/charger-map.ts'
import { markChosen, markFavourite, stepBack } from '../store/chargers-actions.ts'
import { chargerSet, markOf, useChargers, type Mark } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerFacts } from './charger-facts.tsx'
import { SidePanel } from './side-panel.tsx'
import { SiteList } from './site-list.tsx'

/** The details of the chosen charger or airfield, over the children, which are inert meanwhile. */
export function ChosenPanel({ children }: { children: ReactNode }) {
  const chosen = useView((view) => view.charger)
  // With each round there may be another answer.
  const round = useChargers(({ found }) => found?.round ?? 0)
  useShortcuts({ back: stepBack })
  const isShown = chosen !== null && round > 0
  return (
    <>
      <div className="chargers-beneath" inert={isShown}>
        {children}
      </div>
      {isShown ? <ChosenDetail chosen={chosen} /> : null}
    </>
  )
}

/** One panel for whatever is chosen, so that the focus returns to where it was before the first. */
function ChosenDetail({ chosen }: { chosen: ChosenCharger }) {
  const { t } = useTranslation('chargers')
  const { title, mark, content } = useChosen(chosen)
  const marked = JSON.stringify(mark)
  useEffect(() => markChosen(JSON.parse(marked) as Mark | null), [marked])
  const at = mark?.at
  const isCharger = chosen.kind === 'charger'
  return (
    <SidePanel
      id={isCharger ? `charger ${chosen.id}` : `site ${chosen.key}`}
      title={title}
      back={isCharger && chosen.fromSite !== null ? t('detail.backToSite') : t('detail.back')}
      actions={
        <>
          {at == null ? null : (
            <IconButton label={t('detail.showOnMap')} onClick={() => shownMap()?.reveal(at)}>
              <MapPin size={16} aria-hidden />
            </IconButton>
          )}
          {isCharger ? <FavouriteButton id={chosen.id} /> : null}
        </>
      }
    >
      {content}
    </SidePanel>
  )
}

function useChosen(chosen: ChosenCharger): { title: string; mark: Mark | null; content: ReactNode } {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const gone = (text: string) => <p className="secondary">{text}</p>
  if (chosen.kind === 'charger') {
    const one = chargerSet.detail(chosen.id)
    if (one === null)
      return { title: t('route.charger', { id: chosen.id }), mark: null, content: gone(t('detail.gone')) }
    return { title: words.name(one.charger), mark: markOf(one), content: <ChargerFacts one={one} /> }
  }
  const site = chargerSet.site(chosen.key)
  if (site === null) return { title: t('detail.title'), mark: null, content: gone(t('detail.noneHere')) }
  const [first = '', ...others] = chosen.key.split(',')
  return {
    title: others.length > 0 ? t('suggestions') : words.name(site),
    mark: { key: `s${first}`, at: site.at },
    content: <SiteList site={site} siteKey={chosen.key} />,
  }
}

function FavouriteButton({ id }: { id: number }) {
  const { t } = useTranslation('chargers')
  const isFavourite = useShell(({ state }) => state?.chargers.favourites.includes(id) ?? false)
  return (
    <IconButton
      label={isFavourite ? t('dropFavourite') : t('markFavourite')}
      aria-pressed={isFavourite}
      onClick={() => inBackground('chosen-panel.markFavourite', () => markFavourite(id, !isFavourite))}
    >
      <Star size={16} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  )
}
