import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import type { Disagreement } from '../../../../shared/chargers/live-state.ts'
import type { Facet } from '../../../../shared/chargers/facets.ts'
import type { Bounds, ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { OpeningStatus } from '../../../../shared/chargers/opening-hours.ts'
import type { OpeningWeek } from '../../../../shared/chargers/opening-week.ts'
import type { Power } from '../../../../shared/chargers/power.ts'
import type { Aircraft, FitAnswer } from '../../../../shared/chargers/route/aircraft.ts'
import type { Arrival, ArrivalOpening } from '../../../../shared/chargers/route/arrival.ts'
import type { RouteAnswer } from '../../../../shared/chargers/route/plan-routes.ts'
import type { OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import type { PlaceAnswer } from '../../../../shared/chargers/route/read-place.ts'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import type { RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { FoundAirfield } from '../../../../shared/chargers/search.ts'
import type { ChargerOrder } from '../../../../shared/chargers/sort.ts'
import type { Waypoint } from '../../../../shared/chargers/waypoints.ts'
import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import type { MarkerStyle, Marker } from './marker.ts'

/*
 * The questions that the page asks the worker. Of a hundred thousand chargers, only those in view are transferred.
 */

/** A row of the list. Texts come from the service and are untrusted. */
export interface ChargerRow {
  id: number
  /** The key of the site it belongs to, which it may share with other chargers at the airfield. */
  site: string
  icao: string | null
  airfield: string | null
  markerStyle: MarkerStyle
  liveState: string | null
  /** Null if unknown, or not received yet. */
  syncedAtMs: number | null
  type: string | null
  power: Power | null
  kw: string | null
  connectors: readonly string[]
  opening: OpeningStatus
  /** At the query's arrival; null without one, or if its time is unknown. */
  arrival: ArrivalOpening | null
  favourite: boolean
  fit: FitAnswer | null
  /** Null without usable coordinates. */
  at: { lat: number; lng: number } | null
  /** From the query's reference point. */
  distanceNm: number | null
  /** The last refresh did not return it, but could not prove it gone. */
  unseen: boolean
}

export interface ChargerDetail {
  row: ChargerRow
  charger: ChargePoint
  country: string | null
  /** The assumed time zone, and what it is inferred from (`fieldZone`). */
  zone: string | null
  week: OpeningWeek
  /** The current UTC offset at the airfield. */
  offsetMs: number | null
  disagreement: Disagreement | null
  /** All chargers at the airfield, including those filtered out. */
  atSite: number
}

export interface SiteDetail {
  icao: string | null
  airfield: string | null
  at: { lat: number; lng: number } | null
  rows: ChargerRow[]
  /** How many of them the filter hides. */
  hidden: number
}

export interface ChargerQuery {
  filter: ChargerFilter
  order: ChargerOrder
  /** The reference point for distances; null: no distances. */
  from: { lat: number; lng: number } | null
  /** The arrival for which opening hours are returned, besides now. */
  arrival: Arrival | null
}

export interface Found {
  /** Increases when the matches or their order may have changed; rows of another round are stale. */
  round: number
  /** Increases when the matches may have changed; markers and counts of another round are stale. */
  mapRound: number
  matches: number
  total: number
  /** Matches without a usable position, which only the list shows. */
  unplaced: number
  /** Favourites that are not in the set. */
  goneFavourites: readonly number[]
}

/** The filters with a list of values. */
export type FacetName = 'countries' | 'connectors' | 'aircraft' | 'payment' | 'states'
export type ExportFormat = 'csv' | 'geojson' | 'gpx' | 'cup'

interface ChargerQuestions {
  /** Fetches the set, prepares it and returns its facts. The previous set stays in use until then. */
  load: { asks: { address: string }; answer: { total: number; atMs: number } }
  favourites: { asks: { ids: readonly number[] }; answer: null }
  /** Sets the aircraft to check chargers against. */
  aircraft: { asks: { aircraft: Pick<Aircraft, 'connectors' | 'types'> | null }; answer: null }
  query: { asks: ChargerQuery; answer: Found }
  rows: { asks: { from: number; to: number }; answer: { round: number; from: number; rows: ChargerRow[] } }
  markers: { asks: { bounds: Bounds; zoom: number }; answer: { round: number; zoom: number; markers: Marker[] } }
  /** Each value with the number of chargers that have it and match the other filters. */
  facet: { asks: { name: FacetName }; answer: Facet[] }
  quick: { asks: Record<never, never>; answer: Record<QuickFilter, number> }
  detail: { asks: { id: number }; answer: ChargerDetail | null }
  site: { asks: { key: string }; answer: SiteDetail | null }
  /** The charger's index in the list; -1 if it is filtered out. */
  position: { asks: { id: number }; answer: number }
  /** The zoom at which a cluster of the last markers splits. */
  expand: { asks: { cluster: number }; answer: number }
  suggest: { asks: { text: string }; answer: FoundAirfield[] }
  /** The place that a text names, as an end of a route. */
  place: { asks: { text: string; own: readonly OwnPlace[] }; answer: PlaceAnswer }
  /** Null if the plan lacks an end, or its reserve leaves no range. */
  route: { asks: { plan: RoutePlan }; answer: { answer: RouteAnswer; leftOut: LeftOut } | null }
  /** The chargers that waypoints of a file mean, by their names, and the waypoints without any. */
  waypoints: {
    asks: { waypoints: readonly Waypoint[] }
    answer: { chargers: { id: number; name: string }[]; unknown: string[] }
  }
  /** The filtered chargers or all favourites, in list order; `count` is the number of them, with and without a position. */
  export: {
    asks: { of: 'matches' | 'favourites'; format: ExportFormat; sample: boolean }
    answer: { type: string; text: string; count: number; unplaced: number }
  }
}

export type QuickFilter = 'freeNow' | 'openNow' | 'DC' | 'AC' | 'favouritesOnly'

export type QuestionName = keyof ChargerQuestions
export type AsksOf<Name extends QuestionName> = ChargerQuestions[Name]['asks']
export type AnswerTo<Name extends QuestionName> = ChargerQuestions[Name]['answer']

export interface Asked<Name extends QuestionName> {
  id: number
  name: Name
  asks: AsksOf<Name>
}
export type Question = { [Name in QuestionName]: Asked<Name> }[QuestionName]
export type Reply = { id: number } & ({ ok: true; answer: AnswerTo<QuestionName> } | { ok: false; why: Sentence })
