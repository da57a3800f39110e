import { ATTACKS } from './attacks.ts'
import { ALL_DAY, everyDay, record } from './charger-records.ts'

/* A list of chargers as no service should give it. */

/** One letter without a gap, text that turns round and is never turned back, and text that is nothing to the eye. */
const TEXTS = [...ATTACKS, 'W'.repeat(20_000), 'turned \u202e\u2067 round', '\u200b\u2060\ufeff']
/** The first of these stand at one airfield, where one marker stands for all of them. */
export const AT_ONE_AIRFIELD = 6
const ONE_AIRFIELD = { lat: 52.2036, lng: 13.1564 }
/** Where a record of strange hours, power or state stands: every place is known to be right there. */
const FINE = { lat: 47.67, lng: 9.51 }
/** Becomes a number beyond all numbers on the wire: JSON.stringify cannot write it. */
const BEYOND = '"beyond all numbers"'

type Odd = Record<string, unknown>

const at = (lat: unknown, lng: unknown): Odd => ({ location: { lat, lng, source: 'arp' } })
const week = (hours: unknown): Odd => ({ availability: everyDay(hours as typeof ALL_DAY) })
const PLACES: Odd[] = [
  at(null, null),
  at(48, null),
  at(0, 0),
  at(91, 10),
  at(-90.5, 10),
  at(48, 180.5),
  at(48, -540),
  at('NaN', 'NaN'),
  at(true, []),
  at(JSON.parse(BEYOND), 10),
  { location: null },
  { location: [48, 10] },
  { location: 'POINT(10 48)' },
  { location: undefined },
]
const SHOWN_PLACES: Odd[] = [
  at('48.1', ' 10.25 '),
  at(90, 0),
  at(-90, 0),
  at(-17, 180),
  at(-17.5, -180),
  at(-18, 179.9999),
  at(-18.5, -179.9999),
]
const MEMBERS: Odd[] = [
  ...['22', '22 kW', '2x22', '2 × 22,5 kW', null, 22, '', 'NaN', '-5', '1e9', '∞', 'plenty', {}].map((kw) => ({ kw })),
  ...['warp', '', 'AVAILABLE', 7, ['available'], '__proto__'].map((live_state) => ({ live_state })),
  ...['yesterday', '2026-13-45T99:99:99Z', '9999-12-31T23:59:59Z', 5].map((when) => ({ live_state_synced_at: when })),
  ...['plasma', null, 42, 'AC/DC', ''].map((type) => ({ type })),
  ...[null, [], 'always', { monday: null }, { someday: ALL_DAY }].map((availability) => ({ availability })),
  week({ open: true, from: '22:00', to: '06:00' }),
  week({ open: true, from: '8am', to: '25:00' }),
  week({ open: true, from: '00:00', to: '00:00' }),
  week({ open: true }),
  week({ open: 'yes', from: 8, to: 20 }),
  ...[null, 'CCS2', [null, 5, {}, 'CCS2'], Array.from({ length: 300 }, (_, n) => `C${n}`)].map((connectors) => ({
    connectors,
  })),
  ...['yes', null, 0].map((available) => ({ available, live_state: null })),
  { manufacturer: 7, software_version: {}, payment_types: {}, aircraft_types: 'all' },
]
/** Of these nothing can be shown: there is no telling which charger is meant. */
const WITHOUT_ID = [null, 'charger', 7, [], {}, { id: 'seven' }, { id: 7.5 }, { id: null }, { id: 2 ** 60 }]

/** Records that say who they are in their names, "Attack 003 …" and "Odd 017", and those that nobody can use. */
export interface HostileSet {
  names: string[]
  /** What the first of these say in all their texts. */
  texts: readonly string[]
  /** Names of those at places where maps go wrong. */
  placed: string[]
  /** How many have no place. */
  unplaced: number
  unusable: number
  body: string
}

const padded = (n: number) => String(n).padStart(3, '0')

/** `liveState` is that of every charger that has a text for one, and `syncedAt` its time. */
export function hostileSet(
  liveState: (text: string) => string = (text) => text,
  syncedAt: (text: string) => string = (text) => text,
): HostileSet {
  const attacks = TEXTS.map((text, n) => {
    const near = n < AT_ONE_AIRFIELD ? ONE_AIRFIELD : { lat: 36 + (n % 12) * 2, lng: -8 + Math.floor(n / 12) * 5 }
    return {
      ...record({ id: n + 1, icao: text, airfield: `Attack ${padded(n + 1)} ${text}`, ...near }),
      manufacturer: text,
      connectors: [text],
      aircraft_types: [text],
      software_version: text,
      payment_types: [text],
      live_state: liveState(text),
      live_state_synced_at: syncedAt(text),
      type: text,
      kw: text,
      availability: { monday: text, tuesday: { open: true, from: text, to: text } },
      location: { ...near, source: text },
    }
  })
  const oddities = [...SHOWN_PLACES, ...PLACES, ...MEMBERS]
  const odd = oddities.map((members, n) =>
    record({ id: 1000 + n, icao: `ZZ${n}`, airfield: `Odd ${padded(n)}`, ...FINE }, members),
  )
  const ids = [0, -1, Number.MAX_SAFE_INTEGER].map((id) =>
    record({ id, icao: 'ZZID', airfield: `Odd id ${id}`, ...FINE }),
  )
  const nameless = [record({ id: 5000, icao: null as never, airfield: null as never, lat: 60, lng: 20 })]
  // The later record of one id counts.
  const twice = [1000, 1001].map((id) => ({ ...odd[0]!, id, icao: 'ZZ00', airfield: 'Never shown' }))
  const records = [...twice, ...attacks, ...odd, ...ids, ...nameless, ...WITHOUT_ID]
  return {
    names: [...attacks, ...odd, ...ids].map(({ airfield }) => airfield),
    placed: odd.slice(0, SHOWN_PLACES.length).map(({ airfield }) => airfield),
    texts: TEXTS,
    unplaced: PLACES.length,
    unusable: WITHOUT_ID.length,
    body: JSON.stringify({
      data: records,
      meta: { current_page: 1, per_page: 200, total: records.length - twice.length, last_page: 1 },
    }).replaceAll(BEYOND, '1e999'),
  }
}
