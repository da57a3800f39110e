import type { Pixels } from './programs.ts'

export interface Difference {
  /** Mean ΔE (CIE 1976), each pixel counting as much as it covers. */
  deltaE: number
  /** Mean ΔE of the mean colours of blocks, in which lost details cancel out and wrong colours do not; 0 for less than one block. */
  shift: number
  /** Mean difference of the alpha channel, 0 to 255. */
  alpha: number
}

const BLOCK_SIDE = 16

/** How far two pictures are apart, over the area that they share: programs round sizes differently. What nobody sees, since it is transparent in both, has no colour. */
export function compare(one: Pixels, other: Pixels): Difference {
  let [sum, weights, alphas] = [0, 0, 0]
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)]
  const count = width * height
  const across = Math.ceil(width / BLOCK_SIDE)
  const blockCount = across * Math.ceil(height / BLOCK_SIDE)
  const blocks = Array.from({ length: blockCount }, () => ({ weight: 0, apart: [0, 0, 0] }))
  for (let nth = 0; nth < count; nth += 1) {
    const [x, y] = [nth % width, Math.floor(nth / width)]
    const [here, there] = [y * one.width + x, y * other.width + x]
    const [a, b] = [alphaAt(one, here), alphaAt(other, there)]
    const weight = Math.min(a, b) / 255
    alphas += Math.abs(a - b)
    weights += weight
    if (weight === 0) continue
    const [first, second] = [labAt(one, here), labAt(other, there)]
    sum += weight * distance(first, second)
    const block = blocks[Math.floor(y / BLOCK_SIDE) * across + Math.floor(x / BLOCK_SIDE)]!
    block.weight += weight
    block.apart = block.apart.map((value, axis) => value + weight * (first[axis]! - second[axis]!))
  }
  if (weights === 0) return { deltaE: 0, shift: 0, alpha: count === 0 ? 0 : alphas / count }
  const shifts = count < BLOCK_SIDE ** 2 ? 0 : blocks.reduce((all, { apart }) => all + Math.hypot(...apart), 0)
  return { deltaE: sum / weights, shift: shifts / weights, alpha: alphas / count }
}

/** How far the two points are apart that differ most, in ΔE; a difference in opacity counts for as much as one in light. */
export function farthest(one: Pixels, other: Pixels): number {
  let most = 0
  for (let pixel = 0; pixel < one.width * one.height; pixel += 1) {
    const [a, b] = [alphaAt(one, pixel) / 255, alphaAt(other, pixel) / 255]
    const colour = Math.min(a, b) * distance(labAt(one, pixel), labAt(other, pixel))
    most = Math.max(most, colour, Math.abs(a - b) * 100)
  }
  return most
}

/** The same picture with a curve applied to its colours. */
export function withCurve(pixels: Pixels, curve: (share: number) => number): Pixels {
  const table = Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * curve(value / 255)))
  const data = pixels.data.map((value, at) => (pixels.channels === 4 && at % 4 === 3 ? value : table[value]!))
  return { ...pixels, data }
}

/** What of sRGB's numbers stands for a share of light. */
export function srgbOf(light: number): number {
  return light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

export function hasTransparency(pixels: Pixels): boolean {
  return leastOpacity(pixels) < 255
}

/** Of its clearest pixel, 0 to 255. */
export function leastOpacity({ channels, data }: Pixels): number {
  return channels === 4 ? data.reduce((least, value, at) => (at % 4 === 3 ? Math.min(least, value) : least), 255) : 255
}

function alphaAt({ channels, data }: Pixels, pixel: number): number {
  return channels === 4 ? data[pixel * 4 + 3]! : 255
}

type Lab = readonly [number, number, number]

const LIGHT = Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

function labAt({ channels, data }: Pixels, pixel: number): Lab {
  const at = pixel * channels
  const [r, g, b] = [LIGHT[data[at]!]!, LIGHT[data[at + 1]!]!, LIGHT[data[at + 2]!]!]
  const x = curved((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
  const y = curved(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = curved((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function curved(share: number): number {
  return share > 0.008_856 ? Math.cbrt(share) : 7.787 * share + 16 / 116
}

function distance(one: Lab, other: Lab): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
}
