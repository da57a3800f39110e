import tzLookup from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../../../shared/charger.ts'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { facets, type Facet } from '../../../../shared/chargers/facets.ts'
import { filterTest, NO_FILTER, type Bounds, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { qualityList, type ChargerQuality } from '../../../../shared/chargers/field-quality.ts'
import { fold } from '../../../../shared/chargers/fold.ts'
import { isAhead, liveStatusOf, nextLiveTurnMs } from '../../../../shared/chargers/live-state.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import { prepare, type PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { fitTest, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { searchAirfields, searchIndex, type SearchIndex } from '../../../../shared/chargers/search.ts'
import { sortChargers, type ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { straightened } from '../../../../shared/chargers/straight-text.ts'
import { offsetMsAt } from '../../../../shared/chargers/zone-days.ts'
import { exportText } from './export-text.ts'
import { markerStyleOf } from './marker.ts'
import type { AnswerTo, ChargerQuery, ChargerRow, ExportFormat, FacetName, Found, QuickFilter } from './protocol.ts'
import { MarkerClusters, sitesOf, type Site } from './marker-clusters.ts'

const MAX_SUGGESTIONS = 8

/** A charger as the desk holds it, with its place in the set. */
export interface Held extends PreparedCharger {
  member: number
}

const NOBODYS: ReadonlySet<number> = new Set()

export function held(charger: ChargePoint, member: number): Held {
  return { ...prepare(charger, tzLookup, NOBODYS), charger: straightened(charger), member }
}

/** Holds the chargers and answers what the page asks of them. All that takes time with many chargers is kept until it changes. */
export class ChargerDesk {
  readonly #now: () => number
  #all: readonly Held[] = []
  #favourites: ReadonlySet<number> = new Set()
  #aircraft: Pick<Aircraft, 'connectors' | 'types'> | null = null
  #sites: readonly Site[] = []
  #siteOf: readonly Site[] = []
  #memberOf = new Map<number, number>()
  #unseen: ReadonlySet<number> = new Set()
  #search: SearchIndex | null = null
  #query: ChargerQuery = { filter: NO_FILTER, order: { by: 'airfield' }, from: null }
  /** All chargers, by their places in the set, in the order of the list; null when that has to be found again. */
  #ordered: Uint32Array | null = null
  /** What the filter lets through, in the same way. */
  #matches = new Uint32Array(0)
  /** Places in the set of those that no map can show. */
  #unplaced: readonly number[] = []
  /** One for each charger of the set: 1 when the filter lets it through. */
  #isMatch = new Uint8Array(0)
  /** Of what was found when markers were asked for last; others may have been found since. */
  #markers: MarkerClusters | null = null
  #areMarkersOld = true
  /** When a live state begins or ceases to be of now. */
  #liveTurnMs = Infinity
  #round = 0
  #mapRound = 0

  constructor(now: () => number) {
    this.#now = now
  }

  load(all: readonly Held[], unseen: readonly number[]): void {
    this.#all = all
    this.#markFavourites()
    this.#markFits()
    this.#memberOf = new Map(all.map(({ charger: { id }, member }) => [id, member]))
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
  }

  query(query: ChargerQuery): Found {
    const before = this.#query
    const isSameFilter = JSON.stringify(query.filter) === JSON.stringify(before.filter)
    const isOtherOrder = !isSameOrder(query.order, before.order)
    if (isOtherOrder) this.#ordered = null
    this.#query = query
    // Who is open changes by itself, and which live states are of now.
    if (query.filter.openNow || this.#now() >= this.#liveTurnMs) return this.#find()
    if (isSameFilter) return this.#list()
    return this.#find(!isOtherOrder && isNarrower(query.filter, before.filter))
  }

  /** `isNarrower`: only what was found before can be found, in the same order. */
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

  /** What was found, in order. */
  #list(among = this.#order()): Found {
    this.#round += 1
    const isMatch = this.#isMatch
    this.#matches = among.filter((member) => isMatch[member] === 1)
    let unplaced = 0
    for (const member of this.#unplaced) unplaced += isMatch[member] ?? 0
    const { length: matches } = this.#matches
    return { round: this.#round, mapRound: this.#mapRound, matches, total: this.#all.length, unplaced }
  }

  rows(from: number, to: number): AnswerTo<'rows'> {
    const start = Math.max(0, from)
    return {
      round: this.#round,
      from: start,
      rows: this.#held(this.#matches.subarray(start, to)).map((one) => this.#row(one)),
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

  /** Of a cluster among the markers that were asked for last. */
  expand(cluster: number): number {
    return (this.#markers ?? this.#index()).expansionZoom(cluster)
  }

  /** Values with how many chargers have them among those that pass all *other* filters: what choosing them would give. */
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

  #passing(change: Partial<ChargerFilter>): Held[] {
    return this.#all.filter(filterTest({ ...this.#query.filter, ...change }, this.#now()))
  }

  detail(id: number): AnswerTo<'detail'> {
    const member = this.#memberOf.get(id)
    const one = member === undefined ? undefined : this.#all[member]
    const site = member === undefined ? undefined : this.#siteOf[member]
    if (one === undefined || site === undefined) return null
    const { charger, country, zone, zoneFrom, week, placeDoubt } = one
    return {
      row: this.#row(one),
      charger,
      country,
      zone,
      zoneFrom,
      week,
      disagreement: liveStatusOf(one, this.#now()).disagreement,
      offsetMs: zone === null ? null : offsetMsAt(zone, this.#now()),
      atSite: site.members.length,
      placeDoubt,
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

  /** Does now what a person would otherwise wait for while typing. */
  makeReady(): void {
    this.#airfields()
  }

  export(format: ExportFormat, sample: boolean): { type: string; text: string } {
    return exportText(
      this.#held(this.#matches).map(({ charger }) => charger),
      format,
      { sample, nowMs: this.#now() },
    )
  }

  quality(): ChargerQuality[] {
    return qualityList(this.#held(this.#matches), this.#now())
  }

  #held(members: Iterable<number>): Held[] {
    return Array.from(members, (member) => this.#all[member]!)
  }

  #row(one: Held): ChargerRow {
    const { charger, member, power, week, zone, favourite, vector, syncedAtMs } = one
    const nowMs = this.#now()
    const { id, icao, airfield, liveState, type, kw, connectors, location } = charger
    const at = vector === null || location === null ? null : { lat: location.lat, lng: location.lng }
    return {
      site: this.#siteOf[member]?.key ?? '',
      id,
      icao,
      airfield,
      look: markerStyleOf(one, nowMs),
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
      distanceNm: distanceNm(at, this.#query.from),
      unseen: this.#unseen.has(id),
    }
  }
}

/** Only more has been typed: what was found then holds all that can be found now. */
function isNarrower(filter: ChargerFilter, before: ChargerFilter): boolean {
  // As it is compared: a capital sigma reads otherwise once a letter follows it.
  if (!fold(filter.search).startsWith(fold(before.search))) return false
  return JSON.stringify({ ...filter, search: '' }) === JSON.stringify({ ...before, search: '' })
}

function isSameOrder(one: ChargerOrder, other: ChargerOrder): boolean {
  if (one.by !== 'distance' || other.by !== 'distance') return one.by === other.by
  return one.from.lat === other.from.lat && one.from.lng === other.from.lng
}
