import type { Point } from '../../../../shared/chargers/distance.ts'
import type { ChargerFilter } from '../../../../shared/chargers/filter.ts'
import type { ChargerOrder } from '../../../../shared/chargers/sort.ts'
import { askOrToast } from '../../../store/bridge.ts'
import type { ChargerQuery } from '../data/protocol.ts'
import type { Mark } from '../map/mark.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import { useChargers, type ChargersView } from './chargers-store.ts'
import { NO_CHOICE, type ChosenFilter, type NamedPoint, type RingChoice, type Sort } from './remembered.ts'
import { inBackground } from '../../../store/in-background.ts'

/** Counts of the quick filters can wait until nobody types. */
const COUNT_AFTER_MS = 350

let counting: ReturnType<typeof setTimeout> | undefined

/** Asks the worker for what is to be seen now. */
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

function filterOf({ filter, search, ring }: Pick<ChargersView, 'filter' | 'search' | 'ring'>): ChargerFilter {
  const near = ring === null || !ring.only ? null : { ...ring.centre, nm: ring.nm }
  return { ...filter, search, near, bounds: null }
}

function queryOf(view: ChargersView): ChargerQuery {
  const { lat, lng } = view.from ?? view.origin
  const from = { lat, lng }
  const sorted: ChargerOrder = view.sort === 'distance' ? { by: 'distance', from } : { by: view.sort }
  return { filter: filterOf(view), order: sorted, from }
}

function change(part: Partial<ChargersView>): void {
  useChargers.setState(part)
  inBackground('chargers-actions.find', find)
}

export const changeFilter = (part: Partial<ChosenFilter>) =>
  change({ filter: { ...useChargers.getState().filter, ...part } })
export const searchFor = (search: string) => change({ search })
export const sortBy = (sort: Sort) => change({ sort })
/** Distances are told from here; null: from the middle of the map. */
export const measureFrom = (from: NamedPoint | null) => change({ from })
export const showRing = (ring: RingChoice | null) => change({ ring })

export function clearFilters(): void {
  const { ring } = useChargers.getState()
  change({ filter: NO_CHOICE, search: '', ring: ring === null ? null : { ...ring, only: false } })
}

/** The map came to rest. Only where a person moved it does the list follow: what was chosen in the list must not move it. */
export function settleMap(centre: Point, zoom: number, byPerson: boolean): void {
  useChargers.setState({ centre, zoom })
  if (byPerson) change({ origin: centre })
}

/** Its details lie over the list, so that is shown too. */
export function choose(charger: ChosenCharger | null): void {
  useChargers.setState(charger === null ? { chosenMark: null } : { isListShown: true })
  useView.setState({ charger })
}
export const markChosen = (chosenMark: Mark | null) => useChargers.setState({ chosenMark })
export function highlight(looked: Mark | null): void {
  if (looked?.key !== useChargers.getState().looked?.key) useChargers.setState({ looked })
}

/** One step back: from a charger to its airfield, then to the list. False when nothing was open. */
export function stepBack(): boolean {
  const { charger } = useView.getState()
  if (charger === null) return false
  choose(charger.kind === 'charger' && charger.fromSite !== null ? { kind: 'site', key: charger.fromSite } : null)
  return true
}

export async function markFavourite(id: number, favourite: boolean): Promise<void> {
  await askOrToast('chargers.favourite', { id, favourite })
}
