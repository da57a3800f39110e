import { create } from 'zustand'
import { EXAMPLE_AIRCRAFT } from '../../../../shared/chargers/route/aircraft.ts'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { PlannedRoute, RouteAnswer } from '../../../../shared/chargers/route/plan-routes.ts'
import {
  planInQuery,
  queryOfPlan,
  type RoutePlan,
  type NamedPlace,
} from '../../../../shared/chargers/route/route-plan.ts'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import { chosenAircraft } from '../aircraft/use-aircraft.ts'
import { useView } from '../../../store/view-store.ts'
import { useChargers } from '../store/chargers-store.ts'

/** The state of the route planner; the plan itself is in the address (`useView`). */
interface RouteView {
  answer: { answer: RouteAnswer; leftOut: LeftOut } | null
  /** The answer belongs to an earlier plan. */
  isPlanning: boolean
  /** The index of the route that is shown in full. */
  picked: number
  /** The index of the leg highlighted on the map; null for none. */
  leg: number | null
}

/** An end, or the index of a via point. */
export type PlaceInPlan = 'from' | 'to' | number

const NO_PLACES: readonly Point[] = []

export const useRoute = create<RouteView>(() => ({ answer: null, isPlanning: false, picked: 0, leg: null }))

export function routesOf({ answer }: Pick<RouteView, 'answer'>): readonly PlannedRoute[] {
  return answer?.answer.kind === 'routes' ? answer.answer.routes : []
}

/** Where a route breaks off; empty unless there is none. */
export function gapOf({ answer }: Pick<RouteView, 'answer'>): readonly Point[] {
  return answer?.answer.kind === 'no_route' ? answer.answer.places : NO_PLACES
}

/** Opens the planner in its last state, with `change` applied. */
export function openRoute(change: Partial<RoutePlan> = {}): void {
  const readPlan = (query: string) => planInQuery(new URLSearchParams(query))
  const last = readPlan(useChargers.getState().lastRoute ?? '') ?? {
    ...readPlan('range=1')!,
    aircraft: EXAMPLE_AIRCRAFT,
  }
  const now = useView.getState().route ?? { ...last, aircraft: chosenAircraft() ?? last.aircraft }
  useView.setState({ route: { ...now, ...change }, charger: null })
  keepRoute()
}

/** Nothing while the planner is closed. */
export function changeRoute(change: Partial<RoutePlan> | ((plan: RoutePlan) => Partial<RoutePlan>)): void {
  const { route } = useView.getState()
  if (route === null) return
  useView.setState({ route: { ...route, ...(typeof change === 'function' ? change(route) : change) } })
  keepRoute()
}

function keepRoute(): void {
  const { route } = useView.getState()
  if (route !== null) useChargers.setState({ lastRoute: queryOfPlan(route).toString() })
}

export function setPlace(which: PlaceInPlan, place: NamedPlace | null): void {
  if (typeof which === 'string') changeRoute({ [which]: place })
  else changeRoute(({ via }) => ({ via: place === null ? via.toSpliced(which, 1) : via.with(which, place) }))
}

/** Passes this place as the last one before the end. */
export const addVia = (place: NamedPlace) => changeRoute(({ via }) => ({ via: [...via, place] }))

/** The places along a route, both ends included. */
export const placesOf = ({ legs }: PlannedRoute): NamedPlace[] => {
  const [first] = legs
  return first === undefined ? [] : [first.from, ...legs.map(({ to }) => to)]
}
