import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distanceNm, unitVector, type Point } from '../../../../src/shared/chargers/distance.ts'
import {
  findRoute,
  longestLeg,
  type LongestLeg,
  type ChargeSite,
  type FoundStop,
  type RouteEnds,
  type RouteQuestion,
} from '../../../../src/shared/chargers/route/find-route.ts'
import { NearSites } from '../../../../src/shared/chargers/route/near-sites.ts'

const nm = (one: Point, other: Point) => distanceNm(one, other)!
const SLACK = 1e-6

const longestLegOf = (sites: readonly ChargeSite[], ends: RouteEnds) =>
  longestLeg(
    sites,
    sites.map(({ place }) => unitVector(place)),
    ends,
  )

const search = (sites: readonly ChargeSite[], question: RouteQuestion, isOpen?: (site: number) => boolean) => {
  const vectors = sites.map(({ place }) => unitVector(place))
  return findRoute(sites, new NearSites(vectors, question.usableNm), question, isOpen)
}

/** Stops, distance and minutes of a chain of stops; null when a stretch of it is too long. */
function costOf(sites: readonly ChargeSite[], question: RouteQuestion, stops: readonly FoundStop[]) {
  const { from, through, usableNm, time, spentNm = 0 } = question
  const powers = sites.map(({ kw }) => kw).filter((kw) => kw !== null)
  let [place, passed, distance, minutes, unknown, spent] = [from, 0, 0, 0, 0, spentNm]
  for (const stop of [...stops, null]) {
    let stretch = 0
    const to = stop?.passed ?? through.length
    for (; passed < to; passed += 1) {
      stretch += nm(place, through[passed]!)
      place = through[passed]!
    }
    if (stop !== null) {
      stretch += nm(place, sites[stop.site]!.place)
      place = sites[stop.site]!.place
    }
    const missing = stretch + spent
    if (missing > usableNm + 2 * SLACK && !(spent > 0 && stretch <= SLACK)) return null
    spent = 0
    distance += stretch
    if (time === null) continue
    minutes += (stretch / time.speedKt) * 60
    if (stop === null) continue
    const { kw } = sites[stop.site]!
    if (kw === null) unknown += 1
    minutes += time.groundMinutes + ((missing * time.kwhPerNm) / (kw ?? Math.min(...powers, Infinity))) * 60
  }
  return { stops: stops.length, distance, minutes, unknown }
}

type Cost = NonNullable<ReturnType<typeof costOf>>
const keyOf = ({ prefer }: RouteQuestion, cost: Cost): [number, number] =>
  prefer === 'stops'
    ? [cost.stops, cost.distance]
    : prefer === 'distance'
      ? [cost.distance, cost.stops]
      : [cost.unknown, cost.minutes]

const isBetter = (one: [number, number], other: [number, number]) =>
  one[0] < other[0] - 1e-5 || (Math.abs(one[0] - other[0]) <= 1e-5 && one[1] < other[1] - 1e-5)

/** Every chain of stops there is: no site twice between two places passed. */
function bruteForce(sites: readonly ChargeSite[], question: RouteQuestion): [number, number] | null {
  let best: [number, number] | null = null
  const go = (stops: FoundStop[], passed: number) => {
    const whole = costOf(sites, question, stops)
    if (whole !== null) {
      const key = keyOf(question, whole)
      if (best === null || isBetter(key, best)) best = key
    }
    for (let to = passed; to < question.through.length; to += 1)
      for (let site = 0; site < sites.length; site += 1) {
        if (stops.some((stop) => stop.site === site && stop.passed === to)) continue
        const more = [...stops, { site, passed: to }]
        if (isReachable(sites, question, more)) go(more, to)
      }
  }
  go([], 0)
  return best
}

function isReachable(sites: readonly ChargeSite[], question: RouteQuestion, stops: readonly FoundStop[]): boolean {
  const last = stops.at(-1)!
  const through = [...question.through.slice(0, last.passed), sites[last.site]!.place]
  return costOf(sites, { ...question, through }, stops.slice(0, -1)) !== null
}

/** Dijkstra's algorithm as in a textbook, over every site and point passed: for networks with too many chains to try each. */
function plainSearch(
  sites: readonly ChargeSite[],
  question: RouteQuestion,
  isOpen: (site: number) => boolean,
): [number, number] | null {
  const { from, through, usableNm, time, prefer, spentNm = 0 } = question
  const slowest = Math.min(...sites.map(({ kw }) => kw ?? Infinity))
  const add = ([one, then]: [number, number], nm: number, site: ChargeSite | null, spent: number): [number, number] => {
    const stop = Number(site !== null)
    if (prefer === 'stops') return [one + stop, then + nm]
    if (prefer === 'distance' || time === null) return [one + nm, then + stop]
    const charge = site === null ? 0 : time.groundMinutes + (((nm + spent) * time.kwhPerNm) / (site.kw ?? slowest)) * 60
    return [one + Number(site !== null && site.kw === null), then + (nm / time.speedKt) * 60 + charge]
  }
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
    let [here, flown] = [place, 0]
    for (let layer = passed; layer < through.length; layer += 1) {
      sites.forEach((site, at) => {
        const length = flown + nm(here, site.place)
        const isHere = spent > 0 && length <= SLACK
        if ((isHere || length + spent <= usableNm + SLACK) && isOpen(at))
          offer(`${layer}/${at}`, site.place, layer, add(cost, length, site, spent))
      })
      flown += nm(here, through[layer]!)
      if (flown + spent > usableNm + SLACK) break
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
  { lat: 89.5, lng: 0 },
  { lat: -89, lng: 120 },
  { lat: 0, lng: -180 },
]
const sitesAround = (centre: Point, most: number) =>
  fc.array(fc.record({ place: around(centre), kw: fc.option(fc.constantFrom(11, 22, 50, 150), { freq: 4 }) }), {
    maxLength: most,
  })
const networks = fc.tuple(fc.constantFrom(...CENTRES), fc.constantFrom(1, 2)).chain(([centre, ends]) =>
  fc.record({
    from: around(centre),
    through: fc.array(around(centre), { minLength: ends, maxLength: ends }),
    // Every order of more would take minutes to try.
    sites: sitesAround(centre, ends === 1 ? 7 : 4),
    usableNm: fc.noBias(fc.integer({ min: 45, max: 100 })),
    spentNm: fc.constantFrom(0, 0, 15, 30),
    prefer: fc.constantFrom('stops' as const, 'distance' as const, 'time' as const),
  }),
)
const TIME = { speedKt: 90, kwhPerNm: 0.3, groundMinutes: 15 }

describe('A route between charge stops', () => {
  it('is as good as the best of all chains there are, in 1,000 random networks', () => {
    let [withStops, without] = [0, 0]
    fc.assert(
      fc.property(networks, ({ sites, ...rest }) => {
        const question: RouteQuestion = { ...rest, time: rest.prefer === 'time' ? TIME : null }
        const found = search(sites, question)
        const best = bruteForce(sites, question)
        if (found === null) without += 1
        else if (found.length > 0) withStops += 1
        expect(found === null).toBe(best === null)
        if (found === null || best === null) return
        const cost = costOf(sites, question, found)
        expect(cost).not.toBeNull()
        const key = keyOf(question, cost!)
        expect(isBetter(best, key) ? { found: key, best } : 'as good').toBe('as good')
      }),
      { seed: 1, numRuns: 1000 },
    )
    // Otherwise it would have shown nothing.
    expect(withStops).toBeGreaterThan(40)
    expect(without).toBeGreaterThan(20)
  })

  it('is as good as a plain search finds it, in 300 larger networks with up to three via points', () => {
    const larger = fc.tuple(fc.constantFrom(...CENTRES), fc.integer({ min: 1, max: 4 })).chain(([centre, ends]) =>
      fc.record({
        from: around(centre),
        through: fc.array(around(centre), { minLength: ends, maxLength: ends }),
        sites: fc.array(
          fc.record({ place: around(centre), kw: fc.option(fc.constantFrom(11, 22, 50, 150), { freq: 9 }) }),
          { minLength: 30, maxLength: 120, size: 'max' },
        ),
        usableNm: fc.noBias(fc.integer({ min: 12, max: 60 })),
        spentNm: fc.constantFrom(0, 0, 8, 20),
        closed: fc.integer({ min: 0, max: 9 }),
        prefer: fc.constantFrom('stops' as const, 'distance' as const, 'time' as const),
      }),
    )
    let withStops = 0
    fc.assert(
      fc.property(larger, ({ sites, closed, ...rest }) => {
        const question: RouteQuestion = { ...rest, time: rest.prefer === 'time' ? TIME : null }
        // One in ten is closed, or none.
        const isOpen = (site: number) => closed === 0 || site % 10 !== closed
        const found = search(sites, question, isOpen)
        const best = plainSearch(sites, question, isOpen)
        expect(found === null).toBe(best === null)
        if (found === null || best === null) return
        if (found.length > 0) withStops += 1
        expect(found.every(({ site }) => isOpen(site))).toBe(true)
        const cost = costOf(sites, question, found)
        expect(cost).not.toBeNull()
        const key = keyOf(question, cost!)
        expect(isBetter(best, key) ? { found: key, best } : 'as good').toBe('as good')
      }),
      { seed: 2, numRuns: 300 },
    )
    expect(withStops).toBeGreaterThan(100)
  })

  it('crosses the 180th meridian and goes over a pole', () => {
    const at = (lat: number, lng: number): ChargeSite => ({ place: { lat, lng }, kw: 50 })
    const fiji = [at(-17.7, 178.5), at(-17.5, 179.6), at(-17.4, -179.3)]
    const ask = (sites: ChargeSite[], from: Point, to: Point, usableNm: number) =>
      search(sites, { from, through: [to], usableNm, prefer: 'stops', time: null })
    const over = ask(fiji, { lat: -17.75, lng: 177.4 }, { lat: -17.3, lng: -178.2 }, 70)
    expect(over?.map(({ site }) => site)).toEqual([0, 1, 2])
    const pole = ask([at(89.2, 10), at(89.3, -170)], { lat: 88.2, lng: 10 }, { lat: 88.3, lng: -170 }, 95)
    expect(pole?.map(({ site }) => site)).toEqual([0, 1])
  })

  it('begins with a charge where a charger is when there is not enough for any other, and not even the reserve', () => {
    const site = (lng: number): ChargeSite => ({ place: { lat: 50, lng }, kw: 50 })
    const ask = (sites: ChargeSite[], spentNm: number) =>
      search(sites, {
        from: { lat: 50, lng: 0 },
        through: [{ lat: 50, lng: 2 }],
        usableNm: 45,
        prefer: 'stops',
        time: null,
        spentNm,
      })
    // A degree of longitude is 38.6 NM here.
    expect(ask([site(1)], 6)).toEqual([{ site: 0, passed: 0 }])
    expect(ask([site(1)], 7)).toBeNull()
    for (const spentNm of [7, 45, 60])
      expect(ask([site(0), site(1)], spentNm)).toEqual([
        { site: 0, passed: 0 },
        { site: 1, passed: 0 },
      ])
  })

  it('leaves out sites that are not to be used, and takes a way around', () => {
    const sites: ChargeSite[] = [
      { place: { lat: 50, lng: 1 }, kw: 50 },
      { place: { lat: 50.3, lng: 1 }, kw: 50 },
    ]
    const question: RouteQuestion = {
      from: { lat: 50, lng: 0 },
      through: [{ lat: 50, lng: 2 }],
      usableNm: 45,
      prefer: 'stops',
      time: null,
    }
    expect(search(sites, question)).toEqual([{ site: 0, passed: 0 }])
    expect(search(sites, question, (site) => site !== 0)).toEqual([{ site: 1, passed: 0 }])
    expect(search(sites, question, () => false)).toBeNull()
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

  it('is the one that every way has, in 1,000 random networks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CENTRES).chain((centre) => fc.array(around(centre), { minLength: 2, maxLength: 9 })),
        fc.constantFrom(0, 25, 50),
        (places, reachNm) => {
          // Floyd and Warshall, with the longest stretch in place of the sum.
          const least = places.map((one) => places.map((other) => nm(one, other)))
          places.forEach((_, via) =>
            least.forEach((row) =>
              row.forEach((length, to) => (row[to] = Math.min(length, Math.max(row[via]!, least[via]![to]!)))),
            ),
          )
          const whole = least[0]!.at(-1)!
          const route = [places[0]!, places.at(-1)!]
          const sites = places.slice(1, -1).map(siteAt)
          // It is asked for only where there is no route.
          if (whole <= reachNm) return
          const gap = longestLegOf(sites, { from: route[0]!, through: [route[1]!], usableNm: reachNm })
          expect(Math.abs(gap.nm - whole)).toBeLessThan(0.001)
          const [one, other] = along(sites, route, gap)
          expect(nm(one!, other!)).toBeCloseTo(gap.nm, 4)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('is with via points too what range would make a route, in 1,000 random networks', () => {
    const asked = fc.constantFrom(...CENTRES).chain((centre) =>
      fc.record({
        from: around(centre),
        through: fc.array(around(centre), { minLength: 2, maxLength: 4 }),
        sites: sitesAround(centre, 8),
        usableNm: fc.noBias(fc.integer({ min: 20, max: 80 })),
      }),
    )
    let shown = 0
    fc.assert(
      fc.property(asked, ({ from, through, sites, usableNm }) => {
        const question = { from, through, usableNm, prefer: 'stops' as const, time: null }
        if (search(sites, question) !== null) return
        shown += 1
        const gap = longestLegOf(sites, question)
        const isRoute = (range: number) => search(sites, { ...question, usableNm: range }) !== null
        expect([gap.nm > usableNm, isRoute(gap.nm - 0.001), isRoute(gap.nm + 0.001)]).toEqual([true, false, true])
        // The stretch is as long as it is said to be, over the places that it passes.
        const way = along(sites, [from, ...through], gap)
        const length = way.slice(1).reduce((sum, place, at) => sum + nm(way[at]!, place), 0)
        expect(length).toBeCloseTo(gap.nm, 4)
      }),
      { numRuns: 1000 },
    )
    expect(shown).toBeGreaterThan(400)
  })

  it('is the same in large networks, whatever hangs together in them', () => {
    const large = fc.record({
      centre: fc.constantFrom(...CENTRES),
      reachNm: fc.constantFrom(0, 5, 20),
    })
    fc.assert(
      fc.property(
        large.chain(({ centre, reachNm }) =>
          fc.record({
            reachNm: fc.constant(reachNm),
            places: fc.array(around(centre), { minLength: 100, maxLength: 200, size: 'max' }),
          }),
        ),
        ({ reachNm, places }) => {
          const [from, to] = [places[0]!, places.at(-1)!]
          // Prim, from the start on: the longest stretch until the end is reached.
          const left = new Map(places.slice(1).map((place, at) => [at + 1, nm(from, place)]))
          let longest = 0
          for (let reached = 0; reached !== places.length - 1;) {
            const nearest = [...left].reduce((one, other) => (other[1] < one[1] ? other : one))
            reached = nearest[0]
            longest = Math.max(longest, nearest[1])
            left.delete(reached)
            for (const [at, length] of left) left.set(at, Math.min(length, nm(places[reached]!, places[at]!)))
          }
          if (longest <= reachNm) return
          const sites = places.slice(1, -1).map(siteAt)
          const gap = longestLegOf(sites, { from, through: [to], usableNm: reachNm })
          expect(Math.abs(gap.nm - longest)).toBeLessThan(0.001)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('crosses the 180th meridian, and knows a place that can be reached but not left', () => {
    const sites = [siteAt({ lat: 0, lng: 179 }), siteAt({ lat: 0, lng: -179.5 })]
    const over = longestLegOf(sites, { from: { lat: 0, lng: 178.5 }, through: [{ lat: 0, lng: -179 }], usableNm: 40 })
    expect([over.from?.site, over.to?.site]).toEqual([0, 1])
    expect(over.nm).toBeCloseTo(90, 0)
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
