import { describe, expect, it } from 'vitest'
import { groundShare, readWind, relativeWind } from '../../../../src/shared/chargers/route/wind.ts'

describe('A wind', () => {
  it('is degrees that it blows from and knots', () => {
    expect(['270/15', '360/8', ' 005/0 ', '90/12.5'].map(readWind)).toEqual([
      { fromDegrees: 270, knots: 15 },
      { fromDegrees: 0, knots: 8 },
      { fromDegrees: 5, knots: 0 },
      { fromDegrees: 90, knots: 12.5 },
    ])
    const wrong = ['', '270', '361/5', '270/', '270/-5', 'W/15', '270/15kt', '1e1/5']
    expect(wrong.map(readWind)).toEqual(wrong.map(() => null))
  })

  it('makes the ground speed by the wind triangle', () => {
    const of = (track: number) => 100 * groundShare(relativeWind({ fromDegrees: 270, knots: 20 }, 100)!, track)
    expect([of(270), of(90)]).toEqual([expect.closeTo(80, 6), expect.closeTo(120, 6)])
    expect(of(0)).toBeCloseTo(Math.sqrt(100 ** 2 - 20 ** 2), 6)
  })

  it('is none for calm air, an unknown airspeed and a slower aircraft', () => {
    const wind = { fromDegrees: 270, knots: 20 }
    const winds = [relativeWind({ ...wind, knots: 0 }, 90), relativeWind(wind, null), relativeWind(wind, 20)]
    expect([...winds, relativeWind(null, 90)]).toEqual([null, null, null, null])
  })
})
