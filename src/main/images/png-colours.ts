import { deflateSync } from 'node:zlib'
import { chunksBeforePixels, PNG_SIGNATURE_BYTES, pngChunks, pngOf } from './png-chunks.ts'
import { matrixProfile, type Chromaticities } from './icc-profile.ts'

/** The primaries and white of sRGB, in the units of `cHRM`: hundred thousandths. */
const SRGB: Chromaticities = { white: [31270, 32900], red: [64000, 33000], green: [30000, 60000], blue: [15000, 6000] }
/** Rounded in many ways by the programs that write it. */
const SAME_COLOUR = 500
/** The `gAMA` value of sRGB, 1/2.2, and its tolerance. */
const SRGB_GAMMA = 45455
const SAME_GAMMA = 1000
/** Curves that lossy formats are made for. With others, dark areas would lose what they show. */
const DISPLAY_GAMMAS = [1 / 2.7, 1 / 1.7] as const
/** Colour types of the header: grey, and grey with alpha. */
const GREY_TYPES = new Set([0, 4])

interface PngColours {
  /** The same picture, with a profile in place of `gAMA` and `cHRM`. */
  bytes: Buffer
  /** The profile is kept, or the pixels are converted to sRGB with it. */
  plan: 'keep' | 'convert'
}

/** A 16-bit grey PNG whose curve is given by `gAMA`: the library applies profiles to those in colour only. */
export function isDeepGrey(bytes: Buffer): boolean {
  return bytes[DEPTH_AT] === 16 && GREY_TYPES.has(colourTypeOf(bytes))
}

/** The header is the first chunk and is placed separately. */
const DEPTH_AT = 24
const colourTypeOf = (bytes: Buffer): number => bytes[DEPTH_AT + 1] ?? -1

/** Whether the content of a chunk about colours is one. */
const IS_READABLE: Record<string, (data: Buffer) => boolean> = {
  iCCP: () => true,
  cICP: ({ length }) => length === 4,
  sRGB: ({ length, 0: intent = 0 }) => length === 1 && intent < 4,
  gAMA: ({ length }) => length === 4,
  cHRM: ({ length }) => length === 32,
}
const OVERRULES_GAMMA = ['iCCP', 'sRGB', 'cICP'] as const

/** By name, the first of each that can be read. The others count for nothing in browsers, and have a wrong checksum or length. */
function colourChunks(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (const { name, data, isSound } of chunksBeforePixels(bytes))
    if (!found.has(name) && IS_READABLE[name]?.(data) === true && isSound) found.set(name, data)
  return found
}

/**
 * What `gAMA` and `cHRM` mean, as browsers read them (PNG specification, third edition, 12.1): only without a profile, `sRGB`
 * or `cICP`; nothing without `gAMA`, or with primaries that are none. Null where the numbers are sRGB anyway. `pixels` is
 * the PNG that gets the profile: the same one, or a version of it.
 */
export function pngColours(bytes: Buffer, pixels = bytes): PngColours | null {
  const said = colourChunks(bytes)
  if (OVERRULES_GAMMA.some((name) => said.has(name))) return null
  const [gammaChunk, primaries] = [said.get('gAMA'), said.get('cHRM')]
  if (gammaChunk === undefined) return null
  const gamma = gammaChunk.readUInt32BE(0)
  const chromaticities = primaries === undefined ? SRGB : readPrimaries(primaries)
  if (gamma === 0 || chromaticities === null) return null
  const isGrey = GREY_TYPES.has(colourTypeOf(pixels))
  const hasSrgbColours = isGrey || isSrgb(chromaticities)
  if (hasSrgbColours && Math.abs(gamma - SRGB_GAMMA) <= SAME_GAMMA) return null
  const exponent = 100_000 / gamma
  const profile = matrixProfile(isGrey ? null : chromaticities, exponent)
  const iccp = Buffer.concat([Buffer.from('gAMA and cHRM\0\0', 'latin1'), deflateSync(profile)])
  const [least, most] = DISPLAY_GAMMAS
  const isDisplayCurve = gamma / 100_000 >= least && gamma / 100_000 <= most
  return { bytes: withProfile(pixels, iccp), plan: hasSrgbColours || !isDisplayCurve ? 'convert' : 'keep' }
}

/** Where the header ends, which is always the first chunk. */
const AFTER_HEADER = 33

/**
 * `served` with the `gAMA` and `cHRM` of its original, and else byte for byte. Null where the original's mean nothing, or
 * `served` says itself what its numbers mean.
 */
export function withColourChunks(served: Buffer, original: Buffer): Buffer | null {
  if (pngColours(original) === null) return null
  const said = colourChunks(served)
  if (['gAMA', ...OVERRULES_GAMMA].some((name) => said.has(name))) return null
  const lost = [...colourChunks(original)]
    .filter(([name]) => (name === 'gAMA' || name === 'cHRM') && !said.has(name))
    .map(([name, data]) => ({ name, data }))
  const added = pngOf(lost).subarray(PNG_SIGNATURE_BYTES)
  return Buffer.concat([served.subarray(0, AFTER_HEADER), added, served.subarray(AFTER_HEADER)])
}

function withProfile(bytes: Buffer, iccp: Buffer): Buffer {
  const others = [...pngChunks(bytes)].filter(({ name }) => IS_READABLE[name] === undefined)
  return pngOf(others.flatMap((chunk) => (chunk.name === 'IHDR' ? [chunk, { name: 'iCCP', data: iccp }] : [chunk])))
}

function readPrimaries(data: Buffer): Chromaticities | null {
  const pair = (at: number): [number, number] => [data.readInt32BE(at), data.readInt32BE(at + 4)]
  const read = { white: pair(0), red: pair(8), green: pair(16), blue: pair(24) }
  const isColour = ([x, y]: readonly [number, number]): boolean => x >= 0 && y > 0 && x + y <= 100_000
  if (!Object.values(read).every(isColour)) return null
  const { red, green, blue } = read
  // Primaries on one line span no colours.
  const area = (green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1])
  return Math.abs(area) < 1e6 ? null : read
}

function isSrgb(given: Chromaticities): boolean {
  return (['white', 'red', 'green', 'blue'] as const).every((name) =>
    given[name].every((value, axis) => Math.abs(value - SRGB[name][axis]!) <= SAME_COLOUR),
  )
}
