/* Apart from the schemas, which the page does not load. */

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

const NO_HOURS = Object.fromEntries(WEEKDAYS.map((day) => [day, null])) as Record<Weekday, null>

/** A charger of which nothing is known but that it is there. */
export const NOTHING_KNOWN = {
  icao: null,
  airfield: null,
  location: null,
  manufacturer: null,
  connectors: [] as string[],
  aircraftTypes: [] as string[],
  softwareVersion: null,
  paymentTypes: [] as string[],
  available: null,
  liveState: null,
  liveStateSyncedAt: null,
  availability: NO_HOURS,
  type: null,
  kw: null,
}
