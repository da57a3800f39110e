import type { ChargePoint } from './charger.ts'
import { distanceNm, isPoint, unitVector } from './distance.ts'
import { NearSites } from './route/near-sites.ts'

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

/** 50 metres. */
const NEIGHBOUR_NM = 0.027
/** Wider than any airfield: of two chargers farther apart than this, one is not where its code says, and gets its own marker. */
const AIRFIELD_NM = 8
/** More than stand at an airfield: a code that more have says nothing. */
const MOST_OF_CODE = 200

/**
 * Groups chargers by airfield: the same code, or within 50 m of each other. Chargers without coordinates join the first group
 * of their code. Groups are in the order of their first chargers.
 */
export function groupChargers<Charger extends Placed>(chargers: readonly Charger[]): ChargerGroup<Charger>[] {
  const placed = [...chargers.keys()].filter((at) => isPoint(chargers[at]!.location))
  const near = new NearSites(
    placed.map((at) => unitVector(chargers[at]!.location!)),
    NEIGHBOUR_NM,
  )
  const nth = new Map(placed.map((at, place) => [at, place]))
  const ofCode = Map.groupBy(chargers.keys(), (at) => codeOf(chargers[at]!))
  const isTaken = new Uint8Array(chargers.length)
  const groups: number[][] = []
  // Those without a place last: they lead to no other place.
  for (const first of [...placed, ...chargers.keys()]) {
    if (isTaken[first] === 1) continue
    const members: number[] = []
    const take = (at: number) => {
      if (isTaken[at] === 1) return
      isTaken[at] = 1
      members.push(at)
    }
    take(first)
    for (const at of members) {
      const place = nth.get(at)
      if (place !== undefined)
        near.visit(near.vectors[place]!, NEIGHBOUR_NM, (other) => {
          take(placed[other]!)
          return true
        })
      const code = codeOf(chargers[at]!)
      const alike = code === '' ? [] : (ofCode.get(code) ?? [])
      if (alike.length <= MOST_OF_CODE)
        for (const other of alike) if (isTaken[other] === 0 && isTogether(chargers[at]!, chargers[other]!)) take(other)
    }
    groups.push(members.sort((one, other) => one - other))
  }
  groups.sort(([one], [other]) => one! - other!)
  return groups.map((members) => groupOf(members.map((at) => chargers[at]!)))
}

const codeOf = ({ icao }: Placed) => icao?.trim().toUpperCase() ?? ''

/** Of one code: what stands near enough, and what has no place. */
const isTogether = ({ location: one }: Placed, { location: other }: Placed) =>
  !isPoint(other) || (distanceNm(one, other) ?? Infinity) < AIRFIELD_NM

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
