/** How the pixels of a picture are stored, as the decoder understands it. */
export interface Shape {
  width: number
  height: number
  /** EXIF's, 1 to 8: how the stored pixels have to be turned to be upright. */
  orientation: number
  /** Whether it says that its colours are others than those of sRGB; by default that is not asked. */
  hasProfile?: boolean
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
  /** Whether width and height of the original are height and width of the result. */
  swapsSides: boolean
  /** Its colours were converted to sRGB, and those of the original are others. */
  isSrgb: boolean
}

export const swapsSides = (orientation: number): boolean => orientation >= 5 && orientation <= 8

/** Sides are rounded, and some programs round more. */
const SAME_PIXELS = 2

/** `orientation`: what the EXIF of the result says, if not what the decoder understands. */
export function fitOf(original: Shape | null, result: Shape | null, orientation = result?.orientation ?? 1): Fit {
  const fit: Fit = {
    size: result === null ? null : { width: result.width, height: result.height },
    orientation,
    isTurned: (original?.orientation ?? 1) !== (result?.orientation ?? 1),
    isSrgb: original?.hasProfile === true && result?.hasProfile === false,
    scale: null,
    swapsSides: false,
  }
  if (original === null || result === null) return fit
  const swapped = swapsSides(original.orientation) !== swapsSides(result.orientation)
  const [width, height] = swapped ? [original.height, original.width] : [original.width, original.height]
  const scale = { x: result.width / width, y: result.height / height }
  // The same picture has the same proportions.
  const isSame = Math.abs(height * scale.x - result.height) < SAME_PIXELS * Math.max(1, scale.x)
  return { ...fit, scale: isSame ? scale : null, swapsSides: swapped }
}

/** Whether every position in the original is the same in the result. */
export function isUnmoved({ isTurned, scale }: Fit): boolean {
  return !isTurned && scale !== null && scale.x === 1 && scale.y === 1
}
