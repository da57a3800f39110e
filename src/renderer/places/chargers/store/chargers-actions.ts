import type { Point } from '../../../../shared/chargers/distance.ts'
import { NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import { chargerSet, fromOf, useChargers, type ChargersView, type Mark } from './chargers-store.ts'
import type { NamedPoint, Sort } from './remembered.ts'

let isDue = false

/** Finds what matches, once for all that changes now, and after the page has shown it. */
export function find(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    const view = useChargers.getState()
    if (view.version === 0) return
    const { lat, lng } = fromOf(view)
    const order = view.sort === 'distance' ? { by: view.sort, from: { lat, lng } } : { by: view.sort }
    useChargers.setState({ found: chargerSet.find(view.filter, order) })
  })
}

function change(part: Partial<ChargersView>): void {
  useChargers.setState(part)
  find()
}

export const changeFilter = (part: Partial<ChargerFilter>) =>
  change({ filter: { ...useChargers.getState().filter, ...part } })
export const clearFilters = () => change({ filter: NO_FILTER })
export const sortBy = (sort: Sort) => change({ sort })
/** Sets the reference point for distances; null is the middle of the map. */
export const measureFrom = (from: NamedPoint | null) => change({ from })

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
