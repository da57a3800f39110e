import { useEffect } from 'react'
import { chargersPath } from '../../../../shared/contract/page-bridge.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useView } from '../../../store/view-store.ts'
import { ChargerClient, WorkerFailed, WorkerRefused, type WorkerPort } from '../data/charger-client.ts'
import type { Reply } from '../data/protocol.ts'
import { startWorker } from '../data/trusted.ts'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { find } from './chargers-actions.ts'
import { FIRST_CHARGERS_VIEW, useChargers, type ChargersView } from './chargers-store.ts'
import { filterInQuery } from './filter-address.ts'
import { readRemembered, type Remembered } from './remembered.ts'
import { viewed } from '../../../bridge/viewed.ts'

const SAVE_AFTER_MS = 800
/** "Open now" and "closes in" change with time. */
const AGAIN_EVERY_MS = 60_000

/** Starts everything the view needs while it is mounted: the worker with the chargers, and the last state. */
export function useChargersSetup(): void {
  useEffect(() => {
    useChargers.setState({ ...FIRST_CHARGERS_VIEW, client: newClient() })
    let isCurrent = true
    inBackground('views.load', () =>
      ask('views.load', { name: 'chargers' }).then((result) => {
        if (!isCurrent) return
        const kept = readRemembered(result.ok ? result.value.value : null)
        // The filters of an address that was opened replace those of the last time.
        const { chargerFilter } = useView.getState()
        const filters = chargerFilter === null ? {} : filterInQuery(chargerFilter, { ...kept, arrival: null })
        useChargers.setState({ ...untouched({ ...kept, ...filters, origin: kept.centre }), isRestored: true })
        inBackground('use-chargers-setup.find', find)
      }),
    )
    const stop = saveChanges()
    const timer = setInterval(() => inBackground('use-chargers-setup.find', find), AGAIN_EVERY_MS)
    return () => {
      isCurrent = false
      stop()
      clearInterval(timer)
      useChargers.getState().client?.close()
      useChargers.setState({ client: null, isRestored: false })
    }
  }, [])
  useLoading()
  useFavourites()
  useChosenAircraft()
}

/** Without what a person has changed since the view was opened. */
function untouched(restored: Partial<ChargersView>): Partial<ChargersView> {
  const view = useChargers.getState()
  const keys = Object.keys(restored) as (keyof ChargersView)[]
  return Object.fromEntries(
    keys.filter((key) => view[key] === FIRST_CHARGERS_VIEW[key]).map((key) => [key, restored[key]]),
  )
}

const newClient = () => new ChargerClient(portOf(startWorker('chargers')))

function portOf(worker: Worker): WorkerPort {
  return {
    postMessage: (question) => worker.postMessage(question),
    listen: (listener) => worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => listener(data)),
    onFailure: (listener) => worker.addEventListener('error', listener),
    terminate: () => worker.terminate(),
  }
}

/** Loads each new version of the set into the worker; the previous one stays until then. */
function useLoading(): void {
  const version = useShell(({ state }) => state?.chargers.status.version ?? 0)
  const client = useChargers((view) => view.client)
  useEffect(() => {
    if (client === null) return
    if (version === 0) {
      // Another service is used, of which nothing has been read yet: what is loaded is of the one before.
      if (useChargers.getState().version === 0) return
      client.close()
      useChargers.setState({ client: newClient(), version: 0, found: null, quick: {} })
      return
    }
    let isCurrent = true
    client.ask('load', { address: viewed(chargersPath(version)) }).then(
      () => {
        if (!isCurrent) return
        useChargers.setState({ version, failure: null })
        inBackground('use-chargers-setup.find', find)
      },
      (error: unknown) => {
        if (!isCurrent) return
        if (error instanceof WorkerFailed) useChargers.setState({ isWorkerGone: true })
        else useChargers.setState({ failure: error instanceof WorkerRefused ? error.why : { raw: String(error) } })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [client, version])
}

function useFavourites(): void {
  const favourites = useShell(({ state }) => state?.chargers.favourites)
  const client = useChargers((view) => view.client)
  useEffect(() => {
    if (client === null || favourites === undefined) return
    inBackground('chargers.favourites', () => client.ask('favourites', { ids: favourites }).then(find))
  }, [client, favourites])
}

function useChosenAircraft(): void {
  const { chosen } = useAircraft()
  const client = useChargers((view) => view.client)
  const key = chosen === null ? '' : JSON.stringify([chosen.connectors, chosen.types])
  useEffect(() => {
    if (client === null) return
    const [connectors, types] = key === '' ? [[], []] : (JSON.parse(key) as [string[], string[]])
    const aircraft = key === '' ? null : { connectors, types }
    inBackground('chargers.aircraft', () => client.ask('aircraft', { aircraft }).then(find))
  }, [client, key])
}

/** Saves changes with a delay. Returns stop, which saves what is pending. */
function saveChanges(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let saved: string | null = null
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    const view = useChargers.getState()
    const value = rememberedOf(view)
    const text = JSON.stringify(value)
    if (!view.isRestored || text === saved) return
    saved = text
    inBackground('views.save', () => ask('views.save', { name: 'chargers', value }))
  }
  const unsubscribe = useChargers.subscribe((view) => {
    if (!view.isRestored) return
    saved ??= JSON.stringify(rememberedOf(view))
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  })
  return () => {
    unsubscribe()
    save()
  }
}

function rememberedOf({ centre, zoom, sort, filter, from, ring, isListShown, lastRoute }: ChargersView): Remembered {
  return { centre, zoom, sort, filter, from, ring, isListShown, lastRoute }
}
