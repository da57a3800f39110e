import tzLookup from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import { chargerFile, type FileFormat } from '../../../../shared/chargers/exports/charger-files.ts'
import { withPlace } from '../../../../shared/chargers/exports/charger-texts.ts'
import { facet, filterTest, NO_FILTER } from '../../../../shared/chargers/filter.ts'
import type { ChargerFilter, Facet, FacetName } from '../../../../shared/chargers/filter.ts'
import { groupChargers, type Site } from '../../../../shared/chargers/group.ts'
import { prepare, type PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { fitTest, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import type { OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import { planRoutes, type NoRoute, type PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { readPlace, type PlaceAnswer } from '../../../../shared/chargers/route/read-place.ts'
import { routeNetwork, type LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import { requestOfPlan, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import { searchAirfields, searchIndex, type SearchIndex } from '../../../../shared/chargers/search.ts'
import { sortChargers, type ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { nextTask } from './next-task.ts'
import { Clusters, siteMarker } from './sites.ts'

const MAX_SUGGESTIONS = 8
/** Opening hours and the age of live states change what is found without another question: just under the minute at which that is asked. */
const FOUND_FOR_MS = 55_000

/** The chargers at an airfield, or at several that stand in one place, of which it names the first. */
export interface SiteDetail extends Site {
  found: PreparedCharger[]
  hidden: number
}

export interface Planned {
  routes: readonly PlannedRoute[]
  none: NoRoute | null
  leftOut: LeftOut
}

export interface Found {
  question: string
  atMs: number
  /** Increases when the matches, or how they look, may have changed: not with their order. */
  mapRound: number
  matches: number
  total: number
}

/** Of the set, with the time zone of its place. Its texts come from the service and are untrusted. */
export const prepareCharger = (charger: ChargePoint): PreparedCharger => prepare(charger, tzLookup)

export class ChargerIndex {
  readonly #now: () => number
  #all: readonly PreparedCharger[] = []
  #sites: readonly Site[] = []
  #byId: ReadonlyMap<number, PreparedCharger> = new Map()
  #airfields: SearchIndex = []
  #favourites: ReadonlySet<number> = new Set()
  #aircraft: Pick<Aircraft, 'connectors' | 'types'> | null = null
  #filter: ChargerFilter = NO_FILTER
  #order: ChargerOrder = { by: 'airfield' }
  /** The matches are those of another set, favourites or aircraft. */
  #mustFindAgain = true
  #foundMs = 0
  #ordered: readonly PreparedCharger[] = []
  #matches: readonly PreparedCharger[] = []
  #mapRound = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Takes the place of what there was, task by task. */
  async take(all: readonly PreparedCharger[]): Promise<void> {
    // A refresh seldom moves a charger, and this takes longest.
    const isSame = all.length === this.#all.length && all.every((one, at) => isSamePlace(one, this.#all[at]!))
    const byId = new Map(all.map((one) => [one.charger.id, one]))
    const sites = isSame
      ? this.#sites.map((site) => ({ ...site, members: site.members.map(({ charger }) => byId.get(charger.id)!) }))
      : groupChargers(all)
    await nextTask()
    const airfields = searchIndex(sites)
    await nextTask()
    this.#all = all
    this.#sites = sites
    this.#airfields = airfields
    this.#byId = byId
    for (const { key, members } of sites) for (const one of members) one.site = key
    this.setFavourites([...this.#favourites])
    this.setAircraft(this.#aircraft)
  }

  /** `find` has to be called again after this, as after `take`. */
  setFavourites(ids: readonly number[]): void {
    this.#favourites = new Set(ids)
    for (const one of this.#all) one.favourite = this.#favourites.has(one.charger.id)
    this.#mustFindAgain = true
  }

  setAircraft(aircraft: Pick<Aircraft, 'connectors' | 'types'> | null): void {
    this.#aircraft = aircraft
    const fitOf = aircraft === null ? () => null : fitTest(aircraft)
    for (const one of this.#all) one.fit = fitOf(one)
    this.#mustFindAgain = true
  }

  find(filter: ChargerFilter, order: ChargerOrder): Found {
    const nowMs = this.#now()
    const isOther = this.#mustFindAgain || JSON.stringify(filter) !== JSON.stringify(this.#filter)
    const isOtherOrder = this.#mustFindAgain || JSON.stringify(order) !== JSON.stringify(this.#order)
    this.#filter = filter
    this.#order = order
    this.#mustFindAgain = false
    if (isOther || Math.abs(nowMs - this.#foundMs) >= FOUND_FOR_MS) {
      this.#mapRound += 1
      this.#foundMs = nowMs
      const passes = filterTest(filter, nowMs)
      for (const one of this.#all) one.isFound = passes(one)
    }
    if (isOtherOrder) this.#ordered = sortChargers(this.#all, order)
    this.#matches = this.#ordered.filter(({ isFound }) => isFound)
    return {
      question: JSON.stringify([filter, order]),
      atMs: nowMs,
      mapRound: this.#mapRound,
      matches: this.#matches.length,
      total: this.#all.length,
    }
  }

  row(index: number): PreparedCharger | null {
    return this.#matches[index] ?? null
  }

  /** What is found as markers; null when something else was asked for meanwhile. */
  async clusters(): Promise<Clusters | null> {
    const round = this.#mapRound
    const nowMs = this.#now()
    const markers = this.#sites.flatMap((site) => siteMarker(site, nowMs) ?? [])
    if (markers.length > MANY_MARKERS) await nextTask()
    return round === this.#mapRound ? new Clusters(markers) : null
  }

  /** Each value with the number of chargers that have it and match all *other* filters: what choosing it would give. */
  facet(name: FacetName): readonly Facet[] {
    return facet(name, this.#all.filter(filterTest({ ...this.#filter, [name]: [] }, this.#now())))
  }

  detail(id: number): PreparedCharger | null {
    return this.#byId.get(id) ?? null
  }

  /** `key`: of one site, or of several that stand in one place, with commas. */
  site(key: string): SiteDetail | null {
    const sites = key.split(',').flatMap((part) => this.#sites.find((one) => one.key === part) ?? [])
    const [first] = sites
    if (first === undefined) return null
    const members = sites.flatMap((site) => site.members)
    const found = members.filter(({ isFound }) => isFound)
    return { ...first, found, hidden: members.length - found.length }
  }

  suggest(text: string): Site[] {
    return searchAirfields(this.#airfields, text, MAX_SUGGESTIONS)
  }

  /** What is meant as an end of a route. */
  place(text: string, own: readonly OwnPlace[] = []): PlaceAnswer {
    return readPlace(this.#airfields, text, own)
  }

  /** Plans routes, task by task; null for an incomplete plan. */
  async plan(plan: RoutePlan): Promise<Planned | null> {
    const request = requestOfPlan(plan, this.#now())
    if (request === null) return null
    const network = routeNetwork(this.#sites, request)
    await nextTask()
    const answer = await planRoutes(network, request, nextTask)
    const { leftOut } = network
    return answer.kind === 'routes'
      ? { routes: answer.routes, none: null, leftOut }
      : { routes: [], none: answer, leftOut }
  }

  /** What is found, in list order; `unplaced`: how many of them have no position. */
  export(format: FileFormat, sample: boolean) {
    const chargers = this.#matches.map(({ charger }) => charger)
    const unplaced = chargers.length - withPlace(chargers).length
    const text = chargerFile(format, chargers, { sample, nowMs: this.#now() })
    return { text, count: chargers.length, unplaced }
  }
}

const MANY_MARKERS = 5000

function isSamePlace({ charger: one }: PreparedCharger, { charger: other }: PreparedCharger): boolean {
  return (
    one.id === other.id &&
    one.icao === other.icao &&
    one.airfield === other.airfield &&
    one.location?.lat === other.location?.lat &&
    one.location?.lng === other.location?.lng &&
    one.location?.source === other.location?.source
  )
}
