import { describe, expect, it } from 'vitest'
import {
  canPan,
  FIT,
  ownSize,
  pan,
  place,
  zoomBy,
  zoomIn,
  zoomOut,
} from '../../../../src/renderer/places/jobs/stage/zoom.ts'

const box = { width: 400, height: 300 }
const picture = { width: 1600, height: 900 }

describe('a picture in a box', () => {
  it('is shown whole and in the middle at first', () => {
    expect(place(FIT, box, picture)).toEqual({ scale: 0.25, width: 400, height: 225, left: 0, top: 37.5 })
  })

  it('is not made larger than it is to fill the box', () => {
    expect(place(FIT, box, { width: 100, height: 50 })).toMatchObject({ scale: 1, left: 150, top: 125 })
  })

  it('keeps in place what is under the pointer when it is enlarged', () => {
    const at = { x: 300, y: 200 }
    const before = place(FIT, box, picture)
    const after = place(zoomBy(FIT, 2, at, box, picture), box, picture)
    const share = (placed: typeof before) => [(at.x - placed.left) / placed.width, (at.y - placed.top) / placed.height]
    expect(after.scale).toBe(0.5)
    expect(share(after)[0]).toBeCloseTo(share(before)[0]!)
    expect(share(after)[1]).toBeCloseTo(share(before)[1]!)
  })

  it('stays whole when it is enlarged before its box is drawn, as by a double click that opened it', () => {
    const none = { width: 0, height: 0 }
    expect(zoomBy(FIT, Infinity, { x: 0, y: 0 }, none, { width: 800, height: 600 })).toEqual(FIT)
  })

  it('is shown whole again when it is reduced as far as that', () => {
    expect(zoomOut(zoomIn(FIT, box, picture), box, picture)).toEqual(FIT)
    expect(zoomBy(FIT, 0.01, { x: 0, y: 0 }, box, picture)).toEqual(FIT)
  })

  it('stops at its edges when it is moved, and can be moved back at once', () => {
    const enlarged = zoomBy(FIT, 4, { x: 200, y: 150 }, box, picture)
    const atTheLeft = pan(enlarged, { x: 10_000, y: 0 }, box, picture)
    expect(place(atTheLeft, box, picture).left).toBe(0)
    expect(place(pan(atTheLeft, { x: -10, y: 0 }, box, picture), box, picture).left).toBeCloseTo(-10)
    expect(pan(FIT, { x: 10, y: 10 }, box, picture)).toBe(FIT)
  })

  it('can be moved only when some of it is out of sight', () => {
    expect(canPan(place(FIT, box, picture), box)).toBe(false)
    expect(canPan(place(zoomIn(FIT, box, picture), box, picture), box)).toBe(true)
  })
})

describe('the size of a picture', () => {
  it('is its own, although a rendering is smaller or turned', () => {
    expect(ownSize({ width: 4000, height: 3000 }, { width: 800, height: 600 })).toEqual({ width: 4000, height: 3000 })
    expect(ownSize({ width: 4000, height: 3000 }, { width: 600, height: 800 })).toEqual({ width: 3000, height: 4000 })
  })

  it('is the rendering’s where it is not known', () => {
    expect(ownSize(null, { width: 800, height: 600 })).toEqual({ width: 800, height: 600 })
  })
})
