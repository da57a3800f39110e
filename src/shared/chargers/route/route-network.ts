import { unitVector } from '../distance.ts'
import { nameOf, type Site } from '../group.ts'
import { liveStatusOf, wasBroken } from '../live-state.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, namesNothing, usableNm } from './aircraft.ts'
import type { ChargeSite } from './find-route.ts'
import { PointIndex } from './point-index.ts'
import type { RouteRequest } from './route-plan.ts'

/** An airfield where the aircraft can charge. */
export interface RouteSite extends ChargeSite {
  /** "EDAZ Schönhagen", the part of it that is known, or else the number of a charger. */
  name: string
  icao: string | null
  /** Not known to be out of order now. The first has the power of the site. */
  chargers: readonly PreparedCharger[]
}

/** How many chargers are not part of the network, by reason. */
export type LeftOut = Record<'doesNotFit' | 'fitNotKnown' | 'broken' | 'noPosition', number>

/** Where one aircraft can charge now. */
export interface RouteNetwork {
  sites: readonly RouteSite[]
  near: PointIndex
  leftOut: LeftOut
}

/** The power of a charger for this aircraft; null when unknown. */
export function powerFor({ maxKw }: RouteRequest['aircraft'], one: PreparedCharger | undefined): number | null {
  return one?.power == null ? null : Math.min(one.power.kw, maxKw ?? Infinity)
}

export function routeNetwork(
  airfields: readonly Site[],
  { aircraft, takeFitNotKnown, nowMs }: Pick<RouteRequest, 'aircraft' | 'takeFitNotKnown' | 'nowMs'>,
): RouteNetwork {
  const fitOf = fitTest(aircraft)
  const leftOut: LeftOut = { doesNotFit: 0, fitNotKnown: 0, broken: 0, noPosition: 0 }
  const whyNot = (one: PreparedCharger): keyof LeftOut | null => {
    const fit = fitOf(one)
    if (fit === 'does_not_fit') return 'doesNotFit'
    if (one.place === null) return 'noPosition'
    if (liveStatusOf(one, nowMs).liveClass === 'broken') return 'broken'
    // Of an aircraft that names nothing, it is known of no charger whether it fits.
    return fit === 'not_known' && !namesNothing(aircraft) && !takeFitNotKnown ? 'fitNotKnown' : null
  }
  const isUsable = (one: PreparedCharger) => {
    const why = whyNot(one)
    if (why !== null) leftOut[why] += 1
    return why === null
  }
  const doubt = (one: PreparedCharger) => Number(wasBroken(one, nowMs))
  const isSure = (one: PreparedCharger) => Number(fitOf(one) === 'fits')
  const sites = airfields.flatMap(({ icao, airfield, at, members }): RouteSite[] => {
    const chargers = members
      .filter(isUsable)
      .sort((a, b) => doubt(a) - doubt(b) || isSure(b) - isSure(a) || byPower(a, b))
    const [best] = chargers
    if (best === undefined || at === null) return []
    const name = nameOf({ icao, airfield }) || `#${best.charger.id}`
    return [{ name, icao, place: at, kw: powerFor(aircraft, best), chargers }]
  })
  const vectors = sites.map(({ place }) => unitVector(place))
  return { sites, near: new PointIndex(vectors, usableNm(aircraft) ?? 0), leftOut }
}

function byPower(one: PreparedCharger, other: PreparedCharger): number {
  return (other.power?.kw ?? -1) - (one.power?.kw ?? -1) || one.charger.id - other.charger.id
}
