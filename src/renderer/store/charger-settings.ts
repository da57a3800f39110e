import type { UiSettings } from '../../shared/contract/settings.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'

type ChargerSettings = UiSettings['chargers']
export type RefreshMinutes = ChargerSettings['refreshMinutes']

/** The refresh intervals to choose from; 0 is by hand only. */
export const REFRESH_MINUTES: readonly RefreshMinutes[] = [1, 5, 15, 60, 0]

/** Stores some of the chargers' settings; the others stay. */
export async function changeChargers(part: Partial<ChargerSettings>): Promise<void> {
  const before = useShell.getState().state?.settings.chargers
  if (before !== undefined) await askOrToast('settings.set', { chargers: { ...before, ...part } })
}
