import type { UiSettings } from '../../shared/contract/settings.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'

type ChargerSettings = UiSettings['chargers']
type RefreshMinutes = ChargerSettings['refreshMinutes']

/** The refresh intervals to choose from; 0 is by hand only. */
export const REFRESH_MINUTES: readonly RefreshMinutes[] = [1, 5, 15, 60, 0]

let turn: Promise<unknown> = Promise.resolve()

/** Changes follow one another: a function is given what the one before has stored. False if it failed, which a toast says. */
export function changeChargers(
  change: Partial<ChargerSettings> | ((now: ChargerSettings) => Partial<ChargerSettings>),
): Promise<boolean> {
  const changed = turn.then(async () => {
    const now = useShell.getState().state?.settings.chargers
    if (now === undefined) return false
    const part = typeof change === 'function' ? change(now) : change
    if ((await askOrToast('settings.set', { chargers: part })) === null) return false
    // The stream tells it too, but maybe only after the next change has begun.
    useShell.setState(({ state }) => ({
      state: state && { ...state, settings: { ...state.settings, chargers: { ...state.settings.chargers, ...part } } },
    }))
    return true
  })
  turn = changed.catch(() => undefined)
  return changed
}
