import { memoise } from '../../../../shared/chargers/memoise.ts'
import { NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { useView } from '../../../store/view-store.ts'

const FLAGS = { free: 'freeNow', open: 'openNow', favourites: 'favouritesOnly', fitting: 'fitting' } as const
const LISTS = { plug: 'connectors', pay: 'payment', current: 'current' } as const
const [MIN_KW, MAX_KW] = [0.1, 10_000]

/** A filter as the query of an address (`CHARGER_FILTERS`), which is also how it is remembered; empty for none. */
export function queryOfFilter(filter: ChargerFilter): string {
  const query = new URLSearchParams()
  for (const [name, member] of Object.entries(FLAGS)) if (filter[member]) query.append('show', name)
  for (const [name, member] of Object.entries(LISTS)) for (const value of filter[member]) query.append(name, value)
  if (filter.minKw !== null) query.append('min', String(filter.minKw))
  if (filter.search !== '') query.append('search', filter.search)
  return query.toString()
}

/** Leaves out what it cannot read; gives the same object for the same query. */
export const filterInQuery = memoise((text): ChargerFilter => {
  const query = new URLSearchParams(text)
  const texts = (name: string) => query.getAll(name).filter(Boolean)
  const minKw = Number(query.get('min') ?? Number.NaN)
  return {
    ...NO_FILTER,
    search: query.get('search') ?? '',
    ...Object.fromEntries(Object.entries(FLAGS).map(([name, member]) => [member, texts('show').includes(name)])),
    connectors: texts('plug'),
    payment: texts('pay'),
    current: (['AC', 'DC'] as const).filter((value) => texts('current').includes(value)),
    minKw: minKw >= MIN_KW && minKw <= MAX_KW ? minKw : null,
  }
})

/** What the chargers are filtered by, which the address says. */
export const useFilter = (): ChargerFilter => filterInQuery(useView(({ chargerFilter }) => chargerFilter) ?? '')

/** Whether anything but a search text keeps chargers from being shown. */
export const isFiltered = (filter: ChargerFilter): boolean => queryOfFilter({ ...filter, search: '' }) !== ''
