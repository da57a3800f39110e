import { PLACES, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import { inBackground } from '../bridge/in-background.ts'
import { askOrToast } from './bridge.ts'
import { useShell } from './shell-store.ts'
import { goTo, showOverlay } from './view-store.ts'

const toPlaces = Object.fromEntries(PLACES.map((place) => [place, () => goTo(place)])) as Record<PlaceName, () => void>

/** What can be done from anywhere in the window, by its keys (`SHORTCUTS`), the command palette or a button. */
export const windowActions = {
  ...toPlaces,
  palette: () => showOverlay({ kind: 'palette' }),
  shortcuts: () => showOverlay({ kind: 'shortcuts' }),
  /** Nothing new is sent while paused; the results of what was sent are still fetched. */
  pauseOrResume: () => {
    const call = useShell.getState().state?.settings.paused ? 'queue.resume' : 'queue.pause'
    inBackground(() => askOrToast(call, {}))
  },
}
