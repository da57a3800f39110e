import sharp from 'sharp'
import type { Metadata, OutputInfo, Sharp } from 'sharp'
import { ownSentence } from '../../shared/own-sentences.ts'
import { MAX_AVIF_PIXELS } from '../core/plan-work.ts'
import { findImageEnd } from './image-end.ts'
import type { Encoded, EncodeOptions, ImageFailure, ImageTask, Inspected, PixelLimits } from './image-messages.ts'
import { fail, inputOptions, openImage, shortMessage, type Opened } from './open-image.ts'
import { shrinkImage } from './shrink-image.ts'
import { removeLocationFromExif, removeLocationFromXmp } from './strip-location.ts'

/** The loaders that the five types need. Every other one is code that a hostile file could reach for nothing. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

/** Measured on sample pictures: 4, the library's default, takes three to seven times as long for files as large. */
export const AVIF_EFFORT = 3

/** Sets the library up for a process of its own: no cache, few threads, no loaders beyond those needed. */
export function prepareImageLibrary(threads: number): void {
  sharp.cache(false)
  sharp.concurrency(threads)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
}

/**
 * Does one task: reads the header, asks `admit` for the memory that the rest takes at most, and then does the rest. What is
 * wrong with the picture is a value; nothing else is expected to throw.
 */
export async function doImageTask(
  task: ImageTask,
  admit: (bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<Inspected | Encoded | ImageFailure> {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength)
  const opened = await openImage(bytes, task.limits)
  if (!opened.ok) return opened
  if (task.kind === 'encode' && task.options.format === 'avif') {
    const pixels = pixelsOf(opened)
    if (pixels > MAX_AVIF_PIXELS)
      return fail('too_many_pixels', ownSentence('over_avif_limit', { pixels, limit: MAX_AVIF_PIXELS }))
  }
  await admit(neededBytes(task, opened))
  switch (task.kind) {
    case 'inspect':
      return inspectImage(bytes, opened, task.limits)
    case 'encode':
      return encodeImage(bytes, opened, task.options, task.limits)
    case 'thumbnail':
      return makeThumbnail(bytes, task.px, task.limits)
    case 'shrink':
      return shrinkImage(bytes, opened, task.maxBytes, task.limits)
  }
}

type OpenedImage = Extract<Opened, { ok: true }>

function pixelsOf({ metadata, frames }: OpenedImage): number {
  return metadata.width * (metadata.pageHeight ?? metadata.height) * frames
}

/** Bytes of memory for each pixel, for opaque pictures and for ones with transparency. Measured, see docs/benchmarks.md. */
const BYTES_PER_PIXEL = {
  inspect: [8, 12],
  thumbnail: [8, 12],
  shrink: [24, 28],
  webp: [20, 40],
  avif: [40, 64],
} as const
/** The file itself, and what is read of it. */
const COPIES_OF_FILE = 3

function neededBytes(task: ImageTask, opened: OpenedImage): number {
  const [opaque, transparent] = BYTES_PER_PIXEL[task.kind === 'encode' ? task.options.format : task.kind]
  const perPixel = opened.metadata.hasAlpha ? transparent : opaque
  return pixelsOf(opened) * perPixel + task.bytes.byteLength * COPIES_OF_FILE
}

/**
 * Decodes every pixel of every frame. The container must have its end (`cut_off` otherwise) and the decoder must get
 * there. Warnings do not count: cameras write files that have some.
 */
async function inspectImage(
  bytes: Buffer,
  { type, metadata, frames }: OpenedImage,
  limits: PixelLimits,
): Promise<Inspected | ImageFailure> {
  const end = findImageEnd(bytes, type)
  if (end === null) return fail('cut_off', ownSentence('stops_early'))
  try {
    await decodeAll(sharp(bytes, inputOptions(limits, frames)), metadata)
  } catch (error) {
    return fail('cut_off', ownSentence('damaged', { why: shortMessage(error) }))
  }
  const { width, height } = metadata.autoOrient
  const frameHeight = frames > 1 ? (metadata.pageHeight ?? height) : height
  return { ok: true, type, width, height: frameHeight, animated: frames > 1, dataAfterEnd: end < bytes.length }
}

/** The `extract` keeps the loader from decoding at a fraction of the size, the tiny result keeps memory small. */
async function decodeAll(image: Sharp, metadata: Metadata): Promise<void> {
  const { width } = metadata
  const height = metadata.pageHeight ?? metadata.height
  const side = (length: number): number => Math.max(1, Math.ceil(length / 64))
  await image
    .extract({ left: 0, top: 0, width, height })
    .resize(side(width), side(height), { fit: 'fill' })
    .raw()
    .toBuffer()
}

/**
 * Encodes WebP or AVIF. The orientation is applied to the pixels; the colour profile goes along, because leaving it out
 * shifts the colours of wide-gamut pictures. An animation stays one in WebP; in AVIF it cannot be made here.
 */
async function encodeImage(
  bytes: Buffer,
  { metadata, frames }: OpenedImage,
  options: EncodeOptions,
  limits: PixelLimits,
): Promise<Encoded | ImageFailure> {
  if (frames > 1 && options.format === 'avif') return fail('encode_failed', ownSentence('no_avif_of_animation'))
  const pipeline = (keepExif: boolean): Promise<{ data: Buffer; info: OutputInfo }> => {
    // Frames of an animation cannot be turned one by one; formats that animate carry no orientation in practice.
    const image = sharp(bytes, { ...inputOptions(limits, frames), autoOrient: frames === 1 })
    keepMetadata(image, metadata, options, keepExif)
    const { quality } = options
    return (
      options.format === 'webp' ? image.webp({ quality }) : image.avif({ quality, effort: AVIF_EFFORT })
    ).toBuffer({
      resolveWithObject: true,
    })
  }
  try {
    const wantsExif = options.metadata !== 'strip' && metadata.exif !== undefined
    let { data, info } = await pipeline(wantsExif)
    if (wantsExif && options.metadata === 'keep-without-location' && !(await cleanExifIn(data))) {
      ;({ data, info } = await pipeline(false))
    }
    return { ok: true, bytes: data, width: info.width, height: info.pageHeight ?? info.height }
  } catch (error) {
    return fail('encode_failed', shortMessage(error))
  }
}

function keepMetadata(image: Sharp, metadata: Metadata, options: EncodeOptions, keepExif: boolean): void {
  image.keepIccProfile()
  if (keepExif) image.keepExif()
  if (metadata.xmp === undefined || options.metadata === 'strip') return
  if (options.metadata === 'keep-all') image.keepXmp()
  else {
    const xmp = removeLocationFromXmp(metadata.xmp.toString('utf8'))
    if (xmp !== null) image.withXmp(xmp)
  }
}

/** Blanks the location in the EXIF block of an encoded file, in place. False when that cannot be done for certain. */
async function cleanExifIn(encoded: Buffer): Promise<boolean> {
  const { exif } = await sharp(encoded).metadata()
  if (exif === undefined) return true
  const at = encoded.indexOf(exif)
  if (at < 0 || encoded.indexOf(exif, at + 1) >= 0) return false
  return removeLocationFromExif(encoded.subarray(at, at + exif.length))
}

/** A small WebP without any metadata, at most `px` wide and high, of the first frame. */
async function makeThumbnail(bytes: Buffer, px: number, limits: PixelLimits): Promise<Encoded | ImageFailure> {
  try {
    const { data, info } = await sharp(bytes, {
      failOn: 'none',
      limitInputPixels: limits.framePixels,
      autoOrient: true,
    })
      .resize({ width: px, height: px, fit: 'inside', withoutEnlargement: true })
      // A small picture is looked at for what is on it, a large one for what compression did to it.
      .webp({ quality: px > 256 ? 90 : 75 })
      .toBuffer({ resolveWithObject: true })
    return { ok: true, bytes: data, width: info.width, height: info.height }
  } catch (error) {
    return fail('encode_failed', shortMessage(error))
  }
}
