import { crc32 } from 'node:zlib'

export interface PngChunk {
  /** Four letters, as in `IHDR`. */
  name: string
  data: Buffer
  /** With length, name and checksum. */
  whole: Buffer
  /** Whether the checksum is that of the name and the data. */
  isSound: boolean
}

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
export const PNG_SIGNATURE_BYTES = PNG_SIGNATURE.length
/** Length, name and checksum. */
const AROUND_DATA = 12

/** The chunks of a PNG in order, as far as they are whole. `data` is a view of `bytes`. */
export function* pngChunks(bytes: Buffer): Generator<PngChunk> {
  for (let at = PNG_SIGNATURE.length; at + AROUND_DATA <= bytes.length;) {
    const end = at + AROUND_DATA + bytes.readUInt32BE(at)
    if (end > bytes.length) return
    const named = bytes.subarray(at + 4, end - 4)
    yield {
      name: named.toString('latin1', 0, 4),
      data: named.subarray(4),
      whole: bytes.subarray(at, end),
      get isSound() {
        return crc32(named) === bytes.readUInt32BE(end - 4)
      },
    }
    at = end
  }
}

/** Chunks before the first `IDAT`: they define how the pixels are interpreted. */
export function* chunksBeforePixels(bytes: Buffer): Generator<PngChunk> {
  for (const chunk of pngChunks(bytes)) {
    if (chunk.name === 'IDAT' || chunk.name === 'IEND') return
    yield chunk
  }
}

/** Whether a PNG announces more than one frame (PNG specification, third edition, 11.3.6.1); the library sees the first picture alone. */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (const { name, data } of chunksBeforePixels(bytes))
    if (name === 'acTL' && data.length >= 8) return data.readUInt32BE(0) > 1
  return false
}

/** A PNG of these chunks; lengths and checksums are made. */
export function pngOf(chunks: Iterable<Pick<PngChunk, 'name' | 'data'>>): Buffer {
  const parts: Buffer[] = [PNG_SIGNATURE]
  for (const { name, data } of chunks) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(named))
    parts.push(length, named, checksum)
  }
  return Buffer.concat(parts)
}
