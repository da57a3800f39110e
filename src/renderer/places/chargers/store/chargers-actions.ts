import type { Point } from '../../../../shared/chargers/distance.ts'
import type { ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { Arrival } from '../../../../shared/chargers/route/arrival.ts'
import type { ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { askOrToast } from '../../../store/bridge.ts'
import type { ChargerQuery } from '../data/protocol.ts'
import type { Mark } from '../map/mark.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import { useChargers, type ArrivalChoice, type ChargersView } from './chargers-store.ts'
import { NO_CHOICE, type ChosenFilter, type NamedPoint, type RingChoice, type Sort } from './remembered.ts'
import { inBackground } from '../../../bridge/in-background.ts'

/** The counts on the filter chips wait until typing pauses. */
const COUNT_AFTER_MS = 350

let counting: ReturnType<typeof setTimeout> | undefined

/** Asks the worker for the current matches. */
export async function find(): Promise<void> {
  const { client, version } = useChargers.getState()
  if (client === null || version === 0) return
  const found = await client.askNewest('query', queryOf(useChargers.getState()))
  const before = useChargers.getState()
  if (found === null || before.client !== client) return
  useChargers.setState({ found })
  if (found.mapRound === before.found?.mapRound) return
  clearTimeout(counting)
  counting = setTimeout(() => {
    inBackground('chargers.quick', () =>
      client.askNewest('quick', {}).then((quick) => quick !== null && useChargers.setState({ quick })),
    )
  }, COUNT_AFTER_MS)
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
  inBackground('chargers-actions.find', find)
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
