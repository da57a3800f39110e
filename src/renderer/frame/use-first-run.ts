import { useEffect } from 'react'
import { useShell } from '../store/shell-store.ts'
import { showOverlay, useView } from '../store/view-store.ts'

/** Asks which service to begin with, as long as no choice was made and no account is in use. */
export function useFirstRun(): void {
  const isKnown = useShell(({ state }) => state !== null)
  useEffect(() => {
    const { state } = useShell.getState()
    if (state === null || state.settings.firstRunDone || useView.getState().overlay !== null) return
    if (state.service?.practice ?? true) showOverlay({ kind: 'firstRun' })
  }, [isKnown])
}
