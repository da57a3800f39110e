/** Measured on sample pictures: 4, the library's default, takes three to seven times as long for files as large. */
export const AVIF_EFFORT = 3

/** WebP qualities and the AVIF qualities that look as good (docs/decisions/0017-one-number-for-quality.md); the ends are extrapolated. */
const SAME_LOOK: readonly (readonly [quality: number, avifQuality: number])[] = [
  [1, 15],
  [30, 38],
  [50, 47],
  [60, 50],
  [70, 55],
  [80, 63],
  [90, 83],
  [100, 100],
]

/** The encoder quality, 1 to 100, at which AVIF looks about as good as WebP at this quality, 1 to 100. */
export function avifQualityFor(quality: number): number {
  for (const [index, [upper, avifUpper]] of SAME_LOOK.entries()) {
    if (quality > upper) continue
    const [lower, avifLower] = SAME_LOOK[index - 1] ?? [upper - 1, avifUpper]
    return Math.round(avifLower + ((quality - lower) / (upper - lower)) * (avifUpper - avifLower))
  }
  return 100
}
