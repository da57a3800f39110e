import { copyFile, rm, stat } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { ConvertFormat, UploadType } from '../shared/recipes/recipe.ts'
import { Semaphore } from '../shared/runtime/semaphore.ts'
import { describePicture, type PictureTraits, type PracticeTranslation } from './describe-picture.ts'
import { MAX_PIXELS } from './not-shown.ts'

export interface ReceivedFile {
  path: string
  filename: string
  sizeBytes: number
  sha256: string
  /** Longer than `MAX_UPLOAD_BYTES`: the stored file is truncated. */
  tooLong: boolean
}

/** What is done to a picture. */
export interface Upload {
  file: ReceivedFile
  type: UploadType
  /** Empty where the operation has none. */
  languages: string[]
  /** The target of the conversion; `webp` for operations that convert nothing. */
  format: ConvertFormat
}

export type PartKind = 'analyze' | 'optimize' | 'convert'

export type PartResult =
  | { kind: 'analyze'; translations: PracticeTranslation[] }
  | { kind: 'optimize'; sizeBytes: number; path: string }
  | { kind: 'convert'; sizeBytes: number }

/** Loads sharp at the first picture: it takes 20 MB, and a service that nobody sends anything has no need of it. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Cached files of processed pictures would keep uploads from being deleted on Windows.
  sharp.cache(false)
  return sharp
}

/** Max concurrent pictures; the work itself runs outside the event loop. */
const AT_A_TIME = 2
/** Total size of compressed pictures kept for download; beyond it the oldest are deleted and their downloads answer 404. */
const KEEP_BYTES = 512 * 1024 * 1024

interface Compression {
  /** Compress an animation into its first frame, as many services do. */
  stillsOfAnimations: boolean
}

/** Does the real work behind jobs, a few parts at a time. */
export class PictureWork {
  readonly #compression: Compression
  readonly #turns = new Semaphore(AT_A_TIME)
  readonly #kept: { path: string; sizeBytes: number }[] = []
  #keptBytes = 0

  constructor(compression: Compression) {
    this.#compression = compression
  }

  /** The file of the upload must stay until this has ended. Rejects when the picture cannot be decoded. */
  run(kind: PartKind, upload: Upload): Promise<PartResult> {
    return this.#turns.run(() => this.#make(kind, upload))
  }

  async #make(kind: PartKind, { file, type, languages, format }: Upload): Promise<PartResult> {
    if (kind === 'convert') return { kind, sizeBytes: await convertedSize(file.path, format) }
    if (kind === 'analyze') {
      const traits = await readTraits(file.path)
      return { kind, translations: languages.map((code) => describePicture(file.filename, traits, code)) }
    }
    const path = `${file.path}.optimized`
    const sizeBytes = await recompressPicture(file.path, type, path, this.#compression)
    this.#kept.push({ path, sizeBytes })
    this.#keptBytes += sizeBytes
    while (this.#keptBytes > KEEP_BYTES) {
      const oldest = this.#kept.shift()!
      this.#keptBytes -= oldest.sizeBytes
      await rm(oldest.path, { force: true })
    }
    return { kind, sizeBytes, path }
  }
}

const SAMPLE_SIDE = 48

/** Of the first frame, upright. Rejects when the picture cannot be decoded. */
export async function readTraits(path: string): Promise<PictureTraits> {
  const sharp = await loadSharp()
  const { autoOrient } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata()
  const pixels = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
  return { ...autoOrient, colour: (await sharp(pixels).stats()).dominant }
}

/** Quality per encoder, chosen for web pages and not for archiving. */
const JPEG = { quality: 76, mozjpeg: true }
const PNG = { palette: true, quality: 85, effort: 7, compressionLevel: 9 }
const WEBP = { quality: 76, effort: 4 }
const GIF = { effort: 7, interFrameMaxError: 4 }
/** Only the size of a conversion is used, and more effort costs seconds per picture for a few percent. */
const CONVERTED_WEBP = { quality: 76, effort: 2 }
const CONVERTED_AVIF = { quality: 52, effort: 1 }

/** Upright, with its profile alone; CMYK becomes sRGB. The upload itself if that is not larger. Rejects if it cannot be decoded. */
export async function recompressPicture(
  path: string,
  type: UploadType,
  target: string,
  { stillsOfAnimations }: Compression,
): Promise<number> {
  const moving = !stillsOfAnimations && (type === 'gif' || type === 'webp')
  const sharp = await loadSharp()
  const picture = sharp(path, { animated: moving, limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
  const metadata = await picture.metadata()
  const { orientation = 1, pages = 1 } = metadata
  if (orientation > 1 && pages === 1) picture.autoOrient()
  if (keepsProfile(metadata)) picture.keepIccProfile()
  if (type === 'jpeg') picture.jpeg(JPEG)
  else if (type === 'png') picture.png(PNG)
  else if (type === 'webp') picture.webp(WEBP)
  else picture.gif(GIF)
  const { size } = await picture.toFile(target)
  const original = await stat(path)
  if (size < original.size) return size
  await copyFile(path, target)
  return original.size
}

/** The size in bytes of the picture in another format. Rejects like `recompressPicture`. */
async function convertedSize(path: string, format: ConvertFormat): Promise<number> {
  const sharp = await loadSharp()
  const picture = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).autoOrient()
  if (keepsProfile(await picture.metadata())) picture.keepIccProfile()
  const bytes = await (format === 'webp' ? picture.webp(CONVERTED_WEBP) : picture.avif(CONVERTED_AVIF)).toBuffer()
  return bytes.length
}

/** If it describes the pixel values that are written: a CMYK picture is converted to sRGB. */
function keepsProfile({ icc, space }: Metadata): boolean {
  return icc !== undefined && space !== 'cmyk' && icc.toString('latin1', 16, 20) === 'RGB '
}
