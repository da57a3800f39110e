import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bearingDegrees, distanceNm, unitVector, type Point } from '../../../../src/shared/chargers/distance.ts'
import {
  findRoute,
  longestLeg,
  type LongestLeg,
  type ChargeSite,
  type FoundStop,
  type RouteEnds,
  type RouteQuestion,
} from '../../../../src/shared/chargers/route/find-route.ts'
import { PointIndex } from '../../../../src/shared/chargers/route/point-index.ts'
import { mostGroundShare, relativeWind, type Wind } from '../../../../src/shared/chargers/route/wind.ts'

const SLACK = 1e-6
const TIME = { speedKt: 90, kwhPerNm: 0.3, groundMinutes: 15 }

/** As `RouteQuestion`, with the wind as a person gives it. */
type Question = Omit<RouteQuestion, 'wind' | 'time'> & { wind?: Wind | null }

const asked = (question: Question): RouteQuestion => ({
  ...question,
  wind: relativeWind(question.wind ?? null, TIME.speedKt),
  time: question.prefer === 'time' ? TIME : null,
})

function longestLegOf(sites: readonly ChargeSite[], ends: RouteEnds): LongestLeg {
  const vectors = sites.map(({ place }) => unitVector(place))
  return longestLeg(sites, vectors, ends)
}

const search = (sites: readonly ChargeSite[], question: Question, isOpen?: (site: number) => boolean) => {
  const vectors = sites.map(({ place }) => unitVector(place))
  const whole = asked(question)
  const reachNm = whole.usableNm * mostGroundShare(whole.wind ?? null)
  return findRoute(sites, new PointIndex(vectors, reachNm), whole, isOpen)
}

const nm = (one: Point, other: Point) => distanceNm(one, other)!

/** How far it is through the air: the ground speed is that for which the way through the air is as long as the airspeed. */
function airNm(wind: Wind | null | undefined, one: Point, other: Point): number {
  const ground = nm(one, other)
  if (wind === null || wind === undefined || ground === 0) return ground
  const along = -wind.knots * Math.cos(((wind.fromDegrees - bearingDegrees(one, other)!) * Math.PI) / 180)
  return (ground * TIME.speedKt) / (along + Math.sqrt(along ** 2 - wind.knots ** 2 + TIME.speedKt ** 2))
}

/** What a chain of stops costs, as the question prefers; null when a stretch of it is too long. */
function costOf(
  sites: readonly ChargeSite[],
  question: Question,
  stops: readonly FoundStop[],
): [number, number] | null {
  const { from, through, usableNm, prefer, wind, spentNm = 0 } = question
  const slowest = Math.min(...sites.map(({ kw }) => kw ?? Infinity))
  let [place, passed, distance, minutes, unknown, spent] = [from, 0, 0, 0, 0, spentNm]
  for (const stop of [...stops, null]) {
    let stretch = 0
    const fly = (to: Point) => {
      distance += nm(place, to)
      stretch += airNm(wind, place, to)
      place = to
    }
    for (const to = stop?.passed ?? through.length; passed < to; passed += 1) fly(through[passed]!)
    if (stop !== null) fly(sites[stop.site]!.place)
    const missing = stretch + spent
    if (missing > usableNm + 2 * SLACK && !(spent > 0 && stretch <= SLACK)) return null
    spent = 0
    minutes += (stretch / TIME.speedKt) * 60
    if (stop === null) continue
    const { kw } = sites[stop.site]!
    unknown += Number(kw === null)
    minutes += TIME.groundMinutes + ((missing * TIME.kwhPerNm) / (kw ?? slowest)) * 60
  }
  if (prefer === 'time') return [unknown, minutes]
  return prefer === 'stops' ? [stops.length, distance] : [distance, stops.length]
}

const isBetter = (one: [number, number], other: [number, number]) =>
  one[0] < other[0] - 1e-5 || (Math.abs(one[0] - other[0]) <= 1e-5 && one[1] < other[1] - 1e-5)

interface Flown {
  ground: number
  air: number
}

/** Dijkstra's algorithm as in a textbook, over every site and point passed. */
function plainSearch(
  sites: readonly ChargeSite[],
  question: Question,
  isOpen: (site: number) => boolean,
): [number, number] | null {
  const { from, through, usableNm, prefer, wind, spentNm = 0 } = question
  const slowest = Math.min(...sites.map(({ kw }) => kw ?? Infinity))
  const add = (
    [one, then]: [number, number],
    flown: Flown,
    site: ChargeSite | null,
    spent: number,
  ): [number, number] => {
    const stop = Number(site !== null)
    if (prefer === 'stops') return [one + stop, then + flown.ground]
    if (prefer === 'distance') return [one + flown.ground, then + stop]
    const kwh = (flown.air + spent) * TIME.kwhPerNm
    const charge = site === null ? 0 : TIME.groundMinutes + (kwh / (site.kw ?? slowest)) * 60
    return [one + Number(site !== null && site.kw === null), then + (flown.air / TIME.speedKt) * 60 + charge]
  }
  const on = ({ ground, air }: Flown, from: Point, to: Point): Flown => ({
    ground: ground + nm(from, to),
    air: air + airNm(wind, from, to),
  })
  const left = new Map<string, { place: Point; passed: number; cost: [number, number] }>([
    ['start', { place: from, passed: 0, cost: [0, 0] }],
  ])
  const done = new Set<string>()
  for (;;) {
    let nearest: string | null = null
    for (const [name, { cost }] of left) if (nearest === null || isLess(cost, left.get(nearest)!.cost)) nearest = name
    if (nearest === null) return null
    const { place, passed, cost } = left.get(nearest)!
    if (nearest === 'end') return cost
    const spent = nearest === 'start' ? spentNm : 0
    left.delete(nearest)
    done.add(nearest)
    const offer = (name: string, there: Point, layer: number, newCost: [number, number]) => {
      const known = left.get(name)
      if (done.has(name) || (known !== undefined && !isLess(newCost, known.cost))) return
      left.set(name, { place: there, passed: layer, cost: newCost })
    }
    let [here, flown] = [place, { ground: 0, air: 0 }]
    for (let layer = passed; layer < through.length; layer += 1) {
      sites.forEach((site, at) => {
        const length = on(flown, here, site.place)
        const isHere = spent > 0 && length.air <= SLACK
        if ((isHere || length.air + spent <= usableNm + SLACK) && isOpen(at))
          offer(`${layer}/${at}`, site.place, layer, add(cost, length, site, spent))
      })
      flown = on(flown, here, through[layer]!)
      if (flown.air + spent > usableNm + SLACK) break
      here = through[layer]!
      if (layer === through.length - 1) offer('end', here, layer, add(cost, flown, null, spent))
    }
  }
}

const isLess = (one: [number, number], other: [number, number]) =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])

/** Anywhere in a field about 180 miles wide; near a pole, around it. */
const around = (centre: Point): fc.Arbitrary<Point> => {
  const offset = (degrees: number) => fc.noBias(fc.integer({ min: -1000, max: 1000 }).map((n) => (n / 1000) * degrees))
  return fc.tuple(offset(1.5), offset(Math.abs(centre.lat) > 80 ? 180 : 1.5)).map(([lat, lng]) => ({
    lat: Math.max(-90, Math.min(90, centre.lat + lat)),
    lng: ((((centre.lng + lng + 180) % 360) + 360) % 360) - 180,
  }))
}

const CENTRES: Point[] = [
  { lat: 48, lng: 11 },
  { lat: -17, lng: 179.9 },
  { lat: 88.4, lng: 0 },
  { lat: 89.5, lng: 0 },
  { lat: -89, lng: 120 },
  { lat: 0, lng: -180 },
]
const network = (ends: number, sites: { minLength: number; maxLength: number }, leastNm: number, mostNm: number) =>
  fc.tuple(fc.constantFrom(...CENTRES), fc.integer({ min: 1, max: ends })).chain(([centre, count]) =>
    fc.record({
      from: around(centre),
      through: fc.array(around(centre), { minLength: count, maxLength: count }),
      sites: fc.array(
        fc.record({ place: around(centre), kw: fc.option(fc.constantFrom(11, 22, 50, 150), { freq: 9 }) }),
        { ...sites, size: 'max' },
      ),
      usableNm: fc.noBias(fc.integer({ min: leastNm, max: mostNm })),
      // At a pole there is no direction for it to come from.
      wind: Math.abs(centre.lat) > 88.5 ? fc.constant(null) : fc.option(WINDS, { freq: 1 }),
    }),
  )
const WINDS: fc.Arbitrary<Wind> = fc.record({
  fromDegrees: fc.noBias(fc.integer({ min: 0, max: 359 })),
  knots: fc.noBias(fc.integer({ min: 1, max: 80 })),
})

const EASTWARDS = { from: { lat: 50, lng: 0 }, through: [{ lat: 50, lng: 2 }] }

describe('A route between charge stops', () => {
  it('is as good as a plain search finds it, in 600 random networks with up to three via points and a wind', () => {
    const questions = fc.record({
      network: network(4, { minLength: 0, maxLength: 120 }, 12, 60),
      spentNm: fc.constantFrom(0, 0, 8, 20),
      closed: fc.integer({ min: 0, max: 9 }),
      prefer: fc.constantFrom('stops' as const, 'distance' as const, 'time' as const),
    })
    let [withStops, without] = [0, 0]
    fc.assert(
      fc.property(questions, ({ network: { sites, ...rest }, closed, ...more }) => {
        const question: Question = { ...rest, ...more }
        // One in ten is closed, or none.
        const isOpen = (site: number) => closed === 0 || site % 10 !== closed
        const found = search(sites, question, isOpen)
        const best = plainSearch(sites, question, isOpen)
        expect(found === null).toBe(best === null)
        if (found === null || best === null) {
          without += 1
          return
        }
        withStops += Number(found.length > 0)
        expect(found.every(({ site }) => isOpen(site))).toBe(true)
        const cost = costOf(sites, question, found)
        expect(cost).not.toBeNull()
        expect(isBetter(best, cost!) ? { found: cost, best } : 'as good').toBe('as good')
      }),
      { seed: 2, numRuns: 600 },
    )
    // Otherwise it would have shown nothing.
    expect(Math.min(withStops, without)).toBeGreaterThan(100)
  })

  it('begins with a charge where a charger is when there is not enough for any other, and not even the reserve', () => {
    const site = (lng: number): ChargeSite => ({ place: { lat: 50, lng }, kw: 50 })
    const ask = (sites: ChargeSite[], spentNm: number) =>
      search(sites, { ...EASTWARDS, usableNm: 45, prefer: 'stops', spentNm })
    // A degree of longitude is 38.6 NM here.
    expect(ask([site(1)], 6)).toEqual([{ site: 0, passed: 0 }])
    expect(ask([site(1)], 7)).toBeNull()
    for (const spentNm of [7, 45, 60])
      expect(ask([site(0), site(1)], spentNm)).toEqual([0, 1].map((at) => ({ site: at, passed: 0 })))
  })
})

describe('The longest leg where there is no route', () => {
  const siteAt = (place: Point): ChargeSite => ({ place, kw: null })
  /** The places of the stretch in order. */
  const along = (sites: readonly ChargeSite[], route: readonly Point[], { from, to }: LongestLeg) => [
    from === null ? route[0]! : sites[from.site]!.place,
    ...route.slice(1 + (from?.passed ?? 0), to === null ? -1 : 1 + to.passed),
    to === null ? route.at(-1)! : sites[to.site]!.place,
  ]

  it('is what usable range would make a route, in 1,000 random networks with up to three via points and a wind', () => {
    let shown = 0
    fc.assert(
      fc.property(network(4, { minLength: 0, maxLength: 40 }, 0, 60), ({ sites, ...rest }) => {
        const question: Question = { ...rest, prefer: 'stops' }
        if (search(sites, question) !== null) return
        shown += 1
        const gap = longestLegOf(sites, asked(question))
        const isRoute = (usableNm: number) => search(sites, { ...question, usableNm }) !== null
        const expected = [true, false, true]
        expect([gap.nm > question.usableNm, isRoute(gap.nm - 0.001), isRoute(gap.nm + 0.001)]).toEqual(expected)
        // The stretch is as long as it is said to be, over the places that it passes.
        const way = along(sites, [question.from, ...question.through], gap)
        const length = way.slice(1).reduce((sum, place, at) => sum + airNm(question.wind, way[at]!, place), 0)
        expect(length).toBeCloseTo(gap.nm, 4)
      }),
      { seed: 1, numRuns: 1000 },
    )
    expect(shown).toBeGreaterThan(400)
  })

  it('knows a place that can be reached but not left', () => {
    // 50 miles there, and 50 back to the only charger: 100 on one charge.
    const back = longestLegOf([siteAt({ lat: 50, lng: 0 })], {
      from: { lat: 50, lng: 0 },
      through: [
        { lat: 50 + 50 / 60, lng: 0 },
        { lat: 49.9, lng: 0 },
      ],
      usableNm: 60,
    })
    expect(back).toMatchObject({ from: null, to: { site: 0, passed: 1 } })
    expect(back.nm).toBeCloseTo(100, 0)
  })
})
