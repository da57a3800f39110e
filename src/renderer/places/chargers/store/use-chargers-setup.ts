import { useEffect } from 'react'
import { useConnection } from '../../../bridge/connection.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { chargersPath } from '../../../../shared/contract/page-bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { resourceUrl } from '../../../bridge/resource-url.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { remember, remembered } from '../../../store/remembered-look.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import { prepareCharger } from '../data/charger-index.ts'
import { nextTask } from '../data/next-task.ts'
import { readChargers, ReadFailed } from '../data/read-chargers.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { chargerIndex, readRemembered, useChargers, type Remembered } from './chargers-store.ts'
import { filterInQuery, queryOfFilter, useFilter } from './filter-query.ts'

/** "Open now" and "closes in" change with time. */
const AGAIN_EVERY_MS = 60_000

export function useChargersSetup(): void {
  useRestoreFilters()
  useRememberView()
  useReadSamples()
  useLoadChargers()
  useFindAgain()
}

/** The practice service, which starts with its first request, is asked for its chargers when they are shown. */
function useReadSamples(): void {
  const isUnread = useShell(({ state }) => {
    const status = state?.chargers.status
    return status?.sample === true && status.version === 0 && status.nextAtMs === null
  })
  useEffect(() => {
    if (isUnread) inBackground(() => askOrToast('chargers.refresh', {}))
  }, [isUnread])
}

/** The filters of an address that was opened replace those of the last time. */
function useRestoreFilters(): void {
  useEffect(() => {
    const { filters } = remembered('chargers', readRemembered)
    useView.setState(({ chargerFilter }) => ({ chargerFilter: queryOfFilter(filterInQuery(chargerFilter ?? filters)) }))
  }, [])
}

function useRememberView(): void {
  const filters = queryOfFilter({ ...useFilter(), search: '' })
  const isRestored = useView(({ chargerFilter }) => chargerFilter !== null)
  const text = useChargers(({ centre, zoom, sort, lastRoute }) =>
    JSON.stringify({ centre, zoom, sort, filters, lastRoute } satisfies Remembered),
  )
  useEffect(() => {
    if (isRestored) remember('chargers', JSON.parse(text))
  }, [isRestored, text])
}

/** The version of what `chargerIndex` holds: it outlives the view. */
let loaded = 0

/** Loads each new version of the set; the previous one stays until then. */
function useLoadChargers(): void {
  const version = useShell(({ state }) => state?.chargers.status.version ?? 0)
  const isOpen = useConnection(({ state }) => state === 'open')
  useEffect(() => {
    if (!isOpen) return
    const stopping = new AbortController()
    const load = async () => {
      try {
        // Without a version another service is used, of which nothing has been read yet.
        if (version === 0) await chargerIndex.take([])
        else if (version !== loaded) await readSet(resourceUrl(chargersPath(version)), stopping.signal)
        loaded = version
        useChargers.setState({ version, failure: null, ...(version === 0 ? { found: null } : {}) })
      } catch (error) {
        if (stopping.signal.aborted) return
        useChargers.setState({ failure: error instanceof ReadFailed ? error.sentence : { raw: String(error) } })
      }
    }
    inBackground(load)
    return () => stopping.abort()
  }, [version, isOpen])
}

async function readSet(address: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(address, { signal })
  if (!response.ok || response.body === null) throw new ReadFailed({ code: 'hangar_silent' })
  const all: PreparedCharger[] = []
  await readChargers(response.body, async (chargers) => {
    all.push(...chargers.map(prepareCharger))
    await nextTask()
    signal.throwIfAborted()
  })
  await chargerIndex.take(all)
}

/** Finds what matches after each change, once the page has shown it, and every minute. */
function useFindAgain(): void {
  const filter = useFilter()
  const version = useChargers((view) => view.version)
  const sort = useChargers((view) => view.sort)
  const { lat, lng } = useChargers(({ origin }) => origin)
  const favourites = useShell(({ state }) => state?.chargers.favourites)
  const { chosen } = useAircraft()
  const aircraft = JSON.stringify(chosen === null ? null : { connectors: chosen.connectors, types: chosen.types })
  useEffect(() => chargerIndex.setFavourites(favourites ?? []), [favourites])
  useEffect(() => chargerIndex.setAircraft(JSON.parse(aircraft) as typeof chosen), [aircraft])
  useEffect(() => {
    if (version === 0) return
    const find = () =>
      useChargers.setState({
        found: chargerIndex.find(filter, sort === 'distance' ? { by: sort, from: { lat, lng } } : { by: sort }),
      })
    const soon = setTimeout(find)
    const again = setInterval(find, AGAIN_EVERY_MS)
    return () => {
      clearTimeout(soon)
      clearInterval(again)
    }
  }, [filter, sort, lat, lng, version, favourites, aircraft])
}
