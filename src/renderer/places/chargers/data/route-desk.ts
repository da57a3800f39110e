import { liveClassOf, nextLiveTurnMs } from '../../../../shared/chargers/live-state.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { usableNm } from '../../../../shared/chargers/route/aircraft.ts'
import {
  findRoutes,
  planRoutes,
  type FoundRoutes,
  type RouteAnswer,
} from '../../../../shared/chargers/route/plan-routes.ts'
import type { OwnPlace } from '../../../../shared/chargers/route/own-places.ts'
import { readPlace, routePlaces, type PlaceAnswer } from '../../../../shared/chargers/route/read-place.ts'
import { routeNetwork, type LeftOut, type RouteNetwork } from '../../../../shared/chargers/route/route-network.ts'
import { requestOfPlan, type RoutePlan, type RouteRequest } from '../../../../shared/chargers/route/route-plan.ts'
import type { SearchIndex } from '../../../../shared/chargers/search.ts'

export interface PlannedAnswer {
  answer: RouteAnswer
  leftOut: LeftOut
}

/** A network of many chargers takes longer to build than to search, and of many a state runs out every second. */
const KEPT_FOR_MS = 60_000

/**
 * Plans routes over the chargers. The network is built once per aircraft, and again within a minute of a charger starting or ceasing
 * to be out of order. A search result is kept until the question or the network changes; only the times are computed again.
 */
export class RouteDesk {
  readonly #now: () => number
  readonly #find: typeof findRoutes
  #all: readonly PreparedCharger[] = []
  #unseen: ReadonlySet<number> = new Set()
  #places: SearchIndex | null = null
  #made: { key: string; untilMs: number; network: RouteNetwork } | null = null
  #found: { key: string; network: RouteNetwork; routes: FoundRoutes } | null = null

  constructor(now: () => number, search = findRoutes) {
    this.#now = now
    this.#find = search
  }

  /** `unseen`: ids of those that the last refresh did not list, though it could not prove them gone. */
  load(all: readonly PreparedCharger[], unseen: readonly number[] = []): void {
    this.#all = all
    this.#unseen = new Set(unseen)
    this.#places = null
    this.#made = null
    this.#found = null
  }

  place(text: string, own: readonly OwnPlace[] = []): PlaceAnswer {
    this.#places ??= routePlaces(this.#all)
    return readPlace(this.#places, text, own)
  }

  /** Null for an incomplete plan. */
  plan(plan: RoutePlan): PlannedAnswer | null {
    const nowMs = this.#now()
    const request = requestOfPlan(plan, nowMs)
    if (request === null) return null
    const network = this.#network(plan, nowMs)
    return { answer: planRoutes(network, request, this.#search(network, request)), leftOut: network.leftOut }
  }

  #search(network: RouteNetwork, request: RouteRequest): FoundRoutes {
    const { departMs: _departMs, nowMs: _nowMs, ...question } = request
    const key = JSON.stringify(question)
    if (this.#found === null || this.#found.key !== key || this.#found.network !== network)
      this.#found = { key, network, routes: this.#find(network, request) }
    return this.#found.routes
  }

  #network({ aircraft, takeFitNotKnown, avoid }: RoutePlan, nowMs: number): RouteNetwork {
    const { connectors, types, maxKw } = aircraft
    const key = JSON.stringify([connectors, types, usableNm(aircraft), maxKw, takeFitNotKnown, avoid])
    if (this.#made === null || this.#made.key !== key || nowMs >= this.#made.untilMs) {
      const network = routeNetwork(this.#all, {
        aircraft,
        takeFitNotKnown,
        avoid: new Set(avoid),
        unseen: this.#unseen,
        nowMs,
      })
      const broken = this.#all.filter(({ charger }) => liveClassOf(charger.liveState) === 'broken')
      const untilMs = Math.max(nextLiveTurnMs(broken, nowMs), nowMs + KEPT_FOR_MS)
      this.#made = { key, untilMs, network }
    }
    return this.#made.network
  }
}
