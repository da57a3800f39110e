import { showRing } from '../store/chargers-actions.ts'
import type { RingChoice } from '../store/remembered.ts'
import { theMap } from './the-map.ts'

/** Lays the ring where a person wants it and has the map show all of it. */
export function layRing(ring: RingChoice): void {
  showRing(ring)
  theMap()?.revealRing(ring)
}
