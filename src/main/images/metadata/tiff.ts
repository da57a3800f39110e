import { TIFF_TAGS, TiffDirectory } from '../tiff-directory.ts'
import { MalformedImage, nothingFound, type Container } from './container.ts'
import { exifOfTiff } from './exif.ts'
import { iptcIn, photoshopResources } from './iptc.ts'

/** What IPTC records begin with. */
const RECORD = 0x1c

/** Read only: no result is a TIFF. */
export const tiff: Container = {
  read(bytes) {
    const directory = TiffDirectory.of(bytes)
    if (directory === null) throw new MalformedImage('no directory')
    const found = nothingFound()
    const xmp = directory.bytesOf(TIFF_TAGS.xmp)
    if (xmp !== null) found.xmp.push(xmp)
    found.photoshop = photoshopResources(directory.bytesOf(TIFF_TAGS.photoshop) ?? Buffer.alloc(0))
    found.iptc = inOrder(directory.bytesOf(TIFF_TAGS.iptc)) ?? iptcIn(found.photoshop)
    found.exif = exifOfTiff(bytes)
    return found
  },

  /** Its parts may lie anywhere. */
  end(bytes) {
    if (TiffDirectory.of(bytes)?.isWhole() !== true) throw new MalformedImage('not whole')
    return bytes.length
  },

  rewrite() {
    throw new MalformedImage('a TIFF is not written')
  },
}

/** Some programs write the records as numbers of four bytes, in the order of the file. */
function inOrder(records: Buffer | null): Buffer | null {
  if (records === null || records[0] === RECORD) return records
  const isSwapped = records.length >= 4 && records.length % 4 === 0 && records[3] === RECORD
  return isSwapped ? Buffer.from(records).swap32() : null
}
