import { MalformedImage, nothingFound, withoutExifPrefix, type Container } from './container.ts'

interface Chunk {
  name: string
  data: Buffer
}

const PICTURE = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
const IN_FRAME = new Set(['ALPH', 'VP8 ', 'VP8L'])
/** Position, size, duration and flags of a frame precede its chunks. */
const FRAME_HEADER_BYTES = 16

/** Flags of the extended header. */
const HAS_PROFILE = 0x20
const HAS_ALPHA = 0x10
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

export const webp: Container = {
  read(bytes) {
    const found = nothingFound()
    for (const { name, data } of chunksOf(bytes).chunks) {
      if (name === 'EXIF') found.exif ??= withoutExifPrefix(data)
      else if (name === 'XMP ') found.xmp.push(data)
    }
    return found
  },

  end: (bytes) => chunksOf(bytes).end,

  rewrite(bytes, { exif, xmp, profile }, keeps) {
    const { chunks, end } = chunksOf(bytes)
    const given: Record<string, Buffer | null | undefined> = { ICCP: profile, EXIF: exif, 'XMP ': xmp }
    const kept = chunks.filter(({ name }) => given[name] === undefined && (keeps === 'all' || PICTURE.has(name)))
    const made = Object.entries(given).flatMap(([name, data]) => (data ? [{ name, data }] : []))
    const isFirst = ({ name }: Chunk): boolean => name === 'ICCP'
    const parts = [...made.filter(isFirst), ...kept, ...made.filter((chunk) => !isFirst(chunk))]
    const data = Buffer.concat(extended(keeps === 'all' ? parts : parts.map(withoutStrangers)).map(written))
    const head = Buffer.from('RIFF....WEBP', 'latin1')
    head.writeUInt32LE(data.length + 4, 4)
    return Buffer.concat([head, data, ...(keeps === 'all' ? [bytes.subarray(end)] : [])])
  },
}

function chunksOf(bytes: Buffer): { chunks: Chunk[]; end: number } {
  if (bytes.length < 20 || bytes.toString('latin1', 8, 12) !== 'WEBP') throw new MalformedImage('no header')
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new MalformedImage('shorter than it says')
  return { chunks: chunksIn(bytes.subarray(12, end)), end }
}

function chunksIn(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const sizeBytes = bytes.readUInt32LE(at + 4)
    const end = at + 8 + sizeBytes
    if (end > bytes.length) throw new MalformedImage('a chunk past the end')
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) })
    at = end + (sizeBytes & 1)
  }
  return chunks
}

/** Removes unknown chunks from a frame. */
function withoutStrangers(chunk: Chunk): Chunk {
  if (chunk.name !== 'ANMF') return chunk
  if (chunk.data.length < FRAME_HEADER_BYTES) throw new MalformedImage('a frame without header')
  const inside = chunksIn(chunk.data.subarray(FRAME_HEADER_BYTES)).filter(({ name }) => IN_FRAME.has(name))
  return {
    name: 'ANMF',
    data: Buffer.concat([chunk.data.subarray(0, FRAME_HEADER_BYTES), ...inside.map(written)]),
  }
}

/** A file with metadata needs an extended header, whose flags say what it contains. */
function extended(chunks: Chunk[]): Chunk[] {
  const has = (name: string): boolean => chunks.some((chunk) => chunk.name === name)
  const own = chunks.find(({ name, data }) => name === 'VP8X' && data.length >= 10)
  if (own === undefined && !['EXIF', 'XMP ', 'ICCP'].some(has)) return chunks
  const header = own === undefined ? headerFor(chunks) : Buffer.from(own.data.subarray(0, 10))
  const flags = header[0]! & ~(HAS_EXIF | HAS_XMP | HAS_PROFILE)
  header[0] = flags | (has('EXIF') ? HAS_EXIF : 0) | (has('XMP ') ? HAS_XMP : 0) | (has('ICCP') ? HAS_PROFILE : 0)
  return [{ name: 'VP8X', data: header }, ...chunks.filter(({ name }) => name !== 'VP8X')]
}

function headerFor(chunks: Chunk[]): Buffer {
  const picture = chunks.find(({ name }) => name === 'VP8 ' || name === 'VP8L')
  if (picture === undefined || picture.data.length < 10) throw new MalformedImage('no picture')
  const { width, height, alpha } = picture.name === 'VP8L' ? losslessSize(picture.data) : lossySize(picture.data)
  const header = Buffer.alloc(10)
  const hasAlpha = alpha || chunks.some(({ name }) => name === 'ALPH')
  header[0] = hasAlpha ? HAS_ALPHA : 0
  header.writeUIntLE(width - 1, 4, 3)
  header.writeUIntLE(height - 1, 7, 3)
  return header
}

interface Size {
  width: number
  height: number
  alpha: boolean
}

/** Of a key frame (RFC 6386, 9.1): three bytes of tag, three of start code, then 14 bits each. */
function lossySize(data: Buffer): Size {
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff, alpha: false }
}

/** A byte of signature, then 14 bits each less one, then whether there is transparency. */
function losslessSize(data: Buffer): Size {
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, alpha: ((bits >>> 28) & 1) === 1 }
}

function written({ name, data }: Chunk): Buffer {
  const head = Buffer.from(`${name}....`, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}
