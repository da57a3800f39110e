import { useEffect } from 'react'
import { useShell } from '../store/shell-store.ts'
import { showOverlay, useView } from '../store/view-store.ts'

/** Asks once, as long as no choice was made, which service to begin with. */
export function useFirstRun(): void {
  const isDone = useShell(({ state }) => state?.settings.firstRunDone ?? true)
  useEffect(() => {
    if (!isDone && useView.getState().overlay === null) showOverlay({ kind: 'firstRun' })
  }, [isDone])
}
