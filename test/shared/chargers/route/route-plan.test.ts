import { describe, expect, it } from 'vitest'
import { planInQuery, queryOfPlan, requestOfPlan } from '../../../../src/shared/chargers/route/route-plan.ts'

const planIn = (query: string) => planInQuery(new URLSearchParams(query))
const WHOLE = planIn('from=52.2,13.16,EDAZ&to=47.26,11.34,LOWI, Innsbruck&range=150&reserve=30')!
const NO_RESERVE = { value: 0, unit: 'nm' as const }
const NO_AIRCRAFT = { connectors: [], types: [], reserve: NO_RESERVE, speedKt: null, usableKwh: null, maxKw: null }
// That any plan is read back as it was written, the test of addresses says.
describe('A planned route in an address', () => {
  it('is none without a range', () => {
    expect(planIn('')).toBeNull()
    expect(planIn('from=52.2,13.16,EDAZ')).toBeNull()
    expect(planIn('range= &reserve=5')).toBeNull()
  })

  it('keeps commas in names, and names a place by its degrees where there is none', () => {
    expect(WHOLE.to).toEqual({ name: 'LOWI, Innsbruck', place: { lat: 47.26, lng: 11.34 } })
    expect(planIn('range=9&from=1,2')?.from).toEqual({ name: '1,2', place: { lat: 1, lng: 2 } })
  })

  it('takes no characters from a link that turn the direction of text', () => {
    const turned = planIn(`range=9&from=1,2,EDAZ \u202e1,2\u2066&to=3,4,\u202e&connector=C\u202bCS`)
    expect([turned?.from?.name, turned?.to?.name, turned?.aircraft.connectors]).toEqual(['EDAZ 1,2', '3,4', ['CCS']])
  })

  it('loses what makes no sense, and nothing else', () => {
    const plan = planIn(
      'range=75&reserve=&speed=&energy=&from=91,0,North&to=,,&via=&prefer=fun&depart=&ground=&connector=+',
    )
    expect(plan).toEqual({
      from: null,
      via: [],
      to: null,
      aircraft: { ...NO_AIRCRAFT, rangeNm: 75 },
      prefer: 'stops',
      takeFitNotKnown: false,
      departMs: null,
      groundMinutes: 0,
      wind: null,
      startPercent: 100,
    })
  })

  it.each([
    ['range', 'many'],
    ['range', '0'],
    ['reserve', '15,5'],
    ['reserve', '-1'],
    ['reserve', '5001min'],
    ['speed', '9'],
    ['energy', 'x'],
    ['kw', '0'],
    ['via', '91,0,North'],
    ['depart', 'soon'],
    ['ground', '9999'],
    ['wind', '270'],
    ['charge', '101'],
  ] as const)('is none with %s=%s, which it does not take for a value that is missing', (part, text) => {
    const query = queryOfPlan(WHOLE)
    expect(planInQuery(query)).toEqual(WHOLE)
    query.set(part, text)
    expect(planInQuery(query)).toBeNull()
  })

  it.each([
    ['2026-05-01T09:00Z', Date.UTC(2026, 4, 1, 9)],
    ['2026-05-01T09:00+02:00', Date.UTC(2026, 4, 1, 7)],
    ['2999-12-31T23:59Z', Date.UTC(2999, 11, 31, 23, 59)],
    // No year that an address, a field or a clock could not show, and none that is another in each time zone.
    ['+010000-01-01T00:00Z', null],
    ['+275760-09-13T00:00Z', null],
    ['12026-05-01T09:00Z', null],
    ['3000-01-01T00:00Z', null],
    ['1969-12-31T23:59Z', null],
    ['-000001-01-01T00:00Z', null],
    ['2026-05-01T09:00', null],
  ])('departs at %s: %s', (depart, departMs) => {
    const plan = planIn(`range=9&depart=${encodeURIComponent(depart)}`)
    expect(plan?.departMs ?? null).toBe(departMs)
    if (plan !== null) expect(planInQuery(queryOfPlan(plan))?.departMs).toBe(departMs)
  })

  it('is plain to read', () => {
    expect(decodeURIComponent(queryOfPlan(WHOLE).toString())).toBe(
      'from=52.2,13.16,EDAZ&to=47.26,11.34,LOWI,+Innsbruck&range=150&reserve=30',
    )
    const windy = planIn('range=150&reserve=30min&speed=90&wind=05/15')!
    expect(decodeURIComponent(queryOfPlan(windy).toString())).toBe('range=150&reserve=30min&speed=90&wind=005/15')
  })

  it('is a question only with both ends and some range', () => {
    expect(requestOfPlan(WHOLE, 5)).toMatchObject({ departMs: 5, nowMs: 5, prefer: 'stops' })
    expect(requestOfPlan({ ...WHOLE, departMs: 7 }, 5)?.departMs).toBe(7)
    expect(requestOfPlan({ ...WHOLE, to: null }, 5)).toBeNull()
    const wind = { fromDegrees: 270, knots: 15 }
    const at = (speedKt: number | null) => ({ ...WHOLE, wind, aircraft: { ...WHOLE.aircraft, speedKt } })
    expect(requestOfPlan(at(90), 5)?.wind).toEqual(wind)
    for (const speedKt of [null, 15]) expect(requestOfPlan(at(speedKt), 5), `${speedKt} kt`).toBeNull()
    const minutes = { ...WHOLE.aircraft, reserve: { value: 30, unit: 'min' as const } }
    expect(requestOfPlan({ ...WHOLE, aircraft: minutes }, 5)).toBeNull()
    expect(requestOfPlan({ ...WHOLE, aircraft: { ...minutes, speedKt: 90 } }, 5)).not.toBeNull()
    const reserve = { value: 150, unit: 'nm' } as const
    expect(requestOfPlan({ ...WHOLE, aircraft: { ...WHOLE.aircraft, reserve } }, 5)).toBeNull()
  })
})
