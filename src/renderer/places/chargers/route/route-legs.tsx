import { useTranslation } from 'react-i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import type { PlannedRoute, RouteLeg } from '../../../../shared/chargers/route/plan-routes.ts'
import { isWarning, type RouteStop } from '../../../../shared/chargers/route/route-stop.ts'
import { Button } from '../../../parts/button.tsx'
import { shownMap } from '../map/charger-map.ts'
import { choose } from '../store/chargers-actions.ts'
import { useRoute } from './route-store.ts'
import { useRouteWords } from './route-words.ts'

/** The legs in order, each with the details of the stop at its end; printed with positions and ids in place of the buttons. */
export function RouteLegs({ route: { legs, stops, departMs } }: { route: PlannedRoute }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  return (
    <>
      {departMs === null ? null : (
        <p className="figures">{t('route.departure', { at: words.clock(departMs, null) })}</p>
      )}
      <ol className="chargers-route-legs">
        {legs.map((leg, at) => {
          const stop = leg.stop === null ? undefined : stops[leg.stop]
          return (
            <li key={at}>
              <LegButton leg={leg} at={at} departMs={departMs} />
              {stop === undefined ? null : <StopFacts stop={stop} departMs={departMs} />}
            </li>
          )
        })}
      </ol>
    </>
  )
}

function LegButton({ leg, at, departMs }: { leg: RouteLeg; at: number; departMs: number | null }) {
  const words = useRouteWords()
  const isHighlighted = useRoute((view) => view.leg === at)
  const { from, to, daylight, minutes, arriveMs } = leg
  const highlight = (on: boolean) => useRoute.setState({ leg: on ? at : null })
  return (
    <button
      type="button"
      className={isHighlighted ? 'chargers-route-leg highlighted' : 'chargers-route-leg'}
      onMouseEnter={() => highlight(true)}
      onMouseLeave={() => highlight(false)}
      onFocus={() => highlight(true)}
      onBlur={() => highlight(false)}
      onClick={() => shownMap()?.revealAll([from.place, to.place])}
    >
      <b className="chargers-route-leg-ends" dir="auto">
        {from.name} → {to.name}
      </b>
      <span className="figures">{words.leg(leg)}</span>
      {minutes === null || arriveMs === null ? null : (
        <span className="figures secondary">{words.clock(arriveMs, departMs)}</span>
      )}
      {daylight === null ? null : (
        <span className={`figures ${daylight.light === 'day' ? 'secondary' : 'chargers-route-dark'}`}>
          {words.daylight(leg)}
        </span>
      )}
      <span className="chargers-print-only figures">{degreesMinutes(to.place)}</span>
    </button>
  )
}

function StopFacts({ stop, departMs }: { stop: RouteStop; departMs: number | null }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useRouteWords()
  const { chargers, opening, waitMinutes, notes } = stop
  const [best] = chargers
  return (
    <div className="chargers-route-stop-facts">
      <p className="chargers-print-only">
        {listText(
          chargers.map(({ id }) => t('route.charger', { id })),
          i18n.language,
        )}
      </p>
      <p>{words.stop(stop)}</p>
      {opening === null || (waitMinutes ?? 0) > 0 ? null : (
        <p className={`chargers-line-open ${opening.state}`}>{words.arrival(opening)}</p>
      )}
      {stop.departMs === null ? null : (
        <p className="secondary figures">{t('route.departs', { at: words.clock(stop.departMs, departMs) })}</p>
      )}
      {notes.length === 0 ? null : (
        <ul className="chargers-route-notes" aria-label={t('route.notes')}>
          {notes.map((note) => (
            <li key={note} className={isWarning(note) ? 'warning' : 'secondary'}>
              {words.note(note, stop)}
            </li>
          ))}
        </ul>
      )}
      {best === undefined ? null : (
        <Button kind="quiet" onClick={() => choose({ kind: 'charger', id: best.id, fromSite: null })}>
          {t('route.charger', { id: best.id })}
        </Button>
      )}
    </div>
  )
}
