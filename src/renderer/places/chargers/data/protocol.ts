import type { ChargePoint } from '../../../../shared/charger.ts'
import type { Disagreement } from '../../../../shared/chargers/live-state.ts'
import type { ChargerQuality } from '../../../../shared/chargers/field-quality.ts'
import type { FieldZone, PlaceDoubt } from '../../../../shared/chargers/field-zone.ts'
import type { Facet } from '../../../../shared/chargers/facets.ts'
import type { Bounds, ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { OpeningStatus } from '../../../../shared/chargers/opening-hours.ts'
import type { OpeningWeek } from '../../../../shared/chargers/opening-week.ts'
import type { Power } from '../../../../shared/chargers/power.ts'
import type { Aircraft, FitAnswer } from '../../../../shared/chargers/route/aircraft.ts'
import type { RouteAnswer } from '../../../../shared/chargers/route/plan-routes.ts'
import type { PlaceAnswer } from '../../../../shared/chargers/route/read-place.ts'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import type { RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { FoundAirfield } from '../../../../shared/chargers/search.ts'
import type { ChargerOrder } from '../../../../shared/chargers/sort.ts'
import type { MarkerStyle, Marker } from './marker.ts'

/*
 * What the page asks the worker that holds the chargers. Of a hundred thousand chargers only what is looked at crosses.
 */

/** A charger as a line of the list. Texts are the service's and untrusted. */
export interface ChargerRow {
  id: number
  /** The marker that stands for it, and others at the same airfield. */
  site: string
  icao: string | null
  airfield: string | null
  look: MarkerStyle
  liveState: string | null
  /** Null when it is not known, or has not come yet. */
  syncedAtMs: number | null
  type: string | null
  power: Power | null
  kw: string | null
  connectors: readonly string[]
  opening: OpeningStatus
  favourite: boolean
  fit: FitAnswer | null
  /** Null without usable coordinates. */
  at: { lat: number; lng: number } | null
  /** From the point that the query names. */
  distanceNm: number | null
  /** The last refresh did not see it, and could not tell that it is gone. */
  unseen: boolean
}

export interface ChargerDetail {
  row: ChargerRow
  charger: ChargePoint
  country: string | null
  /** Assumed, and what from (`fieldZone`). */
  zone: string | null
  zoneFrom: FieldZone['from'] | null
  week: OpeningWeek
  /** What clocks at the airfield are ahead of UTC now. */
  offsetMs: number | null
  disagreement: Disagreement | null
  placeDoubt: PlaceDoubt | null
  /** Chargers at the airfield, whatever the filter. */
  atSite: number
}

export interface SiteDetail {
  icao: string | null
  airfield: string | null
  at: { lat: number; lng: number } | null
  rows: ChargerRow[]
  /** Chargers there that the filter leaves out. */
  hidden: number
}

export interface ChargerQuery {
  filter: ChargerFilter
  order: ChargerOrder
  /** Where distances are told from; null tells none. */
  from: { lat: number; lng: number } | null
}

export interface Found {
  /** Grows whenever what was found or its order may be another: rows of another one are void. */
  round: number
  /** Grows when what was found may be another: markers and counts of another one are void. */
  mapRound: number
  matches: number
  total: number
  /** Of the matches: they have no usable position, and only the list shows them. */
  unplaced: number
}

/** The lists of values that a filter can ask for. */
export type FacetName = 'countries' | 'connectors' | 'aircraft' | 'payment' | 'states'
export type ExportFormat = 'csv' | 'geojson' | 'kml' | 'gpx'

interface ChargerQuestions {
  /** Fetches and works out the set; answers its facts. What was there stays until then. */
  load: { asks: { address: string }; answer: { total: number; atMs: number } }
  favourites: { asks: { ids: readonly number[] }; answer: null }
  /** The aircraft that chargers are judged for. */
  aircraft: { asks: { aircraft: Pick<Aircraft, 'connectors' | 'types'> | null }; answer: null }
  query: { asks: ChargerQuery; answer: Found }
  rows: { asks: { from: number; to: number }; answer: { round: number; from: number; rows: ChargerRow[] } }
  markers: { asks: { bounds: Bounds; zoom: number }; answer: { round: number; zoom: number; markers: Marker[] } }
  /** Values with how many chargers have them among those that the other filters let through. */
  facet: { asks: { name: FacetName }; answer: Facet[] }
  quick: { asks: Record<never, never>; answer: Record<QuickFilter, number> }
  detail: { asks: { id: number }; answer: ChargerDetail | null }
  site: { asks: { key: string }; answer: SiteDetail | null }
  /** Where in the list a charger stands; -1 when the filter leaves it out. */
  position: { asks: { id: number }; answer: number }
  /** At which zoom a cluster of the last markers comes apart. */
  expand: { asks: { cluster: number }; answer: number }
  suggest: { asks: { text: string }; answer: FoundAirfield[] }
  /** What operators could mend, of what the filter shows. */
  quality: { asks: Record<never, never>; answer: ChargerQuality[] }
  /** The place that a text names, for an end of a route. */
  place: { asks: { text: string }; answer: PlaceAnswer }
  /** Null for a plan that lacks an end, or leaves no range. */
  route: { asks: { plan: RoutePlan }; answer: { answer: RouteAnswer; leftOut: LeftOut } | null }
  /** What the filter shows, in the order of the list. */
  export: { asks: { format: ExportFormat; sample: boolean }; answer: { type: string; text: string } }
}

export type QuickFilter = 'freeNow' | 'openNow' | 'DC' | 'AC' | 'favouritesOnly'

export type QuestionName = keyof ChargerQuestions
export type AsksOf<Name extends QuestionName> = ChargerQuestions[Name]['asks']
export type AnswerTo<Name extends QuestionName> = ChargerQuestions[Name]['answer']

export type Question = { [Name in QuestionName]: { id: number; name: Name; asks: AsksOf<Name> } }[QuestionName]
export type Reply = { id: number } & ({ ok: true; answer: unknown } | { ok: false; message: string })
