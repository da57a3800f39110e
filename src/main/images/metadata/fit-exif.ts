import { isUnmoved, type Fit } from './picture-fit.ts'
import { LONG, SHORT, TiffBlock, type Folder } from './tiff-block.ts'

/** Exif 3.0 and TIFF 6.0. */
const WIDTH = 0x0100
const HEIGHT = 0x0101
const ORIENTATION = 0x0112
const THUMBNAIL_OFFSET = 0x0201
const THUMBNAIL_BYTES = 0x0202
const EXIF_POINTER = 0x8769
const PIXEL_WIDTH = 0xa002
const PIXEL_HEIGHT = 0xa003
const COLOUR_SPACE = 0xa001
const INTEROP_POINTER = 0xa005
const INTEROP_INDEX = 0x0001
const RELATED_WIDTH = 0x1001
const RELATED_HEIGHT = 0x1002
/** Area and location of the subject; pixels per length of the sensor. */
const IN_PIXELS = [0x9214, 0xa214, 0xa20e, 0xa20f]
const SRGB = 1
/** The first is of no standard, but written all the same. */
const ADOBE_RGB = 2
const UNCALIBRATED = 0xffff
/** DCF 2.0: of sRGB and of Adobe RGB. */
const [DCF_SRGB, DCF_ADOBE_RGB] = ['R98', 'R03']

/**
 * The block with all that describes the stored pixels fitted to another file of the picture; what is in pixels of a turned or scaled one is
 * removed, as is a thumbnail on its side. Everything else stays in its place. Null for a block that cannot be parsed.
 */
export function fitExif(block: Buffer, fit: Fit): Buffer | null {
  return changed(block, (tiff, main) => {
    const exif = tiff.below(main, EXIF_POINTER)
    const interop = tiff.below(exif, INTEROP_POINTER)
    fitSizes(tiff, main, [WIDTH, HEIGHT], fit)
    if (interop !== null) fitSizes(tiff, interop, [RELATED_WIDTH, RELATED_HEIGHT], fit)
    if (exif !== null) {
      fitSizes(tiff, exif, [PIXEL_WIDTH, PIXEL_HEIGHT], fit)
      if (!isUnmoved(fit)) without(tiff, exif, IN_PIXELS)
      if (fit.isSrgb) fitColours(tiff, exif, interop)
    }
    fitOrientation(tiff, main, fit.orientation)
    if (fit.isTurned) removeThumbnail(tiff, main)
  })
}

/** The block with this orientation, and else as it was; null for one that cannot be parsed. */
export function exifTurned(block: Buffer, orientation: number): Buffer | null {
  return changed(block, (tiff, main) => fitOrientation(tiff, main, orientation))
}

/** A copy. */
function changed(block: Buffer, change: (tiff: TiffBlock, main: Folder) => void): Buffer | null {
  const tiff = TiffBlock.of(Buffer.from(block))
  const main = tiff?.main() ?? null
  if (tiff === null || main === null) return null
  change(tiff, main)
  return tiff.bytes
}

/** Whether a picture without a profile has the colours of Adobe RGB. */
export function declaresAdobeRgb(block: Buffer): boolean {
  const tiff = TiffBlock.of(block)
  const exif = tiff?.below(tiff.main(), EXIF_POINTER) ?? null
  const space = tiff?.number(exif, COLOUR_SPACE)
  if (space !== UNCALIBRATED) return space === ADOBE_RGB
  return saysAdobeRgb(tiff!, tiff!.below(exif, INTEROP_POINTER))
}

const saysAdobeRgb = (tiff: TiffBlock, interop: Folder | null): boolean =>
  tiff.value(interop, INTEROP_INDEX)?.toString('latin1', 0, 3) === DCF_ADOBE_RGB

/** What was said of the original's colours is not true of numbers that are sRGB. */
function fitColours(tiff: TiffBlock, exif: Folder, interop: Folder | null): void {
  const nth = exif.entries.findIndex(({ tag }) => tag === COLOUR_SPACE)
  if (nth >= 0 && tiff.number(exif, COLOUR_SPACE) !== SRGB) {
    exif.entries[nth] = tiff.entry(COLOUR_SPACE, SHORT, SRGB)
    tiff.write(exif)
  }
  if (interop === null || !saysAdobeRgb(tiff, interop)) return
  tiff.value(interop, INTEROP_INDEX)!.write(DCF_SRGB, 'latin1')
  tiff.write(interop)
}

/** 1 where it says nothing that counts. */
export function orientationIn(block: Buffer): number {
  const tiff = TiffBlock.of(block)
  const orientation = tiff?.number(tiff.main(), ORIENTATION) ?? 1
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

function without(tiff: TiffBlock, folder: Folder, tags: readonly number[]): void {
  const kept = folder.entries.filter(({ tag }) => !tags.includes(tag))
  if (kept.length === folder.entries.length) return
  folder.entries = kept
  tiff.write(folder)
}

function fitSizes(tiff: TiffBlock, folder: Folder, tags: readonly [number, number], { size }: Fit): void {
  if (size === null) return without(tiff, folder, tags)
  const sides = [size.width, size.height]
  let isChanged = false
  for (const [nth, tag] of tags.entries()) {
    const at = folder.entries.findIndex((entry) => entry.tag === tag)
    if (at < 0 || tiff.number(folder, tag) === sides[nth]) continue
    folder.entries[at] = tiff.entry(tag, sides[nth]! > 0xffff ? LONG : SHORT, sides[nth]!)
    isChanged = true
  }
  if (isChanged) tiff.write(folder)
}

/** One entry, of the type that all programs read. */
function fitOrientation(tiff: TiffBlock, main: Folder, orientation: number): void {
  const found = main.entries.filter(({ tag }) => tag === ORIENTATION)
  const made = tiff.entry(ORIENTATION, SHORT, orientation)
  if (found.length === 0 ? orientation === 1 : found.length === 1 && found[0]!.raw.equals(made.raw)) return
  main.entries = [...main.entries.filter((entry) => !found.includes(entry)), made]
  tiff.write(main)
}

/** Unlinks the directories after the main one, and blanks the picture; the end of the block that was only its is cut off. */
function removeThumbnail(tiff: TiffBlock, main: Folder): void {
  if (main.next === 0) return
  const thumbnail = tiff.folder(main.next)
  const [from, sizeBytes] = [THUMBNAIL_OFFSET, THUMBNAIL_BYTES].map((tag) => tiff.number(thumbnail, tag))
  main.next = 0
  tiff.write(main)
  if (from == null || sizeBytes == null) return
  const picture = tiff.bytes.subarray(from, from + sizeBytes)
  const isPicture = picture.length === sizeBytes && sizeBytes > 2 && picture.readUInt16BE(0) === 0xffd8
  if (!isPicture) return
  picture.fill(0)
  if (from + sizeBytes === tiff.bytes.length) tiff.bytes = tiff.bytes.subarray(0, from)
}
