import type { UiSettings } from '../../shared/contract/settings.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'

type ChargerSettings = UiSettings['chargers']
export type RefreshMinutes = ChargerSettings['refreshMinutes']

/** The refresh intervals to choose from; 0 is by hand only. */
export const REFRESH_MINUTES: readonly RefreshMinutes[] = [1, 5, 15, 60, 0]

/** Stores some of the chargers' settings; the others stay. If they were just changed elsewhere, stores nothing and says so. */
export async function changeChargers(part: Partial<ChargerSettings>): Promise<void> {
  const before = useShell.getState().state?.settings.chargers
  if (before === undefined) return
  const names = Object.keys(part) as (keyof ChargerSettings)[]
  const seen = Object.fromEntries(names.map((name) => [name, before[name]]))
  await askOrToast('settings.set', { chargers: part, seen: { chargers: seen } })
}
