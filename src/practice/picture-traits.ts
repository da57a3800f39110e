import { loadSharp } from './load-sharp.ts'
import { MAX_PIXELS } from './not-shown.ts'

export const COLOURS = [
  'black',
  'white',
  'grey',
  'red',
  'orange',
  'yellow',
  'green',
  'turquoise',
  'blue',
  'purple',
  'pink',
  'brown',
] as const
export type Colour = (typeof COLOURS)[number]

export const SHAPES = ['landscape', 'portrait', 'square', 'panorama'] as const
export type Shape = (typeof SHAPES)[number]

/** What can be said about a picture without understanding its content. */
export interface PictureTraits {
  width: number
  height: number
  shape: Shape
  /** The one or two colours that cover most of it, the largest share first. */
  colours: Colour[]
}

/** Names one pixel's colour (0 to 255 each) by hue, saturation and lightness. */
export function nameColour(red: number, green: number, blue: number): Colour {
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  const lightness = (max + min) / 510
  const chroma = max - min
  if (lightness < 0.12) return 'black'
  if (lightness > 0.93) return 'white'
  if (chroma < 26) return 'grey'
  const hue = hueDegrees(red, green, blue, max, chroma)
  if (hue < 15 || hue >= 345) return lightness > 0.75 ? 'pink' : 'red'
  if (hue < 45) return lightness < 0.4 ? 'brown' : 'orange'
  if (hue < 70) return lightness < 0.3 ? 'brown' : 'yellow'
  if (hue < 165) return 'green'
  if (hue < 195) return 'turquoise'
  if (hue < 260) return 'blue'
  return hue < 300 ? 'purple' : 'pink'
}

function hueDegrees(red: number, green: number, blue: number, max: number, chroma: number): number {
  if (max === red) return (60 * ((green - blue) / chroma) + 360) % 360
  if (max === green) return 60 * ((blue - red) / chroma) + 120
  return 60 * ((red - green) / chroma) + 240
}

export function shapeOf(width: number, height: number): Shape {
  const ratio = width / height
  if (ratio >= 2) return 'panorama'
  if (ratio > 1.05) return 'landscape'
  return ratio < 0.95 ? 'portrait' : 'square'
}

const SAMPLE_SIDE = 48

/** Of the first frame, upright. Rejects when the picture cannot be decoded. */
export async function readTraits(path: string): Promise<PictureTraits> {
  const sharp = await loadSharp()
  const metadata = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata()
  const turned = (metadata.orientation ?? 1) >= 5
  const width = turned ? metadata.height : metadata.width
  const height = turned ? metadata.width : metadata.height
  const pixels = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  return { width, height, shape: shapeOf(width, height), colours: mainColours(pixels) }
}

function mainColours(pixels: Uint8Array): Colour[] {
  const counts = new Map<Colour, number>()
  const channels = pixels.length / (SAMPLE_SIDE * SAMPLE_SIDE)
  for (let at = 0; at + channels <= pixels.length; at += channels) {
    const red = pixels[at] ?? 0
    const colour = nameColour(
      red,
      channels >= 3 ? (pixels[at + 1] ?? 0) : red,
      channels >= 3 ? (pixels[at + 2] ?? 0) : red,
    )
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const ranked = [...counts].sort((one, other) => other[1] - one[1])
  const second = ranked[1]
  const enough = second !== undefined && second[1] >= SAMPLE_SIDE * SAMPLE_SIDE * 0.1
  return ranked.slice(0, enough ? 2 : 1).map(([colour]) => colour)
}
