import type { ChargePoint } from './charger.ts'
import { distanceNm, type Point } from './distance.ts'
import type { PreparedCharger } from './prepare.ts'
import { PointIndex } from './route/point-index.ts'

/** The chargers at one airfield, which share one marker and one list. */
export interface Site extends Pick<ChargePoint, 'icao' | 'airfield'> {
  /** Stable for the same chargers: derived from the lowest id. */
  key: string
  /** That of the first charger that an operator marked, else of the first that has one. */
  at: Point | null
  /** In the order of all chargers. */
  members: readonly PreparedCharger[]
}

/** 50 metres. */
const NEIGHBOUR_NM = 0.027
/** Wider than any airfield: of two chargers farther apart, one is not where its code says, and gets its own marker. */
const AIRFIELD_NM = 8
/** A code that more chargers have says nothing. */
const MAX_OF_CODE = 200

/**
 * Groups chargers by airfield: the same code (or name), or within 50 m of each other. Chargers without coordinates join the first group of
 * their code. Groups are in the order of their first chargers.
 */
export function groupChargers(all: readonly PreparedCharger[]): Site[] {
  const placed = all.filter(({ vector }) => vector !== null)
  const near = new PointIndex(
    placed.map(({ vector }) => vector!),
    NEIGHBOUR_NM,
  )
  const ofCode = Map.groupBy(all, codeOf)
  const groupOf = new Map<PreparedCharger, PreparedCharger>()
  // Those without a place last: they lead to no other place.
  for (const first of [...placed, ...all]) {
    if (groupOf.has(first)) continue
    const members: PreparedCharger[] = []
    const take = (one: PreparedCharger) => {
      if (!groupOf.has(one)) {
        groupOf.set(one, first)
        members.push(one)
      }
      return true
    }
    take(first)
    for (const here of members) {
      if (here.vector !== null) near.visit(here.vector, NEIGHBOUR_NM, (other) => take(placed[other]!))
      const alike = codeOf(here) === '' ? [] : ofCode.get(codeOf(here))!
      if (alike.length <= MAX_OF_CODE) for (const other of alike) if (isTogether(here, other)) take(other)
    }
  }
  return [...Map.groupBy(all, (one) => groupOf.get(one)!).values()].map(siteOf)
}

const codeOf = ({ code, names }: PreparedCharger) => code || names

/** Of one code: what stands near enough, and what has no place. */
const isTogether = ({ place: one }: PreparedCharger, { place: other }: PreparedCharger) =>
  other === null || (distanceNm(one, other) ?? Infinity) < AIRFIELD_NM

function siteOf(members: readonly PreparedCharger[]): Site {
  const marked = members.find(({ place, charger }) => place !== null && charger.location?.source === 'charge_point')
  return {
    key: String(members.reduce((least, { charger }) => Math.min(least, charger.id), Infinity)),
    icao: members.find(({ charger }) => charger.icao !== null)?.charger.icao ?? null,
    airfield: members.find(({ charger }) => charger.airfield !== null)?.charger.airfield ?? null,
    at: (marked ?? members.find(({ place }) => place !== null))?.place ?? null,
    members,
  }
}

/** "EDAZ Schönhagen", or the part of it that is known. */
export function nameOf({ icao, airfield }: Pick<ChargePoint, 'icao' | 'airfield'>): string {
  return [icao, airfield].filter((part) => part !== null && part.trim() !== '').join(' ')
}
