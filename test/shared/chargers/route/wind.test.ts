import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bearingDegrees, distanceNm, unitVector, type Point } from '../../../../src/shared/chargers/distance.ts'
import {
  findRoute,
  longestLeg,
  type ChargeSite,
  type FoundStop,
  type RoutePreference,
  type RouteEnds,
  type RouteQuestion,
} from '../../../../src/shared/chargers/route/find-route.ts'
import { NearSites } from '../../../../src/shared/chargers/route/near-sites.ts'
import {
  groundShare,
  mostGroundShare,
  readWind,
  relativeWind,
  type Wind,
} from '../../../../src/shared/chargers/route/wind.ts'

const SPEED_KT = 90
const TIME = { speedKt: SPEED_KT, kwhPerNm: 0.3, groundMinutes: 15 }

const longestLegOf = (sites: readonly ChargeSite[], ends: RouteEnds) =>
  longestLeg(
    sites,
    sites.map(({ place }) => unitVector(place)),
    ends,
  )

const search = (sites: readonly ChargeSite[], question: RouteQuestion) => {
  const vectors = sites.map(({ place }) => unitVector(place))
  return findRoute(sites, new NearSites(vectors, question.usableNm * mostGroundShare(question.wind ?? null)), question)
}

/** The ground speed for which the aircraft's way through the air is as long as its airspeed: a quadratic equation. */
function groundKt({ fromDegrees, knots }: Wind, track: number): number {
  const radians = Math.PI / 180
  const along = -knots * Math.cos((fromDegrees - track) * radians)
  return along + Math.sqrt(along * along - knots * knots + SPEED_KT * SPEED_KT)
}

interface Question {
  from: Point
  through: readonly Point[]
  usableNm: number
  prefer: RoutePreference
  wind: Wind
}

/** What each chain of stops costs, with stretches that are too long in the air left out. */
function costOf(
  sites: readonly ChargeSite[],
  question: Question,
  stops: readonly FoundStop[],
): [number, number] | null {
  const { from, through, usableNm, prefer, wind } = question
  const slowest = Math.min(...sites.map(({ kw }) => kw ?? Infinity))
  let [place, passed, ground, minutes, unknown] = [from, 0, 0, 0, 0]
  for (const stop of [...stops, null]) {
    let air = 0
    const fly = (to: Point) => {
      const nm = distanceNm(place, to)!
      ground += nm
      air += (nm * SPEED_KT) / groundKt(wind, bearingDegrees(place, to)!)
      place = to
    }
    for (const to = stop?.passed ?? through.length; passed < to; passed += 1) fly(through[passed]!)
    if (stop !== null) fly(sites[stop.site]!.place)
    if (air > usableNm + 2e-6) return null
    minutes += (air / SPEED_KT) * 60
    if (stop === null) continue
    const { kw } = sites[stop.site]!
    unknown += Number(kw === null)
    minutes += TIME.groundMinutes + ((air * TIME.kwhPerNm) / (kw ?? slowest)) * 60
  }
  if (prefer === 'time') return [unknown, minutes]
  return prefer === 'stops' ? [stops.length, ground] : [ground, stops.length]
}

const isBetter = (one: [number, number], other: [number, number]) =>
  one[0] < other[0] - 1e-5 || (Math.abs(one[0] - other[0]) <= 1e-5 && one[1] < other[1] - 1e-5)

/** Every chain of stops there is: no site twice between two places passed. */
function bruteForce(sites: readonly ChargeSite[], question: Question): [number, number] | null {
  let best: [number, number] | null = null
  const go = (stops: FoundStop[], passed: number) => {
    const whole = costOf(sites, question, stops)
    if (whole !== null && (best === null || isBetter(whole, best))) best = whole
    for (let to = passed; to < question.through.length; to += 1)
      for (let site = 0; site < sites.length; site += 1) {
        if (stops.some((stop) => stop.site === site && stop.passed === to)) continue
        const through = [...question.through.slice(0, to), sites[site]!.place]
        if (costOf(sites, { ...question, through }, stops) !== null) go([...stops, { site, passed: to }], to)
      }
  }
  go([], 0)
  return best
}

const around = (centre: Point): fc.Arbitrary<Point> => {
  const offset = (degrees: number) => fc.noBias(fc.integer({ min: -1000, max: 1000 }).map((n) => (n / 1000) * degrees))
  return fc.tuple(offset(1.5), offset(Math.abs(centre.lat) > 80 ? 180 : 1.5)).map(([lat, lng]) => ({
    lat: Math.max(-89.99, Math.min(89.99, centre.lat + lat)),
    lng: ((((centre.lng + lng + 180) % 360) + 360) % 360) - 180,
  }))
}
const CENTRES: Point[] = [
  { lat: 48, lng: 11 },
  { lat: -17, lng: 179.9 },
  { lat: 88.4, lng: 0 },
]
const networks = fc.tuple(fc.constantFrom(...CENTRES), fc.constantFrom(1, 2)).chain(([centre, ends]) =>
  fc.record({
    from: around(centre),
    through: fc.array(around(centre), { minLength: ends, maxLength: ends }),
    sites: fc.array(
      fc.record({ place: around(centre), kw: fc.option(fc.constantFrom(11, 22, 50, 150), { freq: 4 }) }),
      { maxLength: ends === 1 ? 7 : 4, size: 'max' },
    ),
    usableNm: fc.noBias(fc.integer({ min: 45, max: 110 })),
    prefer: fc.constantFrom('stops' as const, 'distance' as const, 'time' as const),
    wind: fc.record({
      fromDegrees: fc.noBias(fc.integer({ min: 0, max: 359 })),
      knots: fc.noBias(fc.integer({ min: 1, max: 80 })),
    }),
  }),
)

describe('A route in wind', () => {
  it('is as good as the best of all chains there are, in 1,500 random networks', () => {
    let [withStops, without, oneWay] = [0, 0, 0]
    fc.assert(
      fc.property(networks, ({ sites, ...question }) => {
        const { from, through, usableNm, prefer } = question
        const wind = relativeWind(question.wind, SPEED_KT)
        const ask = (start: Point, to: readonly Point[]) =>
          search(sites, { from: start, through: to, usableNm, wind, prefer, time: TIME })
        const found = ask(from, through)
        const best = bruteForce(sites, question)
        expect(found === null).toBe(best === null)
        const back = ask(through.at(-1)!, [...through.slice(0, -1).toReversed(), from])
        if ((found === null) !== (back === null)) oneWay += 1
        if (found === null || best === null) {
          without += 1
          return
        }
        withStops += Number(found.length > 0)
        const cost = costOf(sites, question, found)
        expect(cost).not.toBeNull()
        expect(isBetter(best, cost!) ? { found: cost, best } : 'as good').toBe('as good')
      }),
      { seed: 270_015, numRuns: 1500 },
    )
    // Otherwise it would have shown nothing.
    expect(Math.min(withStops, without, oneWay)).toBeGreaterThan(60)
  })
})

describe('A wind', () => {
  it('is degrees that it blows from and knots', () => {
    expect(['270/15', '360/8', ' 005/0 ', '90/12.5'].map(readWind)).toEqual([
      { fromDegrees: 270, knots: 15 },
      { fromDegrees: 0, knots: 8 },
      { fromDegrees: 5, knots: 0 },
      { fromDegrees: 90, knots: 12.5 },
    ])
    expect(['', '270', '361/5', '270/', '270/-5', 'W/15', '270/15kt', '1e1/5'].map(readWind)).toEqual(
      Array(8).fill(null),
    )
  })

  it('makes the ground speed by the wind triangle', () => {
    const of = (track: number) => 100 * groundShare(relativeWind({ fromDegrees: 270, knots: 20 }, 100)!, track)
    expect([of(270), of(90)]).toEqual([expect.closeTo(80, 6), expect.closeTo(120, 6)])
    expect(of(0)).toBeCloseTo(Math.sqrt(100 ** 2 - 20 ** 2), 6)
  })

  it('is none for calm air, an unknown airspeed and a slower aircraft', () => {
    const wind = { fromDegrees: 270, knots: 20 }
    expect([
      relativeWind({ ...wind, knots: 0 }, 90),
      relativeWind(wind, null),
      relativeWind(wind, 20),
      relativeWind(null, 90),
    ]).toEqual([null, null, null, null])
  })
})

describe('The longest leg in wind, where there is no route', () => {
  it('is the least usable range with which there is a route, in 200 random networks', () => {
    let count = 0
    fc.assert(
      fc.property(networks, ({ sites, from, through, usableNm, wind: given }) => {
        const wind = relativeWind(given, SPEED_KT)!
        const isRoute = (nm: number) =>
          search(sites, { from, through, usableNm: nm, wind, prefer: 'stops', time: null }) !== null
        if (isRoute(usableNm)) return
        count += 1
        const { nm } = longestLegOf(sites, { from, through, usableNm, wind })
        expect([isRoute(nm + 1e-6), isRoute(nm - 0.001)]).toEqual([true, false])
      }),
      { seed: 1, numRuns: 200 },
    )
    expect(count).toBeGreaterThan(40)
  })
})
