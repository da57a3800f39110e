import { nextLiveTurnMs } from '../../../../shared/chargers/live-state.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { planRoutes } from '../../../../shared/chargers/route/plan-routes.ts'
import { readPlace, routePlaces } from '../../../../shared/chargers/route/read-place.ts'
import { routeNetwork, type RouteNetwork } from '../../../../shared/chargers/route/route-network.ts'
import { requestOfPlan, type RoutePlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { SearchIndex } from '../../../../shared/chargers/search.ts'
import type { AnswerTo } from './protocol.ts'

/** Plans routes over the chargers. The network is made once for an aircraft, and again when a live state turns. */
export class RouteDesk {
  readonly #now: () => number
  #all: readonly PreparedCharger[] = []
  #places: SearchIndex | null = null
  #made: { key: string; untilMs: number; network: RouteNetwork } | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  load(all: readonly PreparedCharger[]): void {
    this.#all = all
    this.#places = null
    this.#made = null
  }

  place(text: string): AnswerTo<'place'> {
    this.#places ??= routePlaces(this.#all)
    return readPlace(this.#places, text)
  }

  /** Null for a plan that is not complete. */
  plan(plan: RoutePlan): AnswerTo<'route'> {
    const nowMs = this.#now()
    const request = requestOfPlan(plan, nowMs)
    if (request === null) return null
    const network = this.#network(plan, nowMs)
    return { answer: planRoutes(network, request), leftOut: network.leftOut }
  }

  #network({ aircraft, takeFitNotKnown, avoid }: RoutePlan, nowMs: number): RouteNetwork {
    const { connectors, types, rangeNm, reserveNm, maxKw } = aircraft
    const key = JSON.stringify([connectors, types, rangeNm, reserveNm, maxKw, takeFitNotKnown, avoid])
    if (this.#made === null || this.#made.key !== key || nowMs >= this.#made.untilMs) {
      const network = routeNetwork(this.#all, { aircraft, takeFitNotKnown, avoid: new Set(avoid), nowMs })
      this.#made = { key, untilMs: nextLiveTurnMs(this.#all, nowMs), network }
    }
    return this.#made.network
  }
}
