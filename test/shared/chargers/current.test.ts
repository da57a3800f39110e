import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentsOf } from '../../../src/shared/chargers/current.ts'
import { anyText } from './any-charger.ts'

describe('currentsOf', () => {
  it.each([
    ['AC', ['AC']],
    ['dc', ['DC']],
    ['AC/DC', ['AC', 'DC']],
    ['ACDC', ['AC', 'DC']],
    ['dc fast', ['DC']],
    ['DC + AC', ['AC', 'DC']],
    ['AC22', ['AC']],
    ['DCFC', ['DC']],
    ['AC (3-phase)', ['AC']],
    ['fast', []],
    ['', []],
    [null, []],
    [undefined, []],
    ['place', []],
    ['Académie', []],
  ])('reads %j as %j', (type, currents) => {
    expect(currentsOf(type)).toEqual(currents)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(anyText, (type) => {
        currentsOf(type)
      }),
    )
  })
})
