/** How the pixels of a picture are stored, as the decoder understands it. */
export interface Shape {
  width: number
  height: number
  /** EXIF's, 1 to 8: how the stored pixels have to be turned to be upright. */
  orientation: number
  /** Whether it says that its colours are others than those of sRGB; by default that is not asked. */
  hasProfile?: boolean
}

interface Point {
  x: number
  y: number
}

/** What metadata that describes the pixels of one picture has to say of another one that shows the same. */
export interface Fit {
  /** Of the result, as its pixels are stored; null if unknown. */
  size: { width: number; height: number } | null
  /** What the EXIF of the result says. */
  orientation: number
  /** Whether its pixels are stored in another orientation than the original's. */
  isTurned: boolean
  /** The factors that lengths are scaled by, along the sides of the result; null where the pictures do not correspond. */
  scale: { x: number; y: number } | null
  /** Where a point of the original is in the result, both from 0 to 1; null where the pictures do not correspond. */
  place: ((point: Point) => Point) | null
  /** Whether width and height of the original are height and width of the result. */
  swapsSides: boolean
  original: Shape | null
  /** Of the result's pixels, whatever its EXIF says. */
  pixelOrientation: number
  /** Its colours were converted to sRGB, and those of the original are others. */
  isSrgb: boolean
}

/** From the stored pixels to upright ones, by orientation. */
const UPRIGHT: readonly ((point: Point) => Point)[] = [
  (point) => point,
  ({ x, y }) => ({ x: 1 - x, y }),
  ({ x, y }) => ({ x: 1 - x, y: 1 - y }),
  ({ x, y }) => ({ x, y: 1 - y }),
  ({ x, y }) => ({ x: y, y: x }),
  ({ x, y }) => ({ x: 1 - y, y: x }),
  ({ x, y }) => ({ x: 1 - y, y: 1 - x }),
  ({ x, y }) => ({ x: y, y: 1 - x }),
]
const upright = (orientation: number, point: Point): Point => (UPRIGHT[orientation - 1] ?? UPRIGHT[0]!)(point)
/** Two of the orientations undo each other, all others themselves. */
const UNDO = new Map([
  [6, 8],
  [8, 6],
])
export const swapsSides = (orientation: number): boolean => orientation >= 5 && orientation <= 8

/** Sides are rounded, and some programs round more. */
const SAME_PIXELS = 2

/** `orientation`: what the EXIF of the result says, if not what the decoder understands. */
export function fitOf(original: Shape | null, result: Shape | null, orientation = result?.orientation ?? 1): Fit {
  const size = result === null ? null : { width: result.width, height: result.height }
  const isTurned = (original?.orientation ?? 1) !== (result?.orientation ?? 1)
  const pixelOrientation = result?.orientation ?? 1
  const none = {
    size,
    orientation,
    isTurned,
    original,
    pixelOrientation,
    isSrgb: original?.hasProfile === true && result?.hasProfile === false,
    scale: null,
    place: null,
    swapsSides: false,
  }
  if (original === null || result === null) return none
  const swapped = swapsSides(original.orientation) !== swapsSides(result.orientation)
  const [width, height] = swapped ? [original.height, original.width] : [original.width, original.height]
  const scale = { x: result.width / width, y: result.height / height }
  // The same picture has the same proportions.
  const isSame = Math.abs(height * scale.x - result.height) < SAME_PIXELS * Math.max(1, scale.x)
  if (!isSame) return { ...none, swapsSides: swapped }
  const back = UNDO.get(result.orientation) ?? result.orientation
  const place = (point: Point): Point => upright(back, upright(original.orientation, point))
  return { ...none, scale, place, swapsSides: swapped }
}

/** Whether every position in the original is the same in the result. */
export function isUnmoved({ isTurned, scale }: Fit): boolean {
  return !isTurned && scale !== null && scale.x === 1 && scale.y === 1
}

/**
 * The place of a subject: a point, a circle (its middle, diameter) or a rectangle (its middle, width, height), in pixels of the
 * original and then of the result; null where that cannot be told.
 */
export function subjectIn(area: readonly number[], { original, size, place, scale, swapsSides }: Fit): number[] | null {
  const [x, y, across = null, down = null] = area
  if (original === null || size === null || place === null || scale === null || y === undefined) return null
  const at = place({ x: x! / original.width, y: y / original.height })
  const sides = [across, down].filter((side) => side !== null)
  if (swapsSides) sides.reverse()
  const lengths = sides.map((side, nth) => side * (nth === 0 ? scale.x : scale.y))
  return [at.x * size.width, at.y * size.height, ...lengths].map((value) => Math.max(0, Math.round(value)))
}
