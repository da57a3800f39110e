import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseBounds,
  MIN_HEIGHT,
  MIN_WIDTH,
  type WindowPlace,
  windowPlaceFile,
} from '../../src/main/electron/window-bounds.ts'
import { folderForTest } from '../temp-folder.ts'

const PRIMARY = { x: 0, y: 25, width: 1600, height: 875 }
const left = (changes: Partial<WindowPlace>): WindowPlace => ({
  x: 100,
  y: 100,
  width: 1000,
  height: 700,
  maximized: false,
  theme: 'system',
  ...changes,
})

describe('the bounds of a new window', () => {
  it('are those it was left with where the display shows all of it', () => {
    expect(chooseBounds(left({}), PRIMARY)).toEqual({ x: 100, y: 100, width: 1000, height: 700 })
  })

  it("are the system's choice at first", () => {
    expect(chooseBounds(null, PRIMARY)).toEqual({ width: 1200, height: 800 })
  })

  it('fit the display, and are never smaller than the page can be', () => {
    expect(chooseBounds(left({ width: 9000, height: 9000 }), PRIMARY)).toMatchObject({ width: 1600, height: 875 })
    expect(chooseBounds(left({ width: 10, height: 10 }), PRIMARY)).toMatchObject({ width: 760, height: 520 })
  })

  it('show all of it whatever was stored', () => {
    const pixels = fc.integer({ min: -100_000, max: 100_000 })
    const place = fc.record({
      x: pixels,
      y: pixels,
      width: pixels,
      height: pixels,
      maximized: fc.boolean(),
      theme: fc.constant('system' as const),
    })
    fc.assert(
      fc.property(place, (stored) => {
        const { x = NaN, y = NaN, width, height } = chooseBounds(stored, PRIMARY)
        expect(width).toBeGreaterThanOrEqual(MIN_WIDTH)
        expect(height).toBeGreaterThanOrEqual(MIN_HEIGHT)
        expect(x >= PRIMARY.x && x + width <= PRIMARY.x + PRIMARY.width).toBe(true)
        expect(y >= PRIMARY.y && y + height <= PRIMARY.y + PRIMARY.height).toBe(true)
      }),
    )
  })
})

it.each([
  ['there is none', null],
  ['it is cut off', '{"x":1'],
  ['it is of another shape', '{"x":"left"}'],
  ['a number is no place on any screen', JSON.stringify(left({ x: 1e9 }))],
  ['it is endless', ' '.repeat(10_000)],
])('where the window was left is not known when %s', (_, text) => {
  const dir = folderForTest()
  if (text !== null) writeFileSync(join(dir, 'window.json'), text)
  expect(windowPlaceFile(dir).read()).toBeNull()
})
