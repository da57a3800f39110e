import type { ChargerMap } from './charger-map.ts'
import { showRing } from '../store/chargers-actions.ts'
import type { RingChoice } from '../store/remembered.ts'

/** The mounted map, for other parts of the page that move it. */
let shown: ChargerMap | null = null

export function setShownMap(map: ChargerMap | null): void {
  shown = map
}

export function shownMap(): ChargerMap | null {
  return shown
}

/** Sets the ring and brings all of it into view. */
export function showRingOnMap(ring: RingChoice): void {
  showRing(ring)
  shownMap()?.revealRing(ring)
}
