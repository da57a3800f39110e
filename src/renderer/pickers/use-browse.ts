import { useCallback, useEffect, useRef, useState } from 'react'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import type { BrowseView, PlaceToken } from '../../shared/contract/places.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'

export interface Browsing {
  view: BrowseView | null
  /** Why the last request failed; the folder shown stays. */
  error: AppErrorShape | null
  isBusy: boolean
  open: (token: PlaceToken | null) => void
  up: (steps: number) => void
  /** Makes a folder and goes into it; why not, or null. */
  makeFolder: (name: string) => Promise<AppErrorShape | null>
}

/** Only the newest request counts: an answer that it overtook is dropped. */
export function useBrowse(): Browsing {
  const [view, setView] = useState<BrowseView | null>(null)
  const [error, setError] = useState<AppErrorShape | null>(null)
  const [isBusy, setBusy] = useState(true)
  const newest = useRef(0)

  const walk = useCallback(async (start: PlaceToken | null, steps: number) => {
    const round = ++newest.current
    setBusy(true)
    let result = await ask('places.browse', { folder: start })
    for (let n = 0; n < steps && result.ok && result.value.parent !== null; n++)
      result = await ask('places.browse', { folder: result.value.parent })
    if (round !== newest.current) return
    setBusy(false)
    setError(result.ok ? null : result.error)
    if (result.ok) setView(result.value)
  }, [])

  useEffect(() => {
    inBackground(() => walk(null, 0))
  }, [walk])

  return {
    view,
    error,
    isBusy,
    open: (token) => inBackground(() => walk(token, 0)),
    up: (steps) => {
      if (view?.parent != null && steps > 0) inBackground(() => walk(view.parent, steps - 1))
    },
    makeFolder: async (name) => {
      if (view === null) return null
      const result = await ask('places.makeFolder', { parent: view.here.token, name })
      if (!result.ok) return result.error
      await walk(result.value.token, 0)
      return null
    },
  }
}
