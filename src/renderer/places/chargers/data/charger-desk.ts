import tzLookup from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../../../shared/charger.ts'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { facets, type Facet } from '../../../../shared/chargers/facets.ts'
import { filterTest, NO_FILTER, type Bounds, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import { prepare, type PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { searchAirfields, searchIndex, type SearchIndex } from '../../../../shared/chargers/search.ts'
import { sortChargers, type ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { straightened } from '../../../../shared/chargers/straight-text.ts'
import { offsetMsAt } from '../../../../shared/chargers/zone-days.ts'
import { exportText } from './export-text.ts'
import { lookOf } from './marker.ts'
import type { AnswerTo, ChargerQuery, ChargerRow, ExportFormat, FacetName, Found, QuickFilter } from './protocol.ts'
import { MarkerIndex, sitesOf, type Site } from './sites.ts'

const MAX_SUGGESTIONS = 8

/** Holds the chargers and answers what the page asks of them. All that takes time with many chargers is kept until it changes. */
export class ChargerDesk {
  readonly #now: () => number
  #prepared: readonly PreparedCharger[] = []
  #sites: readonly Site[] = []
  #siteOf: readonly Site[] = []
  #memberOf = new Map<number, number>()
  #unseen: ReadonlySet<number> = new Set()
  #search: SearchIndex | null = null
  #query: ChargerQuery = { filter: NO_FILTER, order: { by: 'airfield' }, from: null }
  /** All chargers in the order of the list; null when that has to be found again. */
  #ordered: readonly PreparedCharger[] | null = null
  #matches: readonly PreparedCharger[] = []
  /** One for each charger of the set: 1 when the filter lets it through. */
  #isMatch = new Uint8Array(0)
  #markers: MarkerIndex | null = null
  #round = 0
  #mapRound = 0

  constructor(now: () => number) {
    this.#now = now
  }

  load(chargers: readonly ChargePoint[], unseen: readonly number[], favourites: readonly number[]): void {
    const marked = new Set(favourites)
    this.#prepared = chargers.map((charger) => ({
      ...prepare(charger, tzLookup, marked),
      charger: straightened(charger),
    }))
    this.#memberOf = new Map(this.#prepared.map(({ charger: { id } }, member) => [id, member]))
    this.#unseen = new Set(unseen)
    this.#sites = sitesOf(this.#prepared)
    const siteOf: Site[] = []
    for (const site of this.#sites) for (const member of site.members) siteOf[member] = site
    this.#siteOf = siteOf
    this.#search = null
    this.#ordered = null
    this.#find()
  }

  setFavourites(ids: readonly number[]): void {
    const marked = new Set(ids)
    for (const one of this.#prepared) one.favourite = marked.has(one.charger.id)
    this.#find()
  }

  query(query: ChargerQuery): Found {
    const isSameFilter = JSON.stringify(query.filter) === JSON.stringify(this.#query.filter)
    if (!isSameOrder(query.order, this.#query.order)) this.#ordered = null
    this.#query = query
    // Who is open changes by itself.
    return isSameFilter && !query.filter.openNow ? this.#list() : this.#find()
  }

  #find(): Found {
    this.#mapRound += 1
    this.#markers = null
    const passes = filterTest(this.#query.filter, this.#now())
    this.#isMatch = Uint8Array.from(this.#prepared, (one) => (passes(one) ? 1 : 0))
    return this.#list()
  }

  /** What was found, in order. */
  #list(): Found {
    this.#round += 1
    this.#ordered ??= sortChargers(this.#prepared, this.#query.order)
    this.#matches = this.#ordered.filter(({ charger }) => this.#isMatch[this.#memberOf.get(charger.id) ?? 0] === 1)
    const matches = this.#matches.length
    const unplaced = this.#matches.reduce((sum, { vector }) => sum + (vector === null ? 1 : 0), 0)
    return { round: this.#round, mapRound: this.#mapRound, matches, total: this.#prepared.length, unplaced }
  }

  rows(from: number, to: number): AnswerTo<'rows'> {
    const start = Math.max(0, from)
    return { round: this.#round, from: start, rows: this.#matches.slice(start, to).map((one) => this.#row(one)) }
  }

  markers(bounds: Bounds, zoom: number): AnswerTo<'markers'> {
    return { round: this.#round, zoom, markers: this.#index().within(bounds, zoom) }
  }

  #index(): MarkerIndex {
    return (this.#markers ??= new MarkerIndex(this.#sites, this.#prepared, (member) => this.#isMatch[member] === 1))
  }

  expand(cluster: number): number {
    return this.#index().expansionZoom(cluster)
  }

  /** Values with how many chargers have them among those that pass all *other* filters: what choosing them would give. */
  facet(name: FacetName): Facet[] {
    return facets(this.#passing({ [name]: [] }))[name]
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

  #passing(change: Partial<ChargerFilter>): PreparedCharger[] {
    return this.#prepared.filter(filterTest({ ...this.#query.filter, ...change }, this.#now()))
  }

  detail(id: number): AnswerTo<'detail'> {
    const member = this.#memberOf.get(id)
    const one = member === undefined ? undefined : this.#prepared[member]
    const site = member === undefined ? undefined : this.#siteOf[member]
    if (one === undefined || site === undefined) return null
    const { charger, country, zone, week, live } = one
    return {
      ...{ row: this.#row(one), charger, country, zone, week, disagreement: live.disagreement },
      offsetMs: zone === null ? null : offsetMsAt(zone, this.#now()),
      atSite: site.members.length,
    }
  }

  site(key: string): AnswerTo<'site'> {
    const site = this.#sites.find((one) => one.key === key)
    if (site === undefined) return null
    const found = site.members.filter((member) => this.#isMatch[member] === 1)
    const { icao, airfield, at, members } = site
    const rows = found.map((member) => this.#row(this.#prepared[member]!))
    return { icao, airfield, at, rows, hidden: members.length - found.length }
  }

  position(id: number): number {
    return this.#matches.findIndex(({ charger }) => charger.id === id)
  }

  suggest(text: string): AnswerTo<'suggest'> {
    this.#search ??= searchIndex(this.#prepared.map(({ charger }) => charger))
    return searchAirfields(this.#search, text, MAX_SUGGESTIONS)
  }

  export(format: ExportFormat, sample: boolean): { type: string; text: string } {
    return exportText(
      this.#matches.map(({ charger }) => charger),
      format,
      sample,
    )
  }

  #row({ charger, power, week, zone, favourite, vector, syncedAtMs }: PreparedCharger): ChargerRow {
    const { id, icao, airfield, liveState, type, kw, connectors, location } = charger
    const at = vector === null || location === null ? null : { lat: location.lat, lng: location.lng }
    return {
      site: this.#siteOf[this.#memberOf.get(id) ?? 0]?.key ?? '',
      ...{
        id,
        icao,
        airfield,
        look: lookOf(charger),
        liveState,
        syncedAtMs,
        type,
        power,
        kw,
        connectors,
        favourite,
        at,
      },
      opening: openingStatus(week, zone, this.#now()),
      distanceNm: distanceNm(at, this.#query.from),
      unseen: this.#unseen.has(id),
    }
  }
}

function isSameOrder(one: ChargerOrder, other: ChargerOrder): boolean {
  if (one.by !== 'distance' || other.by !== 'distance') return one.by === other.by
  return one.from.lat === other.from.lat && one.from.lng === other.from.lng
}
