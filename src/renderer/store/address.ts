import { MAX_ID_CHARS, MAX_SEARCH_CHARS } from '../../shared/jobs/job-list.ts'
import { CHIPS, NO_FILTER, type Chip, type ListFilter } from './jobs-filter.ts'
import { planInQuery, queryOfPlan } from '../../shared/chargers/route/route-plan.ts'
import { PLACES } from '../../shared/presentation/shortcuts.ts'
import { CREDIT_DAYS, NOTHING_OPEN, type ChosenCharger, type Open } from './view-store.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'

/** What the fragment in the address bar says. */
export interface Address extends Open {
  filter: ListFilter
}

/** All but the place, with nothing open or chosen in it. */
export const PLACE_ONLY: Omit<Address, 'place'> = { ...NOTHING_OPEN, filter: NO_FILTER }

/** The names of the query that filter the chargers; those of a route are others. */
const CHARGER_FILTERS: readonly string[] = 'show plug pay current min search'.split(' ')

/** Enough for a route with the maximum number of places and escaped names. */
const MAX_CHARS = 10_000
const OTHER_CHIPS: readonly Chip[] = ['all', 'review', 'removed']
const isChip = (text: string): text is Chip => Object.hasOwn(CHIPS, text) || OTHER_CHIPS.some((chip) => chip === text)
const STATES: readonly string[] = Object.values(CHIPS).flat()
const isState = (text: string): text is JobState => STATES.includes(text)

/** Such as `#/jobs?show=failed`, `#/jobs/JOB`, `#/chargers/at/SITE`, `#/chargers/route?from=…`; without what is of other places. */
export function fragmentOf(address: Address): string {
  const [path, query] = partsOf(address)
  const text = query.toString()
  return `#/${[address.place, ...path].map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

function partsOf(address: Address): [string[], URLSearchParams] {
  const { openJob, folder, charger, chargerFilter, route, section, days } = address
  const none = new URLSearchParams()
  switch (address.place) {
    case 'jobs':
      return [openJob === null ? [] : [openJob], queryOf(address.filter)]
    case 'folders':
      return [folder === null ? [] : [folder], none]
    case 'chargers':
      return [
        chargerPath(charger, route !== null),
        new URLSearchParams([
          ...(route === null ? [] : queryOfPlan(route)),
          ...new URLSearchParams(chargerFilter ?? ''),
        ]),
      ]
    case 'settings':
      return [section === null ? [] : [section], none]
    case 'credits':
      return [[], days === PLACE_ONLY.days ? none : new URLSearchParams({ days: String(days) })]
  }
}

function chargerPath(charger: ChosenCharger | null, hasRoute: boolean): string[] {
  if (charger === null) return hasRoute ? ['route'] : []
  return charger.kind === 'charger' ? [String(charger.id)] : ['at', charger.key]
}

function queryOf({ chip, states, search, folderId, batchId }: ListFilter): URLSearchParams {
  return new URLSearchParams({
    ...(states === null ? (chip === 'all' ? {} : { show: chip }) : { states: states.join('.') }),
    ...(folderId === null ? {} : { folder: folderId }),
    ...(batchId === null ? {} : { batch: batchId }),
    ...(search === '' ? {} : { search }),
  })
}

/** Null for a fragment that is not ours. Unreadable parts are left out. */
export function readFragment(fragment: string): Address | null {
  const match = /^#\/([^?]*)(?:\?(.*))?$/s.exec(fragment.slice(0, MAX_CHARS))
  if (match === null) return null
  const [name, first = null, second = null] = match[1]!.split('/').map(decoded)
  const place = PLACES.find((one) => one === name)
  if (place === undefined) return null
  const at = { ...PLACE_ONLY, place }
  switch (place) {
    case 'jobs':
      return { ...at, openJob: first, filter: filterIn(new URLSearchParams(match[2])) }
    case 'folders':
      return { ...at, folder: first }
    case 'chargers':
      return { ...at, charger: chargerIn(first, second), ...planAndFilterIn(new URLSearchParams(match[2])) }
    case 'settings':
      return { ...at, section: first }
    case 'credits': {
      const days = new URLSearchParams(match[2]).get('days')
      return { ...at, days: CREDIT_DAYS.find((one) => String(one) === days) ?? at.days }
    }
  }
}

function planAndFilterIn(query: URLSearchParams): Pick<Address, 'route' | 'chargerFilter'> {
  const filter = new URLSearchParams([...query].filter(([name]) => CHARGER_FILTERS.includes(name))).toString()
  return { route: planInQuery(query), chargerFilter: filter === '' ? null : filter }
}

function chargerIn(first: string | null, second: string | null): ChosenCharger | null {
  if (first === 'at' && second !== null) return { kind: 'site', key: second }
  const id = /^\d{1,15}$/.test(first ?? '') ? Number(first) : null
  return id === null ? null : { kind: 'charger', id, fromSite: null }
}

function filterIn(query: URLSearchParams): ListFilter {
  const chip = query.get('show') ?? ''
  const states = (query.get('states') ?? '').split('.').filter(isState)
  return {
    chip: isChip(chip) && states.length === 0 ? chip : 'all',
    states: states.length === 0 ? null : states,
    folderId: idIn(query.get('folder')),
    batchId: idIn(query.get('batch')),
    search: (query.get('search') ?? '').slice(0, MAX_SEARCH_CHARS),
  }
}

function decoded(part: string): string | null {
  try {
    return given(decodeURIComponent(part))
  } catch {
    return null
  }
}

const idIn = (text: string | null) => (text === null || text.length > MAX_ID_CHARS ? null : given(text))

const given = (text: string | null) => (text === '' ? null : text)
