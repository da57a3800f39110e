import { copyFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import type { ConvertFormat, ImageType } from '../shared/recipe.ts'
import { MAX_PIXELS } from './not-shown.ts'

/** Quality per encoder: what a web page needs, not what an archive needs. */
const JPEG = { quality: 76, mozjpeg: true }
const PNG = { palette: true, quality: 85, effort: 7, compressionLevel: 9 }
const WEBP = { quality: 76, effort: 4 }
const GIF = { effort: 7, interFrameMaxError: 4 }
/** Of a conversion only the size is ever seen, and more effort costs seconds a picture for a few percent. */
const CONVERTED_WEBP = { quality: 76, effort: 2 }
const CONVERTED_AVIF = { quality: 52, effort: 1 }

/**
 * Compresses a picture into its own format at `target`, upright, with its colour profile and without other metadata;
 * all frames of an animation stay. A result that is not smaller is replaced by the upload itself.
 * Rejects when the picture cannot be decoded to its end.
 */
export async function recompressPicture(path: string, type: ImageType, target: string): Promise<number> {
  const moving = type === 'gif' || type === 'webp'
  const picture = sharp(path, { animated: moving, limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
  const { orientation = 1, pages = 1 } = await picture.metadata()
  if (orientation > 1 && pages === 1) picture.autoOrient()
  picture.keepIccProfile()
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
export async function convertedSize(path: string, format: ConvertFormat): Promise<number> {
  const picture = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).autoOrient().keepIccProfile()
  const bytes = await (format === 'webp' ? picture.webp(CONVERTED_WEBP) : picture.avif(CONVERTED_AVIF)).toBuffer()
  return bytes.length
}
