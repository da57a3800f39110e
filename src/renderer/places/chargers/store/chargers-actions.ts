import type { ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { useView, type ChosenCharger } from '../../../store/view-store.ts'
import type { MapView } from '../map/charger-map.ts'
import { useChargers, type Mark } from './chargers-store.ts'
import { filterInQuery, queryOfFilter } from './filter-query.ts'

export const changeFilter = (part: Partial<ChargerFilter>) =>
  useView.setState(({ chargerFilter }) => ({
    chargerFilter: queryOfFilter({ ...filterInQuery(chargerFilter ?? ''), ...part }),
  }))
export const clearFilters = () => useView.setState({ chargerFilter: '' })

/** The map stopped moving. The list follows only moves by a person: choosing in the list moves the map too. */
export const settleMap = (view: MapView, byPerson: boolean) =>
  useChargers.setState({ ...view, ...(byPerson ? { origin: view.centre } : {}) })

export const choose = (charger: ChosenCharger | null) => useView.setState({ charger })

export function highlight(highlighted: Mark | null): void {
  if (highlighted?.key !== useChargers.getState().highlighted?.key) useChargers.setState({ highlighted })
}

/** Goes back one step: from a charger to its airfield, to the route, then to the list. False if nothing was open. */
export function stepBack(): boolean {
  const { charger, route } = useView.getState()
  if (charger === null) useView.setState({ route: null })
  if (charger === null) return route !== null
  choose(charger.kind === 'charger' && charger.fromSite !== null ? { kind: 'site', key: charger.fromSite } : null)
  return true
}
