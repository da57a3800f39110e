import type { ChargePoint } from './charger.ts'
import { DisjointSets } from './disjoint-sets.ts'
import { distanceKm, isPoint } from './distance.ts'
import { joinNeighbours } from './join-neighbours.ts'

type Placed = Pick<ChargePoint, 'id' | 'icao' | 'airfield' | 'location'>

/** Chargers that share one marker and one list, in input order. */
interface ChargerGroup<Charger extends Placed> {
  /** Stable for the same chargers: derived from the lowest id. */
  key: string
  /** From the first charger that has one. */
  icao: string | null
  airfield: string | null
  /** From the first charger that an operator marked, else from the first that has one; null when none has coordinates. */
  location: ChargePoint['location']
  chargers: Charger[]
}

/** Wider than any airfield: of two chargers farther apart than this, one is not where its code says, and gets its own marker. */
const AIRFIELD_KM = 15
/** Bad data may give one code to thousands of places: each place is compared with at most this many. */
const MAX_PLACES_OF_CODE = 20

/**
 * Groups chargers by airfield: the same code, or within 50 m of each other. Chargers without coordinates join the first group
 * of their code. Groups are in the order of their first chargers.
 */
export function groupChargers<Charger extends Placed>(chargers: readonly Charger[]): ChargerGroup<Charger>[] {
  const sets = new DisjointSets(chargers.length)
  joinByCode(chargers, sets)
  joinNeighbours(chargers, (one, other) => sets.join(one, other))
  const members = new Map<number, Charger[]>()
  chargers.forEach((charger, at) => {
    const root = sets.rootOf(at)
    const group = members.get(root)
    if (group === undefined) members.set(root, [charger])
    else group.push(charger)
  })
  return [...members.values()].map(groupOf)
}

function groupOf<Charger extends Placed>(chargers: Charger[]): ChargerGroup<Charger> {
  const located = chargers.filter(({ location }) => isPoint(location))
  const marked = located.find(({ location }) => location?.source === 'charge_point')
  return {
    key: String(chargers.reduce((least, { id }) => Math.min(least, id), Infinity)),
    icao: chargers.find(({ icao }) => icao !== null)?.icao ?? null,
    airfield: chargers.find(({ airfield }) => airfield !== null)?.airfield ?? null,
    location: (marked ?? located[0])?.location ?? null,
    chargers,
  }
}

function joinByCode(chargers: readonly Placed[], sets: DisjointSets): void {
  const byCode = new Map<string, number[]>()
  chargers.forEach(({ icao }, at) => {
    const code = icao?.trim().toUpperCase() ?? ''
    if (code === '') return
    const same = byCode.get(code)
    if (same === undefined) byCode.set(code, [at])
    else same.push(at)
  })
  for (const same of byCode.values()) if (same.length > 1) joinOneCode(chargers, same, sets)
}

/** Each charger joins the first place of its code that is near enough. */
function joinOneCode(chargers: readonly Placed[], same: readonly number[], sets: DisjointSets): void {
  const places: number[] = []
  const unplaced: number[] = []
  for (const at of same) {
    const location = chargers[at]?.location ?? null
    if (!isPoint(location)) {
      unplaced.push(at)
      continue
    }
    const near = places.find(
      (place) => (distanceKm(chargers[place]?.location ?? null, location) ?? Infinity) < AIRFIELD_KM,
    )
    if (near !== undefined) sets.join(near, at)
    else if (places.length < MAX_PLACES_OF_CODE) places.push(at)
  }
  const first = places[0] ?? unplaced[0]
  if (first !== undefined) for (const at of unplaced) sets.join(first, at)
}
