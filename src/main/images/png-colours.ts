import { chunksBeforePixels, PNG_SIGNATURE_BYTES, pngOf } from './png-chunks.ts'

/** The `gAMA` value of sRGB, 1/2.2, and its tolerance. */
const SRGB_GAMMA = 1 / 2.2
const SAME_GAMMA = 0.01

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

/** The power that makes the numbers of a PNG sRGB, by its `gAMA` as browsers read it (PNG, third edition, 12.1). Null if they are. */
export function gammaToSrgb(bytes: Buffer): number | null {
  const said = colourChunks(bytes)
  const gamma = (said.get('gAMA')?.readUInt32BE(0) ?? 0) / 100_000
  if (gamma === 0 || OVERRULES_GAMMA.some((name) => said.has(name))) return null
  return Math.abs(gamma - SRGB_GAMMA) <= SAME_GAMMA ? null : SRGB_GAMMA / gamma
}

/** Where the header ends, which is always the first chunk. */
const AFTER_HEADER = 33

/** `served` with the `gAMA` and `cHRM` of its original. Null where it says itself what its numbers mean. */
export function withColourChunks(served: Buffer, original: Buffer): Buffer | null {
  const said = colourChunks(served)
  if (['gAMA', ...OVERRULES_GAMMA].some((name) => said.has(name))) return null
  const lost = [...colourChunks(original)]
    .filter(([name]) => (name === 'gAMA' || name === 'cHRM') && !said.has(name))
    .map(([name, data]) => ({ name, data }))
  const added = pngOf(lost).subarray(PNG_SIGNATURE_BYTES)
  return Buffer.concat([served.subarray(0, AFTER_HEADER), added, served.subarray(AFTER_HEADER)])
}
