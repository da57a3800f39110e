import { isUnmoved, type Fit } from './picture-fit.ts'
import { ENTRY_BYTES, LONG, SHORT, TiffBlock, type Folder } from './tiff-block.ts'

/** Exif 3.0 and TIFF 6.0. */
const MAIN_POINTER_AT = 4
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
 * The block with all that describes the stored pixels fitted to those of another file of the picture: orientation, sizes,
 * colour space. What is in pixels of a picture that was turned or scaled is removed, as is a thumbnail that would lie on its side. Everything
 * else stays in its place. Null for a block that cannot be parsed; it may be returned unchanged.
 */
export function fitExif(block: Buffer, fit: Fit): Buffer | null {
  const tiff = TiffBlock.of(block)
  const main = tiff?.folder(MAIN_POINTER_AT) ?? null
  if (tiff === null || main === null) return null
  const exif = folderBelow(tiff, main, EXIF_POINTER)
  const interop = exif === null ? null : folderBelow(tiff, exif, INTEROP_POINTER)
  fitSizes(tiff, main, [WIDTH, HEIGHT], fit)
  if (interop !== null) fitSizes(tiff, interop, [RELATED_WIDTH, RELATED_HEIGHT], fit)
  if (exif !== null) {
    fitSizes(tiff, exif, [PIXEL_WIDTH, PIXEL_HEIGHT], fit)
    if (!isUnmoved(fit)) without(tiff, exif, IN_PIXELS)
    if (fit.isSrgb) fitColours(tiff, exif, interop)
  }
  fitOrientation(tiff, main, fit.orientation)
  if (fit.isTurned) removeThumbnail(tiff, main)
  return tiff.bytes
}

/** The block with this orientation, and else as it was; null for one that cannot be parsed. */
export function exifTurned(block: Buffer, orientation: number): Buffer | null {
  const tiff = TiffBlock.of(block)
  const main = tiff?.folder(MAIN_POINTER_AT) ?? null
  if (tiff === null || main === null) return null
  fitOrientation(tiff, main, orientation)
  return tiff.bytes
}

/** Whether a picture without a profile has the colours of Adobe RGB. */
export function declaresAdobeRgb(block: Buffer): boolean {
  const tiff = TiffBlock.of(block)
  const main = tiff?.folder(MAIN_POINTER_AT) ?? null
  const exif = main === null ? null : folderBelow(tiff!, main, EXIF_POINTER)
  if (tiff === null || exif === null) return false
  const space = colourSpaceOf(tiff, exif)
  if (space !== UNCALIBRATED) return space === ADOBE_RGB
  const index = tiff.find(folderBelow(tiff, exif, INTEROP_POINTER), INTEROP_INDEX)
  return index?.toString('latin1', 8, 11) === DCF_ADOBE_RGB
}

function colourSpaceOf(tiff: TiffBlock, exif: Folder): number | null {
  const entry = tiff.find(exif, COLOUR_SPACE)
  return entry === undefined ? null : (tiff.numbersOf(entry)?.[0] ?? null)
}

/** What was said of the original's colours is not true of numbers that are sRGB. */
function fitColours(tiff: TiffBlock, exif: Folder, interop: Folder | null): void {
  const space = tiff.find(exif, COLOUR_SPACE)
  if (space !== undefined && colourSpaceOf(tiff, exif) !== SRGB) {
    tiff.putNumbers(space, [SRGB])
    tiff.write(exif)
  }
  const index = tiff.find(interop, INTEROP_INDEX)
  if (interop === null || index?.toString('latin1', 8, 11) !== DCF_ADOBE_RGB) return
  index.write(DCF_SRGB, 8, 'latin1')
  tiff.write(interop)
}

/** 1 where it says nothing that counts. */
export function orientationIn(block: Buffer): number {
  const tiff = TiffBlock.of(block)
  const entry = tiff?.find(tiff.folder(MAIN_POINTER_AT), ORIENTATION)
  const orientation = entry === undefined ? 1 : (tiff!.numbersOf(entry)?.[0] ?? 1)
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

/** The pointer is in an entry of the directory, which is in its place as long as it was not written back. */
export function folderBelow(tiff: TiffBlock, folder: Folder, tag: number): Folder | null {
  const nth = folder.entries.findIndex((entry) => tiff.u16(0, entry) === tag)
  return nth < 0 ? null : tiff.folder(folder.at + 2 + nth * ENTRY_BYTES + 8)
}

function without(tiff: TiffBlock, folder: Folder, tags: readonly number[]): void {
  const kept = folder.entries.filter((entry) => !tags.includes(tiff.u16(0, entry)))
  if (kept.length === folder.entries.length) return
  folder.entries = kept
  tiff.write(folder)
}

function fitSizes(tiff: TiffBlock, folder: Folder, tags: readonly [number, number], { size }: Fit): void {
  if (size === null) return without(tiff, folder, tags)
  const sides = [size.width, size.height]
  let isChanged = false
  for (const [nth, tag] of tags.entries()) {
    const at = folder.entries.findIndex((entry) => tiff.u16(0, entry) === tag)
    if (at < 0 || tiff.numbersOf(folder.entries[at]!)?.[0] === sides[nth]) continue
    folder.entries[at] = tiff.entry(tag, sides[nth]! > 0xffff ? LONG : SHORT, sides[nth]!)
    isChanged = true
  }
  if (isChanged) tiff.write(folder)
}

/** One entry, of the type that all programs read. */
function fitOrientation(tiff: TiffBlock, main: Folder, orientation: number): void {
  const found = main.entries.filter((entry) => tiff.u16(0, entry) === ORIENTATION)
  const made = tiff.entry(ORIENTATION, SHORT, orientation)
  if (found.length === 0 ? orientation === 1 : found.length === 1 && found[0]!.equals(made)) return
  main.entries = [...main.entries.filter((entry) => !found.includes(entry)), made]
  tiff.write(main)
}

/** Unlinks the directories after the main one, and blanks the picture; the end of the block that was only its is cut off. */
function removeThumbnail(tiff: TiffBlock, main: Folder): void {
  if (main.next === 0) return
  const pointerAt = main.at + 2 + main.entries.length * ENTRY_BYTES
  const thumbnail = tiff.u32(pointerAt) === main.next ? tiff.folder(pointerAt) : null
  const [from, sizeBytes] = [THUMBNAIL_OFFSET, THUMBNAIL_BYTES].map((tag) => {
    const entry = tiff.find(thumbnail, tag)
    return entry === undefined ? null : (tiff.numbersOf(entry)?.[0] ?? null)
  })
  main.next = 0
  tiff.write(main)
  if (from == null || sizeBytes == null) return
  const picture = tiff.bytes.subarray(from, from + sizeBytes)
  const isPicture = picture.length === sizeBytes && sizeBytes > 2 && picture.readUInt16BE(0) === 0xffd8
  if (!isPicture) return
  picture.fill(0)
  if (from + sizeBytes === tiff.bytes.length) tiff.bytes = tiff.bytes.subarray(0, from)
}
