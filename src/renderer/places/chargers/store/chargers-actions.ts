import type { Point } from '../../../../shared/chargers/distance.ts'
import type { ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { Arrival } from '../../../../shared/chargers/route/arrival.ts'
import type { ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { askOrToast } from '../../../store/bridge.ts'
import type { ChargerQuery } from '../data/charger-set.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import { chargerSet, useChargers, type ArrivalChoice, type ChargersView, type Mark } from './chargers-store.ts'
import { NO_CHOICE, type ChosenFilter, type NamedPoint, type RingChoice, type Sort } from './remembered.ts'

let isDue = false

/** Finds what matches, once for all that changes now, and after the page has shown it. */
export function find(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    const view = useChargers.getState()
    if (view.version !== 0) useChargers.setState({ found: chargerSet.find(queryOf(view)) })
  })
}

function filterOf({ filter, search, ring, arrival }: ChargersView, then: Arrival | null): ChargerFilter {
  const near = ring === null || !ring.only ? null : { ...ring.centre, nm: ring.nm }
  return { ...filter, search, near, bounds: null, openAt: arrival?.only === true ? then : null }
}

function arrivalOf(arrival: ArrivalChoice | null, from: Point): Arrival | null {
  if (arrival === null) return null
  return arrival.by === 'time' ? { by: 'time', atMs: arrival.atMs } : { by: 'flight', from, speedKt: arrival.speedKt }
}

function queryOf(view: ChargersView): ChargerQuery {
  const { lat, lng } = view.from ?? view.origin
  const from = { lat, lng }
  const sorted: ChargerOrder = view.sort === 'distance' ? { by: 'distance', from } : { by: view.sort }
  const arrival = arrivalOf(view.arrival, from)
  return { filter: filterOf(view, arrival), order: sorted, from, arrival }
}

function change(part: Partial<ChargersView>): void {
  useChargers.setState(part)
  find()
}

export const changeFilter = (part: Partial<ChosenFilter>) =>
  change({ filter: { ...useChargers.getState().filter, ...part } })
export const searchFor = (search: string) => change({ search })
export const sortBy = (sort: Sort) => change({ sort })
/** Sets the reference point for distances; null is the middle of the map. */
export const measureFrom = (from: NamedPoint | null) => change({ from })
export const showRing = (ring: RingChoice | null) => change({ ring })

export const planArrival = (arrival: ArrivalChoice | null) => change({ arrival })

export function clearFilters(): void {
  const { ring, arrival } = useChargers.getState()
  change({
    filter: NO_CHOICE,
    search: '',
    ring: ring === null ? null : { ...ring, only: false },
    arrival: arrival === null ? null : { ...arrival, only: false },
  })
}

/** The map stopped moving. The list follows only moves by a person: choosing in the list moves the map too. */
export function settleMap(centre: Point, zoom: number, byPerson: boolean): void {
  useChargers.setState({ centre, zoom })
  if (byPerson) change({ origin: centre })
}

/** Opens the details, which cover the list. */
export function choose(charger: ChosenCharger | null): void {
  useChargers.setState(charger === null ? { chosenMark: null } : { isListShown: true })
  useView.setState({ charger })
}
export const markChosen = (chosenMark: Mark | null) => useChargers.setState({ chosenMark })
export function highlight(highlighted: Mark | null): void {
  if (highlighted?.key !== useChargers.getState().highlighted?.key) useChargers.setState({ highlighted })
}

/** Goes back one step: from a charger to its airfield, then to the list. False if nothing was open. */
export function stepBack(): boolean {
  const { charger } = useView.getState()
  if (charger === null) return false
  choose(charger.kind === 'charger' && charger.fromSite !== null ? { kind: 'site', key: charger.fromSite } : null)
  return true
}

export async function markFavourite(id: number, favourite: boolean): Promise<void> {
  await askOrToast('chargers.favourites', { ids: [id], favourite })
}
