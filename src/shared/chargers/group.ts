import type { ChargePoint } from './charger.ts'
import { distanceNm, type Point } from './distance.ts'
import type { PreparedCharger } from './prepare.ts'
import { NearSites } from './route/near-sites.ts'

type Placed = Pick<PreparedCharger, 'charger' | 'code' | 'names' | 'place' | 'vector'>

/** The chargers at one airfield, which share one marker and one list. */
export interface Site extends Pick<ChargePoint, 'icao' | 'airfield'> {
  /** Stable for the same chargers: derived from the lowest id. */
  key: string
  /** That of the first charger that an operator marked, else of the first that has one. */
  at: Point | null
  /** Indexes into all chargers, ascending. */
  members: readonly number[]
}

/** 50 metres. */
const NEIGHBOUR_NM = 0.027
/** Wider than any airfield: of two chargers farther apart than this, one is not where its code says, and gets its own marker. */
const AIRFIELD_NM = 8
/** More than stand at an airfield: a code that more have says nothing. */
const MOST_OF_CODE = 200

/**
 * Groups chargers by airfield: the same code (the same name where there is no code), or within 50 m of each other. Chargers without
 * coordinates join the first group of their code. Groups are in the order of their first chargers.
 */
export function groupChargers(all: readonly Placed[]): Site[] {
  const placed = [...all.keys()].filter((at) => all[at]!.vector !== null)
  const near = new NearSites(
    placed.map((at) => all[at]!.vector!),
    NEIGHBOUR_NM,
  )
  const ofCode = Map.groupBy(all.keys(), (at) => codeOf(all[at]!))
  const isTaken = new Uint8Array(all.length)
  const groups: number[][] = []
  // Those without a place last: they lead to no other place.
  for (const first of [...placed, ...all.keys()]) {
    if (isTaken[first] === 1) continue
    const members: number[] = []
    const take = (at: number) => {
      if (isTaken[at] === 0) members.push(at)
      isTaken[at] = 1
      return true
    }
    take(first)
    for (const at of members) {
      const here = all[at]!
      if (here.vector !== null) near.visit(here.vector, NEIGHBOUR_NM, (other) => take(placed[other]!))
      const alike = codeOf(here) === '' ? [] : ofCode.get(codeOf(here))!
      if (alike.length <= MOST_OF_CODE) for (const other of alike) if (isTogether(here, all[other]!)) take(other)
    }
    groups.push(members.sort((one, other) => one - other))
  }
  groups.sort(([one], [other]) => one! - other!)
  return groups.map((members) => siteOf(all, members))
}

const codeOf = ({ code, names }: Placed) => code || names

/** Of one code: what stands near enough, and what has no place. */
const isTogether = ({ place: one }: Placed, { place: other }: Placed) =>
  other === null || (distanceNm(one, other) ?? Infinity) < AIRFIELD_NM

function siteOf(all: readonly Placed[], members: readonly number[]): Site {
  const here = members.map((at) => all[at]!)
  const marked = here.find(({ place, charger }) => place !== null && charger.location?.source === 'charge_point')
  return {
    key: String(here.reduce((least, { charger }) => Math.min(least, charger.id), Infinity)),
    icao: here.find(({ charger }) => charger.icao !== null)?.charger.icao ?? null,
    airfield: here.find(({ charger }) => charger.airfield !== null)?.charger.airfield ?? null,
    at: (marked ?? here.find(({ place }) => place !== null))?.place ?? null,
    members,
  }
}

/** "EDAZ Schönhagen", or the part of it that is known. */
export function nameOf({ icao, airfield }: Pick<ChargePoint, 'icao' | 'airfield'>): string {
  return [icao, airfield].filter((part) => part !== null && part.trim() !== '').join(' ')
}
