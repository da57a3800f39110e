import { describe, expect, it } from 'vitest'
import { judgeServed, viewsThatFit, type Match, type PictureFacts } from '../../src/main/core/judge-served.ts'
import { distance, gridOf, turned, type Raster } from '../../src/main/core/likeness.ts'

const PLAIN: PictureFacts = {
  size: { width: 400, height: 300 },
  orientation: 1,
  frames: 1,
  isTransparent: false,
  isDeep: false,
  isCmyk: false,
  hasProfile: false,
  hasGamma: false,
}
const match = (shown: number, numbers: number | null = shown): Match => ({ original: 1, served: 1, shown, numbers })
const judged = (original: Partial<PictureFacts>, served: Partial<PictureFacts>, matches: Match[], gap = 0) =>
  judgeServed({ ...PLAIN, ...original }, { ...PLAIN, ...served }, { matches, gap, shift: null, copy: null })

describe('the views in which a served file has the right size', () => {
  it('are tried with its own orientation first, and then as if one had been lost or kept by mistake', () => {
    const viewsOf = (one: Parameters<typeof viewsThatFit>[0], other: typeof one) =>
      viewsThatFit(one, other, { copy: null, alsoTurned: null })
    expect(viewsOf({ ...PLAIN, orientation: 6 }, PLAIN)).toEqual([{ original: 6, served: 6 }])
    const square = { size: { width: 300, height: 300 }, orientation: 1 }
    const expected = [8, 3, 1].map((served) => ({ original: 3, served }))
    expect(viewsOf({ ...square, orientation: 3 }, { ...square, orientation: 8 })).toEqual(expected)
  })

  it('are those of the copy where one was sent, and of its proportions where its size is not known', () => {
    const served = { size: { width: 133, height: 100 }, orientation: 1 }
    const fitting = (copy: { size: PictureFacts['size'] | null } | null) =>
      viewsThatFit(PLAIN, served, { copy, alsoTurned: null }).length
    expect(fitting({ size: { width: 133, height: 100 } })).toBe(1)
    expect(fitting({ size: { width: 200, height: 150 } })).toBe(0)
    expect([fitting({ size: null }), fitting(null)]).toEqual([1, 0])
  })
})

it('A picture of a few pixels is only measured', () => {
  const tiny = { size: { width: 3, height: 3 } }
  expect(judged(tiny, tiny, [match(2)])).toMatchObject({ fits: true })
  expect(judged({}, {}, [match(2)])).toMatchObject({ fits: false, why: { code: 'served_other_picture' } })
})

it.each([
  ['was dropped where the numbers stayed', [0.2, 0.01], 0.2, { putsProfileBack: true, losses: [] }],
  ['was applied where the colours stayed', [0.01, 0.2], 0.2, { putsProfileBack: false, losses: [] }],
  ['is a loss where neither explains the file', [0.15, 0.16], 0.2, { putsProfileBack: false, losses: ['profile'] }],
  ['says nothing where it changes nothing', [0.02, 0.02], 0.001, { losses: [] }],
] as const)('a profile that is missing %s', (_what, [shown, numbers], gap, verdict) => {
  expect(judged({ hasProfile: true }, {}, [match(shown, numbers)], gap)).toMatchObject(verdict)
})

it('An orientation is put right only where that explains the file clearly better', () => {
  const upsideDown: Match = { original: 3, served: 3, shown: 0.02, numbers: 0.02 }
  const asItIs = (apart: number): Match => ({ original: 3, served: 1, shown: apart, numbers: apart })
  expect(judged({ orientation: 3 }, {}, [asItIs(0.9), upsideDown])).toMatchObject({ fits: true, orientation: 3 })
  expect(judged({ orientation: 3 }, {}, [asItIs(0.03), upsideDown])).toMatchObject({ fits: true, orientation: 1 })
})

describe('the distance of two rasters', () => {
  const raster = (value: (x: number, y: number) => number[]): Raster => {
    const { columns, rows } = gridOf({ width: 40, height: 24 })
    const cells = Uint8Array.from({ length: columns * rows * 4 }, (_, at) => {
      const cell = at >> 2
      return value(cell % columns, Math.floor(cell / columns))[at & 3]!
    })
    return { columns, rows, cells }
  }
  const slope = raster((x, y) => [x * 20, y * 30, 90, 255])

  it('is 0 for the same, small for a little noise, and large for the mirror image', () => {
    const noisy = raster((x, y) => [x * 20 + ((x + y) % 3), y * 30, 91, 255])
    expect(distance(slope, slope)).toBe(0)
    expect(distance(slope, noisy)).toBeLessThan(0.05)
    expect(distance(slope, turned(slope, 2))).toBeGreaterThan(0.5)
  })

  it('does not see what is transparent', () => {
    const nothing = raster(() => [0, 0, 0, 0])
    const hidden = raster((x) => [x, 200, 7, 0])
    expect(distance(hidden, nothing)).toBe(0)
  })

  it('comes back to the same by turning back', () => {
    const back = [1, 2, 3, 4, 5, 8, 7, 6]
    for (const [n, undo] of back.entries()) expect(turned(turned(slope, n + 1), undo)).toEqual(slope)
  })
})
