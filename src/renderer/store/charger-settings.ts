import type { UiSettings } from '../../shared/contract/settings.ts'
import { askOrToast } from './bridge.ts'

type ChargerSettings = UiSettings['chargers']
export type RefreshMinutes = ChargerSettings['refreshMinutes']

/** The refresh intervals to choose from; 0 is by hand only. */
export const REFRESH_MINUTES: readonly RefreshMinutes[] = [1, 5, 15, 60, 0]

/** Stores some of the chargers' settings; the others stay. Resolves to whether they were stored. */
export const changeChargers = async (part: Partial<ChargerSettings>): Promise<boolean> =>
  (await askOrToast('settings.set', { chargers: part })) !== null
