import type { ChargerMap } from './charger-map.ts'
import { showRing } from '../store/chargers-actions.ts'
import type { RingChoice } from '../store/remembered.ts'

/** The map that is shown, for the parts of the page that send it somewhere. */
let shown: ChargerMap | null = null

export function setTheMap(map: ChargerMap | null): void {
  shown = map
}

export function theMap(): ChargerMap | null {
  return shown
}

/** Lays the ring where a person wants it and has the map show all of it. */
export function layRing(ring: RingChoice): void {
  showRing(ring)
  theMap()?.revealRing(ring)
}
