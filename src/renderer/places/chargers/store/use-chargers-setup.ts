import { useEffect, useRef } from 'react'
import { chargersPath } from '../../../../shared/contract/page-bridge.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import { asMember, type Member } from '../data/charger-set.ts'
import { nextTask } from '../data/next-task.ts'
import { readChargers, ReadFailed } from '../data/read-chargers.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { changeFilter, find } from './chargers-actions.ts'
import { chargerSet, FIRST_CHARGERS_VIEW, useChargers, type ChargersView } from './chargers-store.ts'
import { filterInQuery, queryOfFilter } from './filter-query.ts'
import { readRemembered, type Remembered } from './remembered.ts'
import { viewed } from '../../../bridge/viewed.ts'

/** "Open now" and "closes in" change with time. */
const AGAIN_EVERY_MS = 60_000

/** Starts everything the view needs while it is mounted: the chargers, and the last state. */
export function useChargersSetup(): void {
  useEffect(() => {
    useChargers.setState(FIRST_CHARGERS_VIEW)
    let isCurrent = true
    inBackground('views.load', () =>
      ask('views.load', { name: 'chargers' }).then((result) => {
        if (!isCurrent) return
        const kept = readRemembered(result.ok ? result.value.value : null)
        // The filters of an address that was opened replace those of the last time.
        const { filters, ...view } = kept
        const filter = filterInQuery(useView.getState().chargerFilter ?? filters)
        useChargers.setState({ ...view, filter, origin: kept.centre, isRestored: true })
        find()
      }),
    )
    const timer = setInterval(find, AGAIN_EVERY_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
      useChargers.setState({ isRestored: false })
    }
  }, [])
  useSaving()
  useFilterAddress()
  useLoading()
  useFavourites()
  useChosenAircraft()
}

/** Keeps the filter and its part of the address in step, once the last state is restored. */
function useFilterAddress(): void {
  const isRestored = useChargers((view) => view.isRestored)
  useEffect(() => {
    if (!isRestored) return
    const give = () => useView.setState({ chargerFilter: queryOfFilter(useChargers.getState().filter) })
    give()
    const stops = [
      useChargers.subscribe(({ filter }, before) => filter !== before.filter && give()),
      useView.subscribe(({ chargerFilter }) => {
        if (chargerFilter === null || chargerFilter === queryOfFilter(useChargers.getState().filter)) return
        changeFilter(filterInQuery(chargerFilter))
        give()
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [isRestored])
}

/** The version of what `chargerSet` holds: it outlives the view. */
let loaded = 0

/** Loads each new version of the set; the previous one stays until then. */
function useLoading(): void {
  const version = useShell(({ state }) => state?.chargers.status.version ?? 0)
  useEffect(() => {
    const stopping = new AbortController()
    const load = async () => {
      try {
        // Without a version another service is used, of which nothing has been read yet.
        if (version === 0) await chargerSet.take([], [])
        else if (version !== loaded) await readSet(viewed(chargersPath(version)), stopping.signal)
        loaded = version
        useChargers.setState({ version, failure: null, ...(version === 0 ? { found: null } : {}) })
        find()
      } catch (error) {
        if (stopping.signal.aborted) return
        useChargers.setState({ failure: error instanceof ReadFailed ? error.sentence : { raw: String(error) } })
      }
    }
    inBackground('use-chargers-setup.load', load)
    return () => stopping.abort()
  }, [version])
}

async function readSet(address: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(address, { signal })
  if (!response.ok || response.body === null)
    throw new ReadFailed({ code: 'chargers_status', values: { status: String(response.status) } })
  const all: Member[] = []
  const { unseen } = await readChargers(response.body, async (chargers) => {
    for (const charger of chargers) all.push(asMember(charger, all.length))
    await nextTask()
    signal.throwIfAborted()
  })
  await chargerSet.take(all, unseen)
}

function useFavourites(): void {
  const favourites = useShell(({ state }) => state?.chargers.favourites)
  useEffect(() => {
    if (favourites === undefined) return
    chargerSet.setFavourites(favourites)
    find()
  }, [favourites])
}

function useChosenAircraft(): void {
  const { chosen } = useAircraft()
  const key = chosen === null ? '' : JSON.stringify([chosen.connectors, chosen.types])
  useEffect(() => {
    const [connectors, types] = key === '' ? [[], []] : (JSON.parse(key) as [string[], string[]])
    chargerSet.setAircraft(key === '' ? null : { connectors, types })
    find()
  }, [key])
}

/** Saves what is remembered at each change, once it is restored. */
function useSaving(): void {
  const kept = useChargers((view) => (view.isRestored ? JSON.stringify(rememberedOf(view)) : null))
  const before = useRef(kept)
  useEffect(() => {
    if (before.current !== null && kept !== null)
      inBackground('views.save', () => ask('views.save', { name: 'chargers', value: JSON.parse(kept) as Remembered }))
    before.current = kept
  }, [kept])
}

function rememberedOf({ centre, zoom, sort, filter, from, isListShown, lastRoute }: ChargersView): Remembered {
  const filters = queryOfFilter({ ...filter, search: '' })
  return { centre, zoom, sort, filters, from, isListShown, lastRoute }
}
