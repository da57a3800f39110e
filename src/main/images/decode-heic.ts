import { createRequire } from 'node:module'
import sharp from 'sharp'
import { say } from '../../shared/sentences/sentence.ts'
import type { ImageFailure, PixelLimits } from '../core/picture-tasks.ts'
import { readBoxes } from './heic.ts'
import { DAMAGED, fail, isMovie } from './open-image.ts'
import { withProfile } from './put-back.ts'
import { findImageEnd } from './metadata/gather.ts'

/** Of 12 million pixels in 8 and 10 bits, decoding took 8 and 24 bytes each, and the PNG made of them 3 and 6. */
const BYTES_PER_PIXEL = 32
/** Size of libheif's `heif_error`. */
const ERROR_BYTES = 12
/** Items of pictures in HEVC. */
const IN_HEVC = /^(?:hvc1|hev1|hvt1|lhv1|lhe1)$/

/** What is used of libheif, which was compiled to WebAssembly. Its functions answer with an error where a picture cannot be read. */
interface Libheif {
  HEAPU8: Uint8Array
  heif_colorspace: Record<'heif_colorspace_RGB', object>
  heif_chroma: Record<`heif_chroma_interleaved_${'RGB' | 'RGBA' | 'RRGGBB_LE'}`, object>
  heif_context_alloc(): object
  heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError
  heif_js_context_get_primary_image_handle(context: object): HeifHandle | HeifError
  heif_image_handle_has_alpha_channel(handle: HeifHandle): number
  heif_js_decode_image2(handle: HeifHandle, colours: object, chroma: object): HeifImage | HeifError
  _heif_image_handle_get_luma_bits_per_pixel(handle: number): number
  _heif_image_handle_get_raw_color_profile_size(handle: number): number
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, profile: number): void
  _malloc(bytes: number): number
}

interface HeifError {
  code: { value: number }
  message: string
}

interface HeifHandle {
  $$: { ptr: number }
}

interface HeifImage {
  width: number
  height: number
  channels: readonly { data: Uint8Array; stride: number }[]
}

/** How much memory decoding takes. Fails for what is cut off, too large, or no still picture in HEVC. */
export function heicMemory(bytes: Buffer, { framePixels }: PixelLimits): number | ImageFailure {
  const end = findImageEnd(bytes, 'heic')
  if (end === null) return isMovie(bytes) ? fail('unsupported', say('heic_moves')) : fail('cut_off', say('stops_early'))
  const file = readBoxes(bytes.subarray(0, end))
  const extents = (file?.items ?? []).flatMap((item) => (item.method === 0 ? item.extents : []))
  if (extents.some(({ offset, length }) => offset + length > end)) return fail('cut_off', say('stops_early'))
  if (file === null || file.items.every(({ id }) => id !== file.primary)) return fail('damaged', say('header_broken'))
  if (!file.items.some(({ type }) => IN_HEVC.test(type)))
    return fail('other_type', say('is_format', { format: 'HEIF' }))
  const pixels = file.largest.width * file.largest.height
  return pixels > framePixels
    ? fail('too_many_pixels', say('over_pixel_limit', { pixels, limit: framePixels }))
    : pixels * BYTES_PER_PIXEL
}

/** A PNG: upright, in 16 bits if it has more than 8 and is opaque, with its profile alone (docs/decisions/0052-heic-by-libheif.md). */
export async function decodeHeic(bytes: Buffer): Promise<Buffer | ImageFailure> {
  const load = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif.js') as () => Promise<Libheif>
  try {
    // One for each picture: its memory only grows, and no picture meets what another one left.
    return await decodeWith(await load(), bytes)
  } catch {
    return DAMAGED
  }
}

async function decodeWith(heif: Libheif, bytes: Buffer): Promise<Buffer> {
  const context = heif.heif_context_alloc()
  const read = heif.heif_context_read_from_memory(context, bytes)
  if (read.code.value !== 0) throw new Error(read.message)
  const handle = sound(heif.heif_js_context_get_primary_image_handle(context))
  const bits = heif._heif_image_handle_get_luma_bits_per_pixel(handle.$$.ptr)
  const hasAlpha = heif.heif_image_handle_has_alpha_channel(handle) !== 0
  // Together with transparency, this version decodes them into nothing but zeros.
  const isDeep = bits > 8 && !hasAlpha
  const chroma = hasAlpha ? 'RGBA' : isDeep ? 'RRGGBB_LE' : 'RGB'
  const colours = heif.heif_colorspace.heif_colorspace_RGB
  const image = sound(
    heif.heif_js_decode_image2(handle, colours, heif.heif_chroma[`heif_chroma_interleaved_${chroma}`]),
  )
  const { width, height } = image
  const raw = { width, height, channels: hasAlpha ? 4 : 3 } as const
  const pixels = pixelsOf(image, raw.channels * (isDeep ? 2 : 1))
  const png = await sharp(isDeep ? inSixteenBits(pixels, bits) : pixels, { raw, limitInputPixels: false })
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  const profile = profileOf(heif, handle)
  return profile === null ? png : withProfile(png, 'png', profile)
}

function sound<Made extends object>(made: Made | HeifError): Made {
  if ('code' in made) throw new Error(made.message)
  return made
}

/** Without what fills each row. */
function pixelsOf({ width, height, channels }: HeifImage, bytesPerPixel: number): Buffer {
  const { data, stride } = channels[0]!
  const rowBytes = width * bytesPerPixel
  return Buffer.concat(Array.from({ length: height }, (_, y) => data.subarray(y * stride, y * stride + rowBytes)))
}

function inSixteenBits({ buffer, byteOffset, byteLength }: Buffer, bits: number): Uint16Array {
  const numbers = new Uint16Array(buffer, byteOffset, byteLength / 2)
  const factor = 65_535 / (2 ** bits - 1)
  return numbers.map((number) => Math.round(number * factor))
}

function profileOf(heif: Libheif, { $$: { ptr } }: HeifHandle): Buffer | null {
  const sizeBytes = heif._heif_image_handle_get_raw_color_profile_size(ptr)
  if (sizeBytes === 0) return null
  // What it says of an error comes first.
  const at = heif._malloc(ERROR_BYTES + sizeBytes)
  heif._heif_image_handle_get_raw_color_profile(at, ptr, at + ERROR_BYTES)
  return Buffer.from(heif.HEAPU8.subarray(at + ERROR_BYTES, at + ERROR_BYTES + sizeBytes))
}
