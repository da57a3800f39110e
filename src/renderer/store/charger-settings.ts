import type { UiSettings } from '../../shared/contract/settings.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'

type ChargerSettings = UiSettings['chargers']
export type RefreshMinutes = ChargerSettings['refreshMinutes']

/** The refresh intervals to choose from; 0 is by hand only. */
export const REFRESH_MINUTES: readonly RefreshMinutes[] = [1, 5, 15, 60, 0]

/**
 * Stores some of the chargers' settings; the others stay. If they are no longer as `before` because they were changed elsewhere, stores
 * nothing and says so. Resolves to whether they were stored.
 */
export async function changeChargers(
  part: Partial<ChargerSettings>,
  before: Partial<ChargerSettings> | undefined = useShell.getState().state?.settings.chargers,
): Promise<boolean> {
  if (before === undefined) return false
  const names = Object.keys(part) as (keyof ChargerSettings)[]
  const seen = Object.fromEntries(names.map((name) => [name, before[name]]))
  return (await askOrToast('settings.set', { chargers: part, seen: { chargers: seen } })) !== null
}
