import type { SavedRoute } from '../../shared/settings/settings.ts'
import { changeChargers } from './charger-settings.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from './shell-store.ts'

const NONE: readonly SavedRoute[] = []

function savedRoutes(): readonly SavedRoute[] {
  return useShell.getState().state?.settings.chargers.routes ?? NONE
}

export const useSavedRoutes = () => useShell(({ state }) => state?.settings.chargers.routes ?? NONE)

export function setSavedRoutes(routes: readonly SavedRoute[]): void {
  inBackground(() => changeChargers({ routes: [...routes] }))
}

export function changeSavedRoute(id: string, change: Partial<SavedRoute>): void {
  setSavedRoutes(savedRoutes().map((one) => (one.id === id ? { ...one, ...change } : one)))
}
