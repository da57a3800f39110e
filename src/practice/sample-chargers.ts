import { WEEKDAYS, type Weekday } from '../shared/chargers/opening-week.ts'
import type { Random } from '../shared/runtime/ports.ts'
import type { ChargerSet } from './protocol.ts'
import { availableFor } from './not-shown.ts'
import { SAMPLE_AIRFIELDS, type SampleAirfield } from './sample-airfields.ts'
import { seededRandom } from './seeded-random.ts'

/** Charger document, "States and transitions". */
export const LIVE_STATES = [
  'available',
  'busy',
  'busy-blocked',
  'busy-charging',
  'busy-non-charging',
  'busy-non-released',
  'busy-reserved',
  'busy-scheduled',
  'error',
  'disconnected',
  'passive',
  'maintenance',
  'exempt',
  'other',
] as const

interface Hours {
  open: boolean
  from: string
  to: string
}

/** A charger as stored; `chargePointView` converts it to the documented shape. */
export type StoredCharger = ReturnType<typeof makeCharger>

/** Fictitious manufacturers, so that the sample is not taken for a statement about real ones. */
const MANUFACTURERS = ['Sample Volt', 'Example Charging', null, 'Demo Aero Power', 'Specimen Energy']
const SOFTWARE = ['1.4.2', null, '2.0.0-beta.3', '2024.11', 'v3']
const POWER: { type: string; kw: string | null; connectors: string[] }[] = [
  { type: 'DC', kw: '40', connectors: ['GB/T DC'] },
  { type: 'AC', kw: '22', connectors: ['Type 2'] },
  { type: 'DC', kw: '65.0', connectors: ['CCS2', 'GB/T DC'] },
  { type: 'DC', kw: null, connectors: ['CCS2'] },
  { type: 'AC', kw: '11 kW', connectors: ['Type 2', 'Schuko'] },
  { type: 'DC', kw: '320', connectors: ['CCS1', 'CCS2'] },
  { type: 'AC/DC', kw: '2x30', connectors: ['CCS2', 'Type 2'] },
  { type: 'DC', kw: '19,2', connectors: ['GB/T DC', 'CHAdeMO'] },
  { type: 'AC', kw: '3.7', connectors: [] },
]
const AIRCRAFT = [
  ['Velis Electro'],
  ['Velis Electro', 'Alpha Electro'],
  [],
  ['ALIA CTOL'],
  ['Elektra Trainer', 'eDA40', 'Velis Electro'],
]
const PAYMENT = [['Free'], ['App', 'RFID card'], ['Credit card'], ['Invoice'], []]

const ALL_DAY: Hours = { open: true, from: '00:00', to: '23:59' }
const CLOSED: Hours = { open: false, from: '00:00', to: '00:00' }
const OFFICE: Hours = { open: true, from: '08:00', to: '18:00' }
const NIGHT: Hours = { open: true, from: '18:00', to: '02:00' }

function week(weekday: Hours, saturday: Hours, sunday: Hours): Record<Weekday, Hours> {
  const days = WEEKDAYS.map((day) => [day, day === 'saturday' ? saturday : day === 'sunday' ? sunday : weekday])
  return Object.fromEntries(days) as Record<Weekday, Hours>
}

const OPENING = [
  week(ALL_DAY, ALL_DAY, ALL_DAY),
  week(OFFICE, { open: true, from: '09:00', to: '17:00' }, CLOSED),
  week(OFFICE, NIGHT, NIGHT),
  week(CLOSED, ALL_DAY, ALL_DAY),
  week({ open: true, from: '07:30', to: '20:15' }, OFFICE, OFFICE),
]

function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Every second charger is linked; the linked ones go through all live states in turn. */
function makeCharger(id: number, site: SampleAirfield, at: number) {
  const liveState = at % 3 === 2 ? null : pick(LIVE_STATES, Math.floor((at * 2 + 2) / 3))
  const marked = at % 2 === 0 && site.position !== null
  return {
    approved: true,
    icao: site.icao,
    locator: site.locator,
    country: site.country,
    // Marked chargers are placed a little off the reference point, each at its own position.
    position: marked && site.position ? offset(site.position, at) : site.position,
    source: marked ? 'charge_point' : 'arp',
    /** The age of the live state whenever it is requested. */
    syncedAgoMs: (at % 20) * 60_000,
    /** In the list as here. */
    shown: {
      id,
      airfield: site.name,
      manufacturer: pick(MANUFACTURERS, at),
      software_version: pick(SOFTWARE, at + 1),
      aircraft_types: pick(AIRCRAFT, at),
      payment_types: pick(PAYMENT, at + 2),
      available: liveState === null ? at % 4 !== 1 : availableFor(liveState),
      live_state: liveState,
      availability: pick(OPENING, at),
      ...pick(POWER, at),
    },
  }
}

function offset(position: { lat: number; lng: number }, at: number): { lat: number; lng: number } {
  const round = (value: number): number => Math.round(value * 1e5) / 1e5
  return { lat: round(position.lat + ((at % 7) - 3) * 0.0009), lng: round(position.lng + ((at % 5) - 2) * 0.0014) }
}

/** The built-in set. Ids have gaps, and some chargers are not approved and must never be seen. */
function sampleChargers(): StoredCharger[] {
  const chargers: StoredCharger[] = []
  let id = 100
  for (const site of SAMPLE_AIRFIELDS) {
    for (let nth = 0; nth < site.chargers; nth += 1) {
      id += 1 + (chargers.length % 3)
      chargers.push({ ...makeCharger(id, site, chargers.length), approved: chargers.length % 23 !== 7 })
    }
  }
  return chargers
}

/** `count` approved chargers at invented places around the sample airfields, with invented locators and names that claim no place. */
function generateChargers(count: number, random: Random): StoredCharger[] {
  const sites = SAMPLE_AIRFIELDS.filter((site) => site.position !== null)
  return Array.from({ length: count }, (_, at) => {
    const near = pick(sites, Math.floor(random() * sites.length))
    const position = near.position && {
      lat: Math.round((near.position.lat + (random() - 0.5) * 6) * 1e5) / 1e5,
      lng: Math.round((near.position.lng + (random() - 0.5) * 8) * 1e5) / 1e5,
    }
    const locator = `X${at.toString(36).toUpperCase().padStart(4, '0')}`
    const site = { ...near, icao: null, locator, name: `Sample field ${at + 1}`, position }
    return makeCharger(at + 1, site, at)
  })
}

/** Ascending by id. The same set and seed give the same chargers. */
export function makeChargers(set: ChargerSet, seed: number): StoredCharger[] {
  return set === 'sample' ? sampleChargers() : generateChargers(set, seededRandom(seed))
}
