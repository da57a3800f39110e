import tzLookup from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import { chargerNames, withPlace } from '../../../../shared/chargers/exports/charger-texts.ts'
import { chargersAt, type Waypoint } from '../../../../shared/chargers/waypoints.ts'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { facets, type Facet } from '../../../../shared/chargers/facets.ts'
import { filterTest, NO_FILTER, type Bounds, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { fold } from '../../../../shared/chargers/fold.ts'
import { isAhead, liveStatusOf, nextLiveTurnMs } from '../../../../shared/chargers/live-state.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import { prepare, type PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { fitTest, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { arrivalTimes, openingAt, type ArrivalOpening } from '../../../../shared/chargers/route/arrival.ts'
import { searchAirfields, searchIndex, type SearchIndex } from '../../../../shared/chargers/search.ts'
import { sortChargers, type ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { straightened } from '../../../../shared/chargers/straight-text.ts'
import { offsetMsAt } from '../../../../shared/chargers/zone-days.ts'
import { exportText } from './export-text.ts'
import { markerStyleOf } from './marker.ts'
import type { AnswerTo, AsksOf, ChargerQuery, ChargerRow, FacetName, Found, QuickFilter } from './protocol.ts'
import { MarkerClusters, sitesOf, type Site } from './marker-clusters.ts'

const MAX_SUGGESTIONS = 8

/** A charger with its index in the set. */
export interface Member extends PreparedCharger {
  member: number
}

const NOBODYS: ReadonlySet<number> = new Set()

export function asMember(charger: ChargePoint, member: number): Member {
  return { ...prepare(charger, tzLookup, NOBODYS), charger: straightened(charger), member }
}

/** Holds the chargers and answers the page's questions. Whatever is slow with many chargers is cached until it changes. */
export class ChargerDesk {
  readonly #now: () => number
  #all: readonly Member[] = []
  #favourites: ReadonlySet<number> = new Set()
  #goneFavourites: readonly number[] = []
  #aircraft: Pick<Aircraft, 'connectors' | 'types'> | null = null
  #sites: readonly Site[] = []
  #siteOf: readonly Site[] = []
  #memberOf = new Map<number, number>()
  #unseen: ReadonlySet<number> = new Set()
  #search: SearchIndex | null = null
  #query: ChargerQuery = { filter: NO_FILTER, order: { by: 'airfield' }, from: null, arrival: null }
  /** All chargers as indexes into the set, in list order; null when it has to be recomputed. */
  #ordered: Uint32Array | null = null
  /** The chargers that match the filter, likewise. */
  #matches = new Uint32Array(0)
  /** Indexes of matches without a usable position, which the map cannot show. */
  #unplaced: readonly number[] = []
  /** One entry per charger of the set: 1 if it matches the filter. */
  #isMatch = new Uint8Array(0)
  /** From the last request for markers; the matches may have changed since. */
  #markers: MarkerClusters | null = null
  #areMarkersOld = true
  /** When the next live state becomes current or stops being current. */
  #liveTurnMs = Infinity
  #round = 0
  #mapRound = 0

  constructor(now: () => number) {
    this.#now = now
  }

  load(all: readonly Member[], unseen: readonly number[]): void {
    this.#all = all
    this.#memberOf = new Map(all.map(({ charger: { id }, member }) => [id, member]))
    this.#markFavourites()
    this.#markFits()
    this.#unseen = new Set(unseen)
    this.#unplaced = all.filter(({ vector }) => vector === null).map(({ member }) => member)
    this.#sites = sitesOf(all)
    const siteOf: Site[] = []
    for (const site of this.#sites) for (const member of site.members) siteOf[member] = site
    this.#siteOf = siteOf
    this.#search = null
    this.#ordered = null
    this.#find()
  }

  setFavourites(ids: readonly number[]): void {
    this.#favourites = new Set(ids)
    this.#markFavourites()
    this.#find()
  }

  setAircraft(aircraft: Pick<Aircraft, 'connectors' | 'types'> | null): void {
    this.#aircraft = aircraft
    this.#markFits()
    this.#find()
  }

  #markFits(): void {
    const fitOf = this.#aircraft === null ? () => null : fitTest(this.#aircraft)
    for (const one of this.#all) one.fit = fitOf(one)
  }

  #markFavourites(): void {
    for (const one of this.#all) one.favourite = this.#favourites.has(one.charger.id)
    this.#goneFavourites = [...this.#favourites].filter((id) => !this.#memberOf.has(id))
  }

  query(query: ChargerQuery): Found {
    const before = this.#query
    const isSameFilter = JSON.stringify(query.filter) === JSON.stringify(before.filter)
    const isOtherOrder = !isSameOrder(query.order, before.order)
    if (isOtherOrder) this.#ordered = null
    this.#query = query
    // Opening hours and the age of live states change the result without a new query.
    const isTimed = query.filter.openNow || query.filter.openAt?.by === 'flight'
    if (isTimed || this.#now() >= this.#liveTurnMs) return this.#find()
    if (isSameFilter) return this.#list()
    return this.#find(!isOtherOrder && isNarrower(query.filter, before.filter))
  }

  /** `isNarrower`: the result is a subset of the previous one, in the same order. */
  #find(isNarrower = false): Found {
    this.#mapRound += 1
    this.#areMarkersOld = true
    const nowMs = this.#now()
    this.#liveTurnMs = nextLiveTurnMs(this.#all, nowMs)
    const passes = filterTest(this.#query.filter, nowMs)
    const was = this.#isMatch
    this.#isMatch = new Uint8Array(this.#all.length)
    this.#all.forEach((one, member) => {
      if ((!isNarrower || was[member] === 1) && passes(one)) this.#isMatch[member] = 1
    })
    return this.#list(isNarrower ? this.#matches : this.#order())
  }

  #order(): Uint32Array {
    return (this.#ordered ??= Uint32Array.from(
      sortChargers(this.#all, this.#query.order, this.#now()),
      ({ member }) => member,
    ))
  }

  /** The matches, in list order. */
  #list(among = this.#order()): Found {
    this.#round += 1
    const isMatch = this.#isMatch
    this.#matches = among.filter((member) => isMatch[member] === 1)
    let unplaced = 0
    for (const member of this.#unplaced) unplaced += isMatch[member] ?? 0
    const { length: matches } = this.#matches
    const [total, goneFavourites] = [this.#all.length, this.#goneFavourites]
    return { round: this.#round, mapRound: this.#mapRound, matches, total, unplaced, goneFavourites }
  }

  rows(from: number, to: number): AnswerTo<'rows'> {
    const start = Math.max(0, from)
    return {
      round: this.#round,
      from: start,
      rows: this.#members(this.#matches.subarray(start, to)).map((one) => this.#row(one)),
    }
  }

  markers(bounds: Bounds, zoom: number): AnswerTo<'markers'> {
    return { round: this.#round, zoom, markers: this.#index().within(bounds, zoom) }
  }

  #index(): MarkerClusters {
    if (this.#markers === null || this.#areMarkersOld) {
      this.#markers = new MarkerClusters(this.#sites, this.#all, (member) => this.#isMatch[member] === 1, this.#now())
      this.#areMarkersOld = false
    }
    return this.#markers
  }

  /** `cluster` is from the last request for markers. */
  expand(cluster: number): number {
    return (this.#markers ?? this.#index()).expansionZoom(cluster)
  }

  /** Each value with the number of chargers that have it and match all *other* filters: what choosing it would give. */
  facet(name: FacetName): Facet[] {
    return facets(this.#passing({ [name]: [] }), this.#now())[name]
  }

  quick(): Record<QuickFilter, number> {
    const count = (change: Partial<ChargerFilter>) => this.#passing(change).length
    return {
      freeNow: count({ freeNow: true }),
      openNow: count({ openNow: true }),
      DC: count({ current: ['DC'] }),
      AC: count({ current: ['AC'] }),
      favouritesOnly: count({ favouritesOnly: true }),
    }
  }

  #passing(change: Partial<ChargerFilter>): Member[] {
    return this.#all.filter(filterTest({ ...this.#query.filter, ...change }, this.#now()))
  }

  detail(id: number): AnswerTo<'detail'> {
    const member = this.#memberOf.get(id)
    const one = member === undefined ? undefined : this.#all[member]
    const site = member === undefined ? undefined : this.#siteOf[member]
    if (one === undefined || site === undefined) return null
    const { charger, country, zone, week } = one
    return {
      row: this.#row(one),
      charger,
      country,
      zone,
      week,
      disagreement: liveStatusOf(one, this.#now()).disagreement,
      offsetMs: zone === null ? null : offsetMsAt(zone, this.#now()),
      atSite: site.members.length,
    }
  }

  site(key: string): AnswerTo<'site'> {
    const site = this.#sites.find((one) => one.key === key)
    if (site === undefined) return null
    const found = site.members.filter((member) => this.#isMatch[member] === 1)
    const { icao, airfield, at, members } = site
    const rows = found.map((member) => this.#row(this.#all[member]!))
    return { icao, airfield, at, rows, hidden: members.length - found.length }
  }

  position(id: number): number {
    const member = this.#memberOf.get(id)
    return member === undefined ? -1 : this.#matches.indexOf(member)
  }

  suggest(text: string): AnswerTo<'suggest'> {
    return searchAirfields(this.#airfields(), text, MAX_SUGGESTIONS)
  }

  #airfields(): SearchIndex {
    return (this.#search ??= searchIndex(this.#all))
  }

  /** Precomputes what a person would otherwise wait for while typing. */
  makeReady(): void {
    this.#airfields()
  }

  export({ of, format, sample }: AsksOf<'export'>): AnswerTo<'export'> {
    const listed = of === 'matches' ? this.#matches : this.#order().filter((member) => this.#all[member]!.favourite)
    const chargers = this.#members(listed).map(({ charger }) => charger)
    return {
      ...exportText(chargers, format, { sample, nowMs: this.#now() }),
      count: chargers.length,
      unplaced: chargers.length - withPlace(chargers).length,
    }
  }

  waypoints(waypoints: readonly Waypoint[]): AnswerTo<'waypoints'> {
    const { chargers, unknown } = chargersAt(
      waypoints,
      this.#all.map(({ charger }) => charger),
    )
    const names = chargerNames(chargers)
    return { chargers: chargers.map(({ id }, at) => ({ id, name: names[at] ?? '' })), unknown }
  }

  #members(members: Iterable<number>): Member[] {
    return Array.from(members, (member) => this.#all[member]!)
  }

  #arrival(one: Member, nowMs: number): ArrivalOpening | null {
    const { arrival } = this.#query
    const atMs = arrival === null ? null : arrivalTimes(arrival, nowMs)(one)
    return atMs === null ? null : openingAt(one, atMs)
  }

  #row(one: Member): ChargerRow {
    const { charger, member, power, week, zone, favourite, vector, syncedAtMs } = one
    const nowMs = this.#now()
    const { id, icao, airfield, liveState, type, kw, connectors, location } = charger
    const at = vector === null || location === null ? null : { lat: location.lat, lng: location.lng }
    return {
      site: this.#siteOf[member]?.key ?? '',
      id,
      icao,
      airfield,
      markerStyle: markerStyleOf(one, nowMs),
      liveState,
      syncedAtMs: syncedAtMs === null || isAhead(syncedAtMs, nowMs) ? null : syncedAtMs,
      type,
      power,
      kw,
      connectors,
      favourite,
      fit: one.fit,
      at,
      opening: openingStatus(week, zone, nowMs),
      arrival: this.#arrival(one, nowMs),
      distanceNm: distanceNm(at, this.#query.from),
      unseen: this.#unseen.has(id),
    }
  }
}

/** The search text was only extended, so the new matches are among the previous ones. */
function isNarrower(filter: ChargerFilter, before: ChargerFilter): boolean {
  // Compared after folding: a final sigma changes form once a letter follows it.
  if (!fold(filter.search).startsWith(fold(before.search))) return false
  return JSON.stringify({ ...filter, search: '' }) === JSON.stringify({ ...before, search: '' })
}

function isSameOrder(one: ChargerOrder, other: ChargerOrder): boolean {
  if (one.by !== 'distance' || other.by !== 'distance') return one.by === other.by
  return one.from.lat === other.from.lat && one.from.lng === other.from.lng
}
