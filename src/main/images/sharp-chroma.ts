import type { Metadata, Sharp } from 'sharp'
import type { ImageType } from '../../shared/recipes/recipe.ts'

/** Differences of colour between neighbours that are seen to fade: a red line on white has 255, edges in photographs rarely half of it. */
const MIN_DIFFERENCE = 120
/** A picture with such differences in a greater share of its blocks is a drawing. */
const MIN_SHARE = 0.001
/** More pairs of rows of a tall picture tell nothing new. */
const MAX_PAIRS = 500

/** Fine lines or edges in strong colours, as in drawings: encoders with one colour for four pixels make them dull unless told. */
export async function hasSharpChroma(
  image: Sharp,
  { type, metadata }: { type: ImageType; metadata: Metadata },
): Promise<boolean> {
  if (metadata.space === 'b-w' || metadata.space === 'grey16') return false
  if (type === 'jpeg' && metadata.chromaSubsampling !== '4:4:4') return false
  // Transparency fades no colour.
  const { data, info } = await image.clone().removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3) return false
  const rowBytes = width * 3
  const pairs = Math.floor(height / 2)
  const step = Math.ceil(pairs / MAX_PAIRS)
  let [sharp, blocks] = [0, 0]
  for (let pair = 0; pair < pairs; pair += step)
    for (let x = 0; x + 1 < width; x += 2) {
      const at = pair * 2 * rowBytes + x * 3
      blocks += 1
      if (spread(data, at, at + rowBytes) > MIN_DIFFERENCE) sharp += 1
    }
  return sharp > blocks * MIN_SHARE
}

/** The most that red or blue differs, apart from light, among two pixels and the two below them. */
function spread(data: Buffer, upper: number, lower: number): number {
  let [leastRed, mostRed, leastBlue, mostBlue] = [255, -255, 255, -255]
  for (let nth = 0; nth < 4; nth += 1) {
    const at = (nth < 2 ? upper : lower) + (nth & 1) * 3
    const red = data[at]! - data[at + 1]!
    const blue = data[at + 2]! - data[at + 1]!
    if (red < leastRed) leastRed = red
    if (red > mostRed) mostRed = red
    if (blue < leastBlue) leastBlue = blue
    if (blue > mostBlue) mostBlue = blue
  }
  return Math.max(mostRed - leastRed, mostBlue - leastBlue)
}
