import tzLookup from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { chargerNames, withPlace } from '../../../../shared/chargers/exports/charger-texts.ts'
import { facet, type Facet, type FacetName } from '../../../../shared/chargers/facets.ts'
import { filterTest, NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { liveStatusOf, nextLiveTurnMs } from '../../../../shared/chargers/live-state.ts'
import { prepare } from '../../../../shared/chargers/prepare.ts'
import { fitTest, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import type { Arrival } from '../../../../shared/chargers/route/arrival.ts'
import {
  searchAirfields,
  searchIndex,
  type FoundAirfield,
  type SearchIndex,
} from '../../../../shared/chargers/search.ts'
import { sortChargers, type ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { straightened } from '../../../../shared/chargers/straight-text.ts'
import { chargersAt, type Waypoint } from '../../../../shared/chargers/waypoints.ts'
import { offsetMsAt } from '../../../../shared/chargers/zone-days.ts'
import { Clusters } from './clusters.ts'
import { exportText, type ExportFormat } from './export-text.ts'
import { nextTask } from './next-task.ts'
import { rowOf, type ChargerDetail, type ChargerRow, type Member, type SiteDetail } from './row.ts'
import { siteMarker, sitesOf, type Site } from './sites.ts'

const MAX_SUGGESTIONS = 8
const NOBODYS: ReadonlySet<number> = new Set()

export interface ChargerQuery {
  filter: ChargerFilter
  order: ChargerOrder
  /** The reference point for distances; null: no distances. */
  from: Point | null
  /** The arrival for which opening hours are returned, besides now. */
  arrival: Arrival | null
}

export interface Found {
  /** Increases when the matches or their order may have changed. */
  round: number
  /** Increases when the matches, or how they look, may have changed: not with their order. */
  mapRound: number
  matches: number
  total: number
  /** Matches without a usable position, which only the list shows. */
  unplaced: number
  /** Favourites that are not in the set. */
  goneFavourites: readonly number[]
}

export function asMember(charger: ChargePoint, member: number): Member {
  return { ...prepare(charger, tzLookup, NOBODYS), charger: straightened(charger), member }
}

/** All chargers, and what of them is found. */
export class ChargerSet {
  readonly #now: () => number
  #all: readonly Member[] = []
  #unseen: ReadonlySet<number> = new Set()
  #sites: readonly Site[] = []
  #siteOf: readonly Site[] = []
  #memberOf = new Map<number, number>()
  #airfields: SearchIndex = []
  #favourites: ReadonlySet<number> = new Set()
  #aircraft: Pick<Aircraft, 'connectors' | 'types'> | null = null
  #query: ChargerQuery = { filter: NO_FILTER, order: { by: 'airfield' }, from: null, arrival: null }
  #filter = ''
  /** When a live state next becomes current or stops being so. */
  #liveTurnMs = Infinity
  #ordered: readonly Member[] | null = null
  #isMatch = new Uint8Array(0)
  #matches: readonly Member[] = []
  /** Made in this round. */
  readonly #rows = new Map<number, ChargerRow>()
  readonly #facets = new Map<FacetName, readonly Facet[]>()
  #round = 0
  #mapRound = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Takes the place of what there was, task by task. */
  async take(all: readonly Member[], unseen: readonly number[]): Promise<void> {
    // A refresh seldom moves a charger, and this takes longest.
    const isSame = all.length === this.#all.length && all.every((one, at) => isSamePlace(one, this.#all[at]!))
    const sites = isSame ? this.#sites : sitesOf(all)
    await nextTask()
    const airfields = isSame ? this.#airfields : searchIndex(all)
    await nextTask()
    this.#all = all
    this.#unseen = new Set(unseen)
    this.#sites = sites
    this.#airfields = airfields
    this.#memberOf = new Map(all.map(({ charger: { id }, member }) => [id, member]))
    const siteOf: Site[] = []
    for (const site of sites) for (const member of site.members) siteOf[member] = site
    this.#siteOf = siteOf
    this.setFavourites([...this.#favourites])
    this.setAircraft(this.#aircraft)
  }

  /** `find` has to be called again after this, as after `take`. */
  setFavourites(ids: readonly number[]): void {
    this.#favourites = new Set(ids)
    for (const one of this.#all) one.favourite = this.#favourites.has(one.charger.id)
    this.#isOld()
  }

  setAircraft(aircraft: Pick<Aircraft, 'connectors' | 'types'> | null): void {
    this.#aircraft = aircraft
    const fitOf = aircraft === null ? () => null : fitTest(aircraft)
    for (const one of this.#all) one.fit = fitOf(one)
    this.#isOld()
  }

  #isOld(): void {
    this.#filter = ''
    this.#ordered = null
  }

  find(query: ChargerQuery): Found {
    const nowMs = this.#now()
    const { filter } = query
    const isOther = JSON.stringify(filter) !== this.#filter
    // Opening hours and the age of live states change what is found without another question.
    const isTimed = filter.openNow || filter.openAt?.by === 'flight'
    if (JSON.stringify(query.order) !== JSON.stringify(this.#query.order)) this.#ordered = null
    this.#query = query
    if (isOther || isTimed || nowMs >= this.#liveTurnMs) {
      this.#filter = JSON.stringify(filter)
      this.#mapRound += 1
      this.#facets.clear()
      this.#liveTurnMs = nextLiveTurnMs(this.#all, nowMs)
      const passes = filterTest(filter, nowMs)
      this.#isMatch = Uint8Array.from(this.#all, (one) => Number(passes(one)))
    }
    this.#ordered ??= sortChargers(this.#all, query.order, nowMs)
    this.#matches = this.#ordered.filter(({ member }) => this.#isMatch[member] === 1)
    this.#rows.clear()
    this.#round += 1
    return {
      round: this.#round,
      mapRound: this.#mapRound,
      matches: this.#matches.length,
      total: this.#all.length,
      unplaced: this.#matches.reduce((sum, { place }) => sum + Number(place === null), 0),
      goneFavourites: [...this.#favourites].filter((id) => !this.#memberOf.has(id)),
    }
  }

  /** The row of a match; null beyond the last. */
  row(index: number): ChargerRow | null {
    const one = this.#matches[index]
    if (one === undefined) return null
    const row = this.#rows.get(index) ?? this.#row(one)
    this.#rows.set(index, row)
    return row
  }

  #row(one: Member): ChargerRow {
    const unseen = this.#unseen.has(one.charger.id)
    return rowOf(one, this.#query, { site: this.#siteOf[one.member]?.key ?? '', unseen, nowMs: this.#now() })
  }

  /** What is found as markers; null when something else was asked for meanwhile. */
  async clusters(): Promise<Clusters | null> {
    const round = this.#mapRound
    const isFound = (member: number) => this.#isMatch[member] === 1
    const nowMs = this.#now()
    const markers = this.#sites.flatMap((site) => siteMarker(site, this.#all, isFound, nowMs) ?? [])
    if (markers.length > MANY_MARKERS) await nextTask()
    return Clusters.of(markers, () => round !== this.#mapRound)
  }

  /** Each value with the number of chargers that have it and match all *other* filters: what choosing it would give. */
  facet(name: FacetName): readonly Facet[] {
    const nowMs = this.#now()
    const passes = filterTest({ ...this.#query.filter, [name]: [] }, nowMs)
    const counted = this.#facets.get(name) ?? facet(name, this.#all.filter(passes), nowMs)
    this.#facets.set(name, counted)
    return counted
  }

  detail(id: number): ChargerDetail | null {
    const prepared = this.#all[this.#memberOf.get(id) ?? -1]
    if (prepared === undefined) return null
    const { charger, zone, member } = prepared
    return {
      row: this.#row(prepared),
      charger,
      prepared,
      disagreement: liveStatusOf(prepared, this.#now()).disagreement,
      offsetMs: zone === null ? null : offsetMsAt(zone, this.#now()),
      atSite: this.#siteOf[member]?.members.length ?? 0,
    }
  }

  /** `key`: of one site, or of several that stand in one place, with commas. */
  site(key: string): SiteDetail | null {
    const sites = key.split(',').flatMap((part) => this.#sites.find((one) => one.key === part) ?? [])
    const [first] = sites
    if (first === undefined) return null
    const members = sites.flatMap((site) => site.members)
    const found = members.filter((member) => this.#isMatch[member] === 1)
    const rows = found.map((member) => this.#row(this.#all[member]!))
    const name = sites.length === 1 ? first : { icao: null, airfield: null }
    return { icao: name.icao, airfield: name.airfield, at: first.at, rows, hidden: members.length - found.length }
  }

  suggest(text: string): FoundAirfield[] {
    return searchAirfields(this.#airfields, text, MAX_SUGGESTIONS)
  }

  /** The filtered chargers or all favourites, in list order; `unplaced`: how many of them have no position. */
  export(of: 'matches' | 'favourites', format: ExportFormat, sample: boolean) {
    const listed = of === 'matches' ? this.#matches : (this.#ordered ?? []).filter(({ favourite }) => favourite)
    const chargers = listed.map(({ charger }) => charger)
    const unplaced = chargers.length - withPlace(chargers).length
    return { ...exportText(chargers, format, { sample, nowMs: this.#now() }), count: chargers.length, unplaced }
  }

  /** The chargers that waypoints of a file mean, by their names, and the waypoints without any. */
  waypoints(waypoints: readonly Waypoint[]): { chargers: { id: number; name: string }[]; unknown: string[] } {
    const all = this.#all.map(({ charger }) => charger)
    const { chargers, unknown } = chargersAt(waypoints, all)
    const names = chargerNames(chargers)
    return { chargers: chargers.map(({ id }, at) => ({ id, name: names[at] ?? '' })), unknown }
  }
}

const MANY_MARKERS = 5000

function isSamePlace({ charger: one }: Member, { charger: other }: Member): boolean {
  return (
    one.id === other.id &&
    one.icao === other.icao &&
    one.airfield === other.airfield &&
    one.location?.lat === other.location?.lat &&
    one.location?.lng === other.location?.lng &&
    one.location?.source === other.location?.source
  )
}
