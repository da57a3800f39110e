import type { ChargerMap } from './charger-map.ts'

/** The map that is shown, for the parts of the page that send it somewhere. */
let shown: ChargerMap | null = null

export function setTheMap(map: ChargerMap | null): void {
  shown = map
}

export function theMap(): ChargerMap | null {
  return shown
}
