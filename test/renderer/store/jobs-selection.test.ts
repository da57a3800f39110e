import { describe, expect, it } from 'vitest'
import {
  chooseAll,
  chooseNone,
  chooseOnly,
  chooseRange,
  NOTHING_CHOSEN,
  standOn,
  toggle,
  without,
} from '../../../src/renderer/store/jobs-selection.ts'

describe('what is chosen', () => {
  it('is one job after a click, and one more or less with the modifier', () => {
    const one = chooseOnly('a')
    const two = toggle(one, 'b')
    expect([...two.ids]).toEqual(['a', 'b'])
    expect(two.focus).toBe('b')
    expect([...toggle(two, 'a').ids]).toEqual(['b'])
  })

  it('is a range from where it began, again and again from the same place', () => {
    const from = chooseOnly('b')
    const down = chooseRange(from, 'd', ['b', 'c', 'd'], false)
    expect([...down.ids]).toEqual(['b', 'c', 'd'])
    const up = chooseRange(down, 'a', ['a', 'b'], false)
    expect([...up.ids]).toEqual(['a', 'b'])
    expect(up.anchor).toBe('b')
    expect([...chooseRange(up, 'd', ['b', 'c', 'd'], true).ids]).toEqual(['a', 'b', 'c', 'd'])
  })

  it('can be everything and nothing, and the keyboard stays where it is', () => {
    const all = chooseAll(chooseOnly('b'), ['a', 'b', 'c'])
    expect(all.ids.size).toBe(3)
    expect(all.focus).toBe('b')
    expect(chooseNone(all)).toMatchObject({ focus: 'b', anchor: 'b' })
    expect(chooseAll(NOTHING_CHOSEN, ['a', 'b']).focus).toBe('a')
  })

  it('is no job while the keyboard is on a header', () => {
    expect(standOn('#one').ids.size).toBe(0)
  })

  it('is told of jobs that left, and the keyboard goes on to the next', () => {
    const after = without(chooseAll(chooseOnly('b'), ['a', 'b', 'c']), new Set(['a', 'b']), 'c')
    expect([...after.ids]).toEqual(['c'])
    expect(after.focus).toBe('c')
    expect(after.anchor).toBe('c')
  })
})
