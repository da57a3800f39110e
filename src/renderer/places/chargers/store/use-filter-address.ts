import { useEffect } from 'react'
import { useView } from '../../../store/view-store.ts'
import { find } from './chargers-actions.ts'
import { useChargers } from './chargers-store.ts'
import { filterInQuery, queryOfFilter } from './filter-address.ts'

/** Keeps the filters and their part of the address in step, once the last state is restored. */
export function useFilterAddress(): void {
  const isRestored = useChargers((view) => view.isRestored)
  useEffect(() => {
    if (!isRestored) return
    const give = () => useView.setState({ chargerFilter: queryOfFilter(useChargers.getState()) })
    give()
    const stops = [
      useChargers.subscribe(({ filter, search, ring, arrival }, before) => {
        if (filter !== before.filter || search !== before.search || ring !== before.ring || arrival !== before.arrival)
          give()
      }),
      useView.subscribe(({ chargerFilter }) => {
        const view = useChargers.getState()
        if (chargerFilter === null || chargerFilter === queryOfFilter(view)) return
        useChargers.setState(filterInQuery(chargerFilter, view))
        give()
        find()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [isRestored])
}
