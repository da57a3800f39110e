import { MalformedImage, nothingFound, type Container } from './container.ts'
import { exifOfTiff } from './exif.ts'
import { iptcIn, photoshopResources } from './iptc.ts'
import { TiffBlock, type Folder } from './tiff-block.ts'

/** Tags of TIFF 6.0, and of its supplements. */
export const TIFF_TAGS = {
  newSubfileType: 254,
  subfileType: 255,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileOffsets: 324,
  tileByteCounts: 325,
  inkSet: 332,
  sampleFormat: 339,
  yCbCrSubSampling: 530,
  xmp: 700,
  iptc: 33723,
  photoshop: 34377,
  dngVersion: 50706,
} as const

/** What IPTC records begin with. */
const RECORD = 0x1c

/** Read only: no result is a TIFF. */
export const tiff: Container = {
  read(bytes) {
    const tiff = TiffBlock.ofFile(bytes)
    const main = tiff?.main() ?? null
    if (tiff === null || main === null) throw new MalformedImage('no directory')
    const found = nothingFound()
    const xmp = tiff.value(main, TIFF_TAGS.xmp)
    if (xmp !== null) found.xmp.push(xmp)
    found.photoshop = photoshopResources(tiff.value(main, TIFF_TAGS.photoshop) ?? Buffer.alloc(0))
    found.iptc = inOrder(tiff.value(main, TIFF_TAGS.iptc)) ?? iptcIn(found.photoshop)
    found.exif = exifOfTiff(bytes)
    return found
  },

  /** Its parts may lie anywhere. */
  end(bytes) {
    const tiff = TiffBlock.ofFile(bytes)
    const main = tiff?.main() ?? null
    if (tiff === null || main === null || !isWhole(tiff, main)) throw new MalformedImage('not whole')
    return bytes.length
  },

  rewrite() {
    throw new MalformedImage('a TIFF is not written')
  },
}

/** Whether all coded pixels of a picture are within the bytes. */
function isWhole(tiff: TiffBlock, folder: Folder): boolean {
  const { stripOffsets, stripByteCounts, tileOffsets, tileByteCounts } = TIFF_TAGS
  const isTiled = folder.entries.some(({ tag }) => tag === tileOffsets)
  const offsets = tiff.numbers(folder, isTiled ? tileOffsets : stripOffsets)
  if (offsets === null || offsets.length === 0) return false
  const counts = tiff.numbers(folder, isTiled ? tileByteCounts : stripByteCounts) ?? []
  return offsets.every((offset, nth) => offset + (counts[nth] ?? 0) <= tiff.bytes.length)
}

/** Some programs write the records as numbers of four bytes, in the order of the file. */
function inOrder(records: Buffer | null): Buffer | null {
  if (records === null || records[0] === RECORD) return records
  const isSwapped = records.length >= 4 && records.length % 4 === 0 && records[3] === RECORD
  return isSwapped ? Buffer.from(records).swap32() : null
}
