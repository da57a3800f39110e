import type { ChargerMap } from './charger-map.ts'
import { showRing } from '../store/chargers-actions.ts'
import type { RingChoice } from '../store/remembered.ts'

/** The map that is shown, for the parts of the page that send it somewhere. */
let shown: ChargerMap | null = null

export function setShownMap(map: ChargerMap | null): void {
  shown = map
}

export function shownMap(): ChargerMap | null {
  return shown
}

/** Places the ring and moves the map so that all of it is in view. */
export function showRingOnMap(ring: RingChoice): void {
  showRing(ring)
  shownMap()?.revealRing(ring)
}
