import { unitVector, type Point } from '../distance.ts'
import { groupChargers } from '../group.ts'
import { liveStatusOf, wasBroken } from '../live-state.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, usableNm, type Aircraft } from './aircraft.ts'
import type { ChargeSite } from './find-route.ts'
import { NearSites } from './near-sites.ts'

/** An airfield where the aircraft can charge. */
export interface RouteSite extends ChargeSite {
  icao: string | null
  airfield: string | null
  /**
   * Not known to be out of order now: doubtful ones (`isDoubtful`) go last, those that are known to fit first, then the
   * strongest. The first has the power of the site.
   */
  chargers: readonly PreparedCharger[]
}

/** How many chargers are not part of the network, by reason. */
export interface LeftOut {
  doesNotFit: number
  fitNotKnown: number
  broken: number
  noPosition: number
  avoided: number
}

/** Where one aircraft can charge: built once for many routes. */
export interface RouteNetwork {
  sites: readonly RouteSite[]
  near: NearSites
  leftOut: LeftOut
  /** Ids of chargers that the last refresh did not list, though it could not prove them gone. */
  unseen: ReadonlySet<number>
}

export interface NetworkOptions {
  aircraft: Aircraft
  /** Also use chargers of which it is unknown whether they fit. */
  takeFitNotKnown: boolean
  /** Ids of chargers that a person excluded. */
  avoid: ReadonlySet<number>
  /** See `RouteNetwork`. */
  unseen: ReadonlySet<number>
  nowMs: number
}

/** Whether it may well be of no use: it was out of order when last heard of, or the last refresh did not list it. */
export function isDoubtful(one: PreparedCharger, { unseen, nowMs }: Pick<NetworkOptions, 'unseen' | 'nowMs'>): boolean {
  return wasBroken(one, nowMs) || unseen.has(one.charger.id)
}

export function routeNetwork(prepared: readonly PreparedCharger[], options: NetworkOptions): RouteNetwork {
  const { aircraft, takeFitNotKnown, avoid, unseen, nowMs } = options
  const fitOf = fitTest(aircraft)
  const leftOut: LeftOut = { doesNotFit: 0, fitNotKnown: 0, broken: 0, noPosition: 0, avoided: 0 }
  const whyNot = (one: PreparedCharger): keyof LeftOut | null => {
    const { fit, reason } = fitOf(one)
    if (fit === 'does_not_fit') return 'doesNotFit'
    if (one.place === null) return 'noPosition'
    if (liveStatusOf(one, nowMs).liveClass === 'broken') return 'broken'
    // Of an aircraft that names nothing, it is known of no charger whether it fits.
    if (fit === 'not_known' && reason !== 'aircraft' && !takeFitNotKnown) return 'fitNotKnown'
    return avoid.has(one.charger.id) ? 'avoided' : null
  }
  const byId = new Map<number, PreparedCharger>()
  for (const one of prepared) {
    const reason = whyNot(one)
    if (reason === null) byId.set(one.charger.id, one)
    else leftOut[reason] += 1
  }
  const groups = groupChargers([...byId.values()].map(({ charger }) => charger))
  const sites = groups.flatMap(({ location, icao, airfield, chargers }): RouteSite[] => {
    if (location === null) return []
    const doubt = (one: PreparedCharger) => Number(isDoubtful(one, options))
    const isSure = (one: PreparedCharger) => Number(fitOf(one).fit === 'fits')
    const here = chargers
      .map(({ id }) => byId.get(id)!)
      .sort((a, b) => doubt(a) - doubt(b) || isSure(b) - isSure(a) || byPower(a, b))
    const strongest = here[0]?.power?.kw ?? null
    const kw = strongest === null ? null : Math.min(strongest, aircraft.maxKw ?? Infinity)
    return [{ place: { lat: location.lat, lng: location.lng }, kw, icao, airfield, chargers: here }]
  })
  const vectors = sites.map(({ place }) => unitVector(place))
  const near = new NearSites(vectors, usableNm(aircraft) ?? 0)
  return { sites, near, leftOut, unseen }
}

function byPower(one: PreparedCharger, other: PreparedCharger): number {
  return (other.power?.kw ?? -1) - (one.power?.kw ?? -1) || one.charger.id - other.charger.id
}

/** "EDAZ Schönhagen", the part of it that is known, or else the number of a charger. */
export function siteName({ icao, airfield, chargers }: RouteSite): string {
  const name = [icao, airfield].filter((text) => text !== null && text.trim() !== '').join(' ')
  return name || `#${chargers[0]?.charger.id ?? ''}`
}

/** A start, via point or destination of a route. */
export interface NamedPlace {
  name: string
  place: Point
  /** Of an airfield of the list. */
  icao?: string
}
