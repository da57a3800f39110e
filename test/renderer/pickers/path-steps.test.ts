import { describe, expect, it } from 'vitest'
import { pathSteps, typedAhead } from '../../../src/renderer/pickers/path-steps.ts'

it.each([
  ['/home/ada', ['/', 'home', 'ada']],
  ['/', ['/']],
  ['C:\\Users\\ada', ['C:', 'Users', 'ada']],
  ['\\\\nas\\photos\\2026', ['\\\\nas\\photos', '2026']],
  ['/odd\\name/x', ['/', 'odd\\name', 'x']],
])('the steps of a path of %s', (path, names) => {
  const steps = pathSteps(path)
  expect(steps.map(({ name }) => name)).toEqual(names)
  expect(steps.map(({ up }) => up)).toEqual(names.map((_, index) => names.length - 1 - index))
})

describe('typing ahead', () => {
  const NAMES = ['apple', 'Banana', 'bench', 'cherry']

  it('goes to the next name that begins so, whatever the case, and round the end', () => {
    expect(typedAhead(NAMES, 'b', 0)).toBe(1)
    expect(typedAhead(NAMES, 'b', 1)).toBe(2)
    expect(typedAhead(NAMES, 'b', 2)).toBe(1)
    expect(typedAhead(NAMES, 'a', 0)).toBe(0)
  })

  it('stays where more letters still fit', () => {
    expect(typedAhead(NAMES, 'be', 2)).toBe(2)
    expect(typedAhead(NAMES, 'be', 1)).toBe(2)
  })

  it('finds nothing among nothing, and none that does not begin so', () => {
    expect(typedAhead(NAMES, 'z', 0)).toBeNull()
    expect(typedAhead([], 'a', 0)).toBeNull()
  })
})
