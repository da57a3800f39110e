import { expect, it } from 'vitest'
import { judgeServed, type Match, type PictureFacts } from '../../src/main/core/judge-served.ts'
import { distance, gridOf, type Raster } from '../../src/main/core/likeness.ts'

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

it('The distance of two rasters leaves out what is transparent', () => {
  const { columns, rows } = gridOf({ width: 40, height: 24 })
  const raster = (colour: number[]): Raster => {
    const cells = Uint8Array.from({ length: columns * rows * 4 }, (_, at) => colour[at & 3]!)
    return { columns, rows, cells }
  }
  expect(distance(raster([90, 200, 7, 0]), raster([0, 0, 0, 0]))).toBe(0)
  expect(distance(raster([90, 200, 7, 255]), raster([0, 0, 0, 255]))).toBeGreaterThan(0.5)
})
