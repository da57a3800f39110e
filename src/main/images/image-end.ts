import type { ImageType } from '../../shared/recipes/recipe.ts'
import { TiffDirectory } from './tiff-directory.ts'

/**
 * Where a picture ends according to its container: the offset after its last byte, or null when the bytes stop before
 * that. Decoders forgive a missing end (a GIF without trailer, an interlaced PNG that just stops), so a file still
 * being copied decodes; its container shows that it is incomplete. Bytes after the end are legal (motion photos, gain
 * maps).
 */
export function findImageEnd(bytes: Buffer, type: ImageType): number | null {
  switch (type) {
    case 'jpeg':
      return endOfJpeg(bytes)
    case 'png':
      return endOfPng(bytes)
    case 'gif':
      return endOfGif(bytes)
    case 'webp':
      return endOfWebp(bytes)
    case 'avif':
    case 'heic':
      return endOfBoxes(bytes)
    case 'tiff':
      // Its parts may lie anywhere.
      return TiffDirectory.of(bytes)?.isWhole() === true ? bytes.length : null
  }
}

/** Segments up to the end-of-image marker; in scans a marker is any FF that is not stuffed, repeated or a restart. */
function endOfJpeg(bytes: Buffer): number | null {
  let at = 2
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 1 >= bytes.length) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker === 0xd9) return at + 2
    else if (marker === 0x00 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      if (at + 4 > bytes.length) return null
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
}

/** Chunks up to IEND, whose four bytes of checksum must be there too. */
function endOfPng(bytes: Buffer): number | null {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end
    at = end
  }
  return null
}

/** Colour tables, extensions and images up to the trailer. */
function endOfGif(bytes: Buffer): number | null {
  if (bytes.length < 13) return null
  const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  let at = 13 + colourTableBytes(bytes[10] ?? 0)
  while (at < bytes.length) {
    const block = bytes[at]
    if (block === 0x3b) return at + 1
    // Some encoders end the blocks of an image twice. Zeros up to the end are space that is not filled yet.
    if (block === 0x00) at += 1
    else if (block === 0x21) at = skipGifBlocks(bytes, at + 2)
    else if (block === 0x2c) at = skipGifBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
    else return null
  }
  return null
}

/** Data sub-blocks: a length and as many bytes, until a length of zero. */
function skipGifBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

/** The length in the RIFF header, with every chunk inside it whole. */
function endOfWebp(bytes: Buffer): number | null {
  if (bytes.length < 20) return null
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return null
  for (let at = 12; at + 8 <= end;) {
    const sizeBytes = bytes.readUInt32LE(at + 4)
    at += 8 + sizeBytes
    if (at > end) return null
    at += sizeBytes & 1
  }
  return end
}

/** Top-level boxes, one of which must be the metadata; the first thing that is no box is data after the end. */
function endOfBoxes(bytes: Buffer): number | null {
  let at = 0
  let hasMeta = false
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (!/^[a-z0-9 ]{4}$/i.test(name)) break
    let sizeBytes = bytes.readUInt32BE(at)
    if (sizeBytes === 0) sizeBytes = bytes.length - at
    else if (sizeBytes === 1 && at + 16 <= bytes.length) sizeBytes = Number(bytes.readBigUInt64BE(at + 8))
    if (sizeBytes < 8 || at + sizeBytes > bytes.length) return null
    hasMeta ||= name === 'meta'
    at += sizeBytes
  }
  return hasMeta ? at : null
}
