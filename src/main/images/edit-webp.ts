const PROFILE_FLAG = 0x20
const ALPHA_FLAG = 0x10
/** `RIFF`, length, `WEBP`. */
const HEADER_BYTES = 12
/** `VP8X` follows the file's header: name, length, ten bytes. */
const VP8X_END = 30

const ORIENTATION = 0x0112
const ENTRY_BYTES = 12

/**
 * Puts a colour profile into a WebP of this size that has none yet. The pixels stay byte for byte (WebP container
 * specification, "Extended File Format").
 */
export function withWebpProfile(bytes: Buffer, size: { width: number; height: number }, profile: Buffer): Buffer {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X'
  const head = isExtended ? Buffer.from(bytes.subarray(0, VP8X_END)) : extendedHead(bytes, size)
  head[20]! |= PROFILE_FLAG
  const parts = [head, ...chunk('ICCP', profile), bytes.subarray(isExtended ? VP8X_END : HEADER_BYTES)]
  head.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0) - 8, 4)
  return Buffer.concat(parts)
}

/** The simple form has one chunk; a lossless one says in it whether there is alpha, a lossy one has none. */
function extendedHead(bytes: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const head = Buffer.alloc(VP8X_END)
  bytes.copy(head, 0, 0, HEADER_BYTES)
  head.write('VP8X', HEADER_BYTES, 'latin1')
  head.writeUInt32LE(10, 16)
  const isLossless = bytes.toString('latin1', 12, 16) === 'VP8L'
  head[20] = isLossless && (bytes[24]! & 0x10) !== 0 ? ALPHA_FLAG : 0
  head.writeUIntLE(width - 1, 24, 3)
  head.writeUIntLE(height - 1, 27, 3)
  return head
}

function chunk(name: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return [head, data, Buffer.alloc(data.length & 1)]
}

/**
 * A WebP whose EXIF says that it is upright, and otherwise the same bytes: browsers show a WebP as its pixels are, whatever
 * its EXIF says, and the library would turn it.
 */
export function uprightWebp(bytes: Buffer): Buffer {
  const at = orientationAt(bytes)
  if (at === null) return bytes
  const upright = Buffer.from(bytes)
  // A SHORT of 1, in the byte order of the block.
  upright.set(at.isLittle ? [1, 0] : [0, 1], at.value)
  return upright
}

/** The offset of the orientation's value; null when there is none, or the block cannot be read. */
function orientationAt(bytes: Buffer): { value: number; isLittle: boolean } | null {
  const block = exifChunk(bytes)
  if (block === null) return null
  const start = block.start + (bytes.toString('latin1', block.start, block.start + 6) === 'Exif\0\0' ? 6 : 0)
  const order = bytes.toString('latin1', start, start + 2)
  if (order !== 'II' && order !== 'MM') return null
  const isLittle = order === 'II'
  const inBlock = bytes.subarray(0, block.end)
  const u16 = (at: number): number => (isLittle ? inBlock.readUInt16LE(at) : inBlock.readUInt16BE(at))
  const u32 = (at: number): number => (isLittle ? inBlock.readUInt32LE(at) : inBlock.readUInt32BE(at))
  try {
    const folder = start + u32(start + 4)
    for (let entry = 0; entry < u16(folder); entry++) {
      const at = folder + 2 + entry * ENTRY_BYTES
      if (u16(at) === ORIENTATION && u16(at + 8) !== 1) return { value: at + 8, isLittle }
    }
  } catch (error) {
    // Offsets that lead out of the block.
    if (!(error instanceof RangeError)) throw error
  }
  return null
}

function exifChunk(bytes: Buffer): { start: number; end: number } | null {
  for (let at = 12; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') return end <= bytes.length ? { start: at + 8, end } : null
    at = end + (end & 1)
  }
  return null
}
