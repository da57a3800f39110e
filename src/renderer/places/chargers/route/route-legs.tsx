import { listText } from '../../../text/figures.ts'
import { TriangleAlert } from 'lucide-react'
import { t } from 'i18next'
import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { PlannedRoute, RouteLeg } from '../../../../shared/chargers/route/plan-routes.ts'
import { isWarning, type RouteStop } from '../../../../shared/chargers/route/route-stop.ts'
import { Button } from '../../../parts/button.tsx'
import { shownMap } from '../map/charger-map.ts'
import { choose } from '../store/chargers-actions.ts'
import { useRoute } from './route-store.ts'
import { routeWords } from '../charger-words.ts'

interface LegProps {
  leg: RouteLeg
  /** At its end. */
  stop: RouteStop | undefined
  departMs: number | null
}

/** The legs in order, each of which opens; printed with all there is, and with positions and ids in place of the buttons. */
export function RouteLegs({ route: { legs, stops, departMs } }: { route: PlannedRoute }) {
  return (
    <ol className="chargers-route-legs stack snug">
      {legs.map((leg, at) => (
        <Leg key={at} at={at} leg={leg} stop={leg.stop === null ? undefined : stops[leg.stop]} departMs={departMs} />
      ))}
    </ol>
  )
}

function Leg({ at, leg, stop, departMs }: LegProps & { at: number }) {
  const words = routeWords()
  const isOpen = useRoute((view) => view.leg === at)
  const { from, to, daylight, minutes, arriveMs } = leg
  const isDark = daylight !== null && daylight.light !== 'day'
  const hasWarning = isDark || stop?.notes.some(isWarning) === true
  return (
    <li>
      <button
        type="button"
        className={isOpen ? 'chargers-route-leg open' : 'chargers-route-leg'}
        aria-expanded={isOpen}
        onClick={() => {
          useRoute.setState({ leg: isOpen ? null : at })
          shownMap()?.revealAll([from.place, to.place])
        }}
      >
        <b className="chargers-route-leg-ends" dir="auto">
          {from.name} → {to.name}
        </b>
        {hasWarning ? <TriangleAlert size={14} aria-hidden /> : null}
        {hasWarning ? <span className="unseen">{t('chargers:route.warning')}</span> : null}
        {isOpen ? null : <span className="figures chargers-route-short">{words.leg(leg, false)}</span>}
        {minutes === null || arriveMs === null ? null : (
          <span className="figures secondary">{words.clock(arriveMs, departMs)}</span>
        )}
      </button>
      <div className={isOpen ? 'chargers-route-leg-facts' : 'chargers-route-leg-facts chargers-print-only'}>
        <p className="figures">{words.leg(leg)}</p>
        {daylight === null ? null : (
          <p className={isDark ? 'figures is-held' : 'figures secondary'}>{words.daylight(leg)}</p>
        )}
        <p className="chargers-print-only figures">{degreesMinutes(to.place)}</p>
        {stop === undefined ? null : <StopFacts stop={stop} departMs={departMs} />}
      </div>
    </li>
  )
}

function StopFacts({ stop, departMs }: { stop: RouteStop; departMs: number | null }) {
  const words = routeWords()
  const { chargers, opening, waitMinutes, notes } = stop
  const [best] = chargers
  return (
    <>
      <p className="chargers-print-only">
        {listText(chargers.map(({ id }) => t('chargers:route.charger', { id: String(id) })))}
      </p>
      <p>{words.stop(stop)}</p>
      {opening === null || (waitMinutes ?? 0) > 0 ? null : (
        <p className={`chargers-line-open ${opening.state}`}>{words.arrival(opening)}</p>
      )}
      {stop.departMs === null ? null : (
        <p className="secondary figures">{t('chargers:route.departs', { at: words.clock(stop.departMs, departMs) })}</p>
      )}
      {notes.length === 0 ? null : (
        <ul className="chargers-route-notes" aria-label={t('chargers:route.notes')}>
          {notes.map((note) => (
            <li key={note} className={isWarning(note) ? 'warning is-held' : 'secondary'}>
              {words.note(note, stop)}
            </li>
          ))}
        </ul>
      )}
      {best === undefined ? null : (
        <Button
          kind="quiet"
          className="chargers-route-wrap"
          onClick={() => choose({ kind: 'charger', id: best.id, fromSite: null })}
        >
          {t('chargers:route.charger', { id: String(best.id) })}
        </Button>
      )}
    </>
  )
}
