import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { t } from 'i18next'
import { MapPin, Star, ArrowLeft } from 'lucide-react'
import { IconButton } from '../../../parts/button.tsx'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import type { SiteDetail } from '../data/charger-index.ts'
import { ChargerLine } from '../list/charger-line.tsx'
import { shownMap } from '../map/charger-map.ts'
import { choose, stepBack } from '../store/chargers-actions.ts'
import { chargerIndex, chosenMark, useChargers } from '../store/chargers-store.ts'
import * as words from '../charger-words.ts'
import { ChargerFacts } from './charger-facts.tsx'
import './detail.css'

/** The details of the chosen charger or airfield, over the children, which are inert meanwhile. */
export function ChosenPanel({ children }: { children: ReactNode }) {
  const chosen = useView((view) => view.charger)
  // Each may be another answer.
  const found = useChargers((view) => view.found)
  useShortcuts({ back: stepBack })
  const isShown = chosen !== null && found !== null
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
  const { title, content } = useChosen(chosen)
  const at = chosenMark(chosen)?.at
  const isCharger = chosen.kind === 'charger'
  return (
    <SidePanel
      id={isCharger ? `charger ${chosen.id}` : `site ${chosen.key}`}
      title={title}
      back={isCharger && chosen.fromSite !== null ? t('chargers:detail.backToSite') : t('detail:close')}
      actions={
        <>
          {at == null ? null : (
            <IconButton label={t('chargers:detail.showOnMap')} onClick={() => shownMap()?.reveal(at)}>
              <MapPin size={16} aria-hidden />
            </IconButton>
          )}
          {isCharger ? <FavouriteButton id={chosen.id} /> : null}
        </>
      }
    >
      {content ?? <p className="secondary">{t(isCharger ? 'chargers:detail.gone' : 'chargers:detail.noneHere')}</p>}
    </SidePanel>
  )
}

function useChosen(chosen: ChosenCharger): { title: string; content?: ReactNode } {
  if (chosen.kind === 'charger') {
    const one = chargerIndex.detail(chosen.id)
    if (one === null) return { title: t('chargers:route.charger', { id: String(chosen.id) }) }
    return { title: words.name(one.charger), content: <ChargerFacts one={one} /> }
  }
  const site = chargerIndex.site(chosen.key)
  if (site === null) return { title: t('chargers:detail.title') }
  const title = chosen.key.includes(',') ? t('chargers:suggestions') : words.name(site)
  return { title, content: <SiteList site={site} siteKey={chosen.key} /> }
}

function SiteList({ site: { found, hidden }, siteKey }: { site: SiteDetail; siteKey: string }) {
  return (
    <>
      <p className="secondary">{t('chargers:site.title', { count: found.length })}</p>
      <ul className="chargers-site">
        {found.map((one) => (
          <li key={one.charger.id}>
            <button
              type="button"
              className="chargers-line"
              onClick={() => choose({ kind: 'charger', id: one.charger.id, fromSite: siteKey })}
            >
              <ChargerLine one={one} />
            </button>
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : <p className="secondary">{t('chargers:site.hidden', { count: hidden })}</p>}
    </>
  )
}

function FavouriteButton({ id }: { id: number }) {
  const isFavourite = useShell(({ state }) => state?.chargers.favourites.includes(id) ?? false)
  return (
    <IconButton
      label={isFavourite ? t('chargers:dropFavourite') : t('chargers:markFavourite')}
      aria-pressed={isFavourite}
      onClick={() => askOrToast('chargers.favourites', { ids: [id], favourite: !isFavourite })}
    >
      <Star size={16} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  )
}

/** Takes the focus, or gives it to what is marked `data-takes-focus`, and gives it back. In layout effects: what is beneath becomes inert in the same commit, which would blur it. */
export function SidePanel(given: {
  id: string
  title: string
  back: string
  actions?: ReactNode
  children: ReactNode
}) {
  const { id, title, back, actions, children } = given
  const panel = useRef<HTMLElement>(null)
  const headingId = useId()
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      // After the replacement panel has mounted.
      queueMicrotask(() => {
        const list = document.querySelector<HTMLElement>('.chargers-list')
        if (document.activeElement === document.body) (isThere ? before : list)?.focus({ preventScroll: true })
      })
    }
  }, [])
  useLayoutEffect(() => {
    const marked = panel.current?.querySelector<HTMLElement>('[data-takes-focus]')
    ;(marked ?? panel.current?.querySelector('h2'))?.focus({ preventScroll: true })
  }, [id])
  return (
    <section ref={panel} className="chargers-panel" aria-labelledby={headingId}>
      <header className="chargers-panel-head">
        <IconButton label={back} onClick={stepBack}>
          <ArrowLeft size={16} aria-hidden />
        </IconButton>
        <h2 id={headingId} tabIndex={-1} dir="auto" title={title}>
          {title}
        </h2>
        {actions}
      </header>
      <div className="chargers-panel-body stack">{children}</div>
    </section>
  )
}
