import { create } from 'zustand'
import { EXAMPLE_AIRCRAFT } from '../../../../shared/chargers/route/aircraft.ts'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { planInQuery, queryOfPlan } from '../../../../shared/chargers/route/route-plan.ts'
import type { RoutePlan, NamedPlace } from '../../../../shared/chargers/route/route-plan.ts'
import type { Planned } from '../data/charger-index.ts'
import { chosenAircraft } from '../aircraft/use-aircraft.ts'
import { useView } from '../../../store/view-store.ts'
import { useChargers } from '../store/chargers-store.ts'

/** The state of the route planner; the plan itself is in the address (`useView`). */
interface RouteView {
  planned: Planned | null
  /** `planned` belongs to an earlier plan. */
  isPlanning: boolean
  picked: number
  leg: number | null
}

/** An end, or the index of a via point. */
type PlaceInPlan = 'from' | 'to' | number

export const useRoute = create<RouteView>(() => ({ planned: null, isPlanning: false, picked: 0, leg: null }))

/** Where a route breaks off; empty unless that is why there is none. */
export const gapOf = (planned: Planned | null): readonly Point[] =>
  planned?.none?.kind === 'no_route' ? planned.none.places : []

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

export const placesOf = ({ legs }: PlannedRoute): NamedPlace[] => {
  const [first] = legs
  return first === undefined ? [] : [first.from, ...legs.map(({ to }) => to)]
}
