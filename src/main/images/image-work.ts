import sharp, { type Metadata, type Sharp } from 'sharp'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type { ImageType, MetadataPolicy } from '../../shared/recipes/recipe.ts'
import { gridOf } from '../core/likeness.ts'
import { isSentConverted, MAX_AVIF_PIXELS } from '../core/plan-work.ts'
import { openInSrgb, resolveColours } from './colours.ts'
import { decodeJpeg } from './decode-jpeg.ts'
import { canBeLossless, encodePicture } from './encode-picture.ts'
import { findExtras } from './find-extras.ts'
import { decodeHeic, heicMemory } from './decode-heic.ts'
import { heicShape } from './heic.ts'
import { isSeenThrough, judgeFile } from './judge-file.ts'
import type {
  FileWithMetadata,
  UnparsableFile,
  AnswerTo,
  Encoded,
  ImageFailure,
  TaskName,
  TaskOf,
  Inspected,
  PixelLimits,
} from '../core/picture-tasks.ts'
import {
  decoderBytes,
  fail,
  inputOptions,
  openImage,
  shortMessage,
  DAMAGED,
  pixelsOf,
  rareVariant,
  shapeOf,
  type OpenedImage,
} from './open-image.ts'
import { sniffImageType } from './image-type.ts'
import { toRaster } from './picture-raster.ts'
import { shrinkImage } from './shrink-image.ts'
import { captureTime, exifOfTiff } from './metadata/exif.ts'
import { chooseAltTexts, writeAltTexts } from './metadata/alt-texts.ts'
import { applyMetadata, type Shapes } from './metadata/apply-metadata.ts'
import { orNull } from './metadata/container.ts'
import { findImageEnd, readLeniently, type Picture } from './metadata/gather.ts'
import { uprightWebp } from './put-back.ts'

/** The loaders that the types need. Every other one would only add attack surface for hostile files. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`)

/** Sets up the library for a dedicated process: no cache, few threads, only the needed loaders. */
export function prepareImageLibrary(threads: number): void {
  sharp.cache(false)
  sharp.concurrency(threads)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
}

type Admit = (bytes: number) => Promise<void>

/** Each reads the header, asks `admit` for the maximum memory of the rest, and then does the rest. */
const HANDLERS: {
  readonly [Name in TaskName]: (task: TaskOf<Name>, bytes: Buffer, admit: Admit) => Promise<AnswerTo<Name>>
} = {
  inspect: (task, given, admit) => opening(task, given, admit, inspectImage),
  encode: (task, given, admit) => opening(task, given, admit, encodeWhole),
  thumbnail: (task, given, admit) => opening(task, given, admit, makeThumbnail),
  shrink: (task, given, admit) => opening(task, given, admit, shrinkImage),
  judge: async (task, given, admit) => {
    const original = await withReadablePixels(bufferOf(task.original), task.limits, admit)
    return original instanceof Uint8Array ? judgeFile(given, original, task, admit) : original
  },
  applyMetadata: (task, given, admit) => withMetadata(given, bufferOf(task.original), task.metadata, admit),
  writeTexts: (task, given, admit) =>
    reading(given, admit, (picture) => ({ ok: true, bytes: orNull(() => writeAltTexts(picture, task.texts)) })),
  chooseTexts: (task, given, admit) =>
    reading(given, admit, (picture) => ({ ok: true, chosen: chooseAltTexts(picture, task.metadata, task.texts) })),
}

/** Does one task. Problems of the picture are returned as values; anything thrown is unexpected. */
export function doImageTask<Name extends TaskName>(
  task: TaskOf<Name>,
  admit: Admit = () => Promise.resolve(),
): Promise<AnswerTo<Name>> {
  return HANDLERS[task.kind](task, bufferOf(task.bytes), admit)
}

/** `work` gets what the pixels are in, and the file that everything else is in. */
async function opening<Task extends PixelTask, Made>(
  task: Task,
  given: Buffer,
  admit: Admit,
  work: (bytes: Buffer, opened: OpenedImage, task: Task, file: Buffer) => Promise<Made>,
): Promise<Made | ImageFailure> {
  const readable = await withReadablePixels(given, task.limits, admit)
  if (!(readable instanceof Uint8Array)) return readable
  const isDecoded = readable !== given
  const bytes = sniffImageType(given) === 'webp' ? uprightWebp(given) : readable
  const found = await openImage(bytes, task.limits)
  if (!found.ok) return found
  const opened: OpenedImage = isDecoded ? { ...found, type: 'heic' } : found
  const pixels = pixelsOf(opened)
  if (task.kind === 'encode' && task.options.format === 'avif' && pixels > MAX_AVIF_PIXELS)
    return fail('too_many_pixels', say('over_avif_limit', { pixels, limit: MAX_AVIF_PIXELS }))
  await admit(neededBytes(task, opened))
  return work(bytes, opened, task, isDecoded ? given : bytes)
}

/** Of a HEIC a PNG; any other file as it is. */
async function withReadablePixels(given: Buffer, limits: PixelLimits, admit: Admit): Promise<Buffer | ImageFailure> {
  if (sniffImageType(given) !== 'heic') return given
  const neededBytes = heicMemory(given, limits)
  if (typeof neededBytes !== 'number') return neededBytes
  await admit(neededBytes)
  return decodeHeic(given)
}

/** Tasks that make pixels. */
type PixelTask = TaskOf<'inspect'> | TaskOf<'encode'> | TaskOf<'thumbnail'> | TaskOf<'shrink'>

/** Bytes of memory for each pixel, for opaque pictures and for ones with transparency. Measured, see bench/results/memory.md. */
const BYTES_PER_PIXEL = {
  inspect: [8, 12],
  thumbnail: [8, 12],
  shrink: [24, 28],
  webp: [20, 40],
  lossless: [44, 46],
  avif: [40, 64],
} as const
/** The file itself, and what is read of it. */
const COPIES_OF_FILE = 3

function neededBytes(task: PixelTask, opened: OpenedImage): number {
  const [opaque, transparent] = BYTES_PER_PIXEL[workOf(task, opened)]
  const perPixel = opened.metadata.hasAlpha ? transparent : opaque
  // A HEIC is there as a PNG, which is as large as its pixels.
  const decodedBytes = opened.type === 'heic' ? pixelsOf(opened) * opened.metadata.channels * 2 : 0
  return pixelsOf(opened) * perPixel + decoderBytes(opened) + decodedBytes + task.bytes.byteLength * COPIES_OF_FILE
}

function workOf(task: PixelTask, { type }: OpenedImage): keyof typeof BYTES_PER_PIXEL {
  if (task.kind !== 'encode') return task.kind
  return canBeLossless(type, task.options) ? 'lossless' : task.options.format
}

/** Decodes every pixel of every frame. Warnings count only where pixels are lost: cameras write files with other warnings. */
async function inspectImage(
  bytes: Buffer,
  { type, metadata, frames }: OpenedImage,
  { limits, leavesJpegPixels = false }: Pick<TaskOf<'inspect'>, 'limits' | 'leavesJpegPixels'>,
  file = bytes,
): Promise<Inspected | ImageFailure> {
  const end = findImageEnd(file, type)
  if (end === null) return fail('cut_off', say('stops_early'))
  const rare = rareVariant(file, type)
  if (rare !== null) return fail('unsupported', rare)
  try {
    // Colours are not converted: without its profile a picture decodes in two thirds of the time, and fails in the same
    // cases.
    const options = { ...inputOptions(limits, frames), ignoreIcc: true }
    if (type !== 'jpeg') await decodeAll(sharp(bytes, options), metadata)
    else if (!leavesJpegPixels) await decodeJpeg((failOn) => decodeAll(sharp(bytes, { ...options, failOn }), metadata))
  } catch {
    return DAMAGED
  }
  const { width, height } = metadata.autoOrient
  const frameHeight = frames > 1 ? (metadata.pageHeight ?? height) : height
  const extras = findExtras(file, type, end)
  const exif = exifIn(file, type, metadata)
  const takenAt = exif === null ? null : captureTime(exif)
  return {
    ok: true,
    type,
    width,
    height: frameHeight,
    animated: frames > 1,
    frames,
    extras,
    ...(takenAt === null ? {} : { takenAt }),
    ...(isSentConverted(type) ? { transparent: await isSeenThrough(bytes, metadata) } : {}),
  }
}

function exifIn(file: Buffer, type: ImageType, { exif }: Metadata): Buffer | null {
  if (type === 'heic') return readLeniently({ bytes: file, type }).exif
  return exif ?? (type === 'tiff' ? exifOfTiff(file) : null)
}

/** A JPEG is decoded once: only when a decoder's warning stops that is it inspected, and encoded all the same where no pixel is lost. */
async function encodeWhole(
  bytes: Buffer,
  opened: OpenedImage,
  { options, limits }: Pick<TaskOf<'encode'>, 'options' | 'limits'>,
  file: Buffer,
): Promise<Encoded | ImageFailure> {
  if (opened.type !== 'jpeg') return encodePicture(bytes, opened, options, limits, 'error', file)
  const made = await encodePicture(bytes, opened, options, limits, 'warning')
  if (made.ok) return made
  const inspected = await inspectImage(bytes, opened, { limits })
  return inspected.ok ? encodePicture(bytes, opened, options, limits) : inspected
}

/** The `extract` keeps the loader from decoding at a fraction of the size, the tiny result keeps memory small. */
async function decodeAll(image: Sharp, { width, height, pageHeight }: Metadata): Promise<void> {
  const size = { width, height: pageHeight ?? height }
  await toRaster(image.extract({ left: 0, top: 0, ...size }), gridOf(size))
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** For what decodes no pixels: the file is in memory, and what is made of it. */
async function reading<Made>(
  bytes: Buffer,
  admit: Admit,
  work: (picture: Picture) => Made | Promise<Made>,
  besideBytes = 0,
): Promise<Made | ImageFailure> {
  const type = sniffImageType(bytes)
  if (type === null) return fail('not_cleaned', say('bytes_unknown'))
  await admit(bytes.length * COPIES_OF_FILE + besideBytes)
  return work({ bytes, type })
}

async function withMetadata(
  given: Buffer,
  of: Buffer,
  policy: MetadataPolicy,
  admit: Admit,
): Promise<FileWithMetadata | UnparsableFile | ImageFailure> {
  const originalType = sniffImageType(of)
  if (originalType === null) return fail('not_cleaned', say('bytes_unknown'))
  const original = { bytes: of, type: originalType }
  const work = async (picture: Picture): Promise<FileWithMetadata | UnparsableFile> => {
    const [shapes, orientation] = await shapesOf(original, picture)
    const made = orNull(() => {
      const file = applyMetadata(picture, original, policy, shapes, orientation)
      const end = findImageEnd(file.bytes, picture.type) ?? file.bytes.length
      return { ...file, extras: findExtras(file.bytes, picture.type, end) }
    })
    return { ok: true, ...(made ?? { bytes: null }) }
  }
  return reading(given, admit, work, of.length)
}

/** Also what the EXIF of the result says: of a WebP that is not how its pixels are stored. */
async function shapesOf(original: Picture, result: Picture): Promise<[Shapes, orientation: number]> {
  const open = async ({ bytes, type }: Picture): Promise<Pick<OpenedImage, 'type' | 'metadata'> | null> => {
    const image = sharp(bytes, { failOn: 'none', limitInputPixels: false })
    return image.metadata().then(
      (metadata) => ({ type, metadata }),
      () => null,
    )
  }
  const [before, after] = [await open(original), await open(result)]
  const shape = before && shapeOf(before)
  const isHeic = shape !== null && original.type === 'heic'
  const shapes = { original: isHeic ? heicShape(original.bytes, shape) : shape, result: after && shapeOf(after) }
  return [shapes, after?.metadata.orientation ?? 1]
}

/** A small WebP without any metadata, at most `px` wide and high, of the first frame. */
async function makeThumbnail(
  bytes: Buffer,
  opened: OpenedImage,
  { px, limits }: Pick<TaskOf<'thumbnail'>, 'px' | 'limits'>,
): Promise<Encoded | ImageFailure> {
  try {
    const { data, info } = await openInSrgb(await resolveColours(bytes, opened), {
      failOn: 'none',
      limitInputPixels: limits.framePixels,
      autoOrient: true,
    })
      .resize({ width: px, height: px, fit: 'inside', withoutEnlargement: true })
      // A small picture shows the content, a large one is used to judge the compression.
      .webp({ quality: px > 512 ? 90 : 75 })
      .toBuffer({ resolveWithObject: true })
    return { ok: true, bytes: data, width: info.width, height: info.height }
  } catch (error) {
    return fail('encode_failed', raw(shortMessage(error)))
  }
}
