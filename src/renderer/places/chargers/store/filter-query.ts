import { memoise } from '../../../../shared/chargers/memoise.ts'
import { NO_FILTER, type ChargerFilter } from '../../../../shared/chargers/filter.ts'
import { FITS } from '../../../../shared/chargers/route/aircraft.ts'
import { useView } from '../../../store/view-store.ts'

const FLAGS = { free: 'freeNow', open: 'openNow', favourites: 'favouritesOnly' } as const
const LISTS = { plug: 'connectors', pay: 'payment', current: 'current', fit: 'fit' } as const
const [LEAST_KW, MOST_KW] = [0.1, 10_000]

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
  const among = <Value extends string>(name: string, values: readonly Value[]) =>
    values.filter((value) => texts(name).includes(value))
  const minKw = Number(query.get('min') ?? Number.NaN)
  return {
    ...NO_FILTER,
    search: query.get('search') ?? '',
    freeNow: texts('show').includes('free'),
    openNow: texts('show').includes('open'),
    favouritesOnly: texts('show').includes('favourites'),
    connectors: texts('plug'),
    payment: texts('pay'),
    current: among('current', ['AC', 'DC']),
    fit: among('fit', FITS),
    minKw: minKw >= LEAST_KW && minKw <= MOST_KW ? minKw : null,
  }
})

/** What the chargers are filtered by, which the address says. */
export const useFilter = (): ChargerFilter => filterInQuery(useView(({ chargerFilter }) => chargerFilter) ?? '')

/** Whether anything but a search text keeps chargers from being shown. */
export const isFiltered = (filter: ChargerFilter): boolean => queryOfFilter({ ...filter, search: '' }) !== ''
