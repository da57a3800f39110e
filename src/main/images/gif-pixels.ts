const HEADER_BYTES = 13
const DESCRIPTOR_BYTES = 10
const MAX_CODES = 4096
const MAX_CODE_BITS = 12

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/**
 * The first frame of a GIF that has no pixels, or whose coded data ends, or becomes invalid, before its last pixel; null for a complete
 * GIF. The library decodes such a frame without a word and leaves the rest clear.
 */
export function shortGifFrame(bytes: Buffer): { pixels: number; wanted: number } | null {
  for (let at = HEADER_BYTES + tableBytes(bytes[10]!); at < bytes.length && bytes[at] !== 0x3b;) {
    if (bytes[at] === 0x21) at = skipBlocks(bytes, at + 2)
    else if (bytes[at] === 0x2c && at + DESCRIPTOR_BYTES < bytes.length) {
      const wanted = bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7)
      const dataAt = at + DESCRIPTOR_BYTES + tableBytes(bytes[at + 9]!)
      if (wanted === 0) return { pixels: 0, wanted }
      const pixels = pixelsIn(blocksAt(bytes, dataAt + 1), bytes[dataAt]!, wanted)
      if (pixels < wanted) return { pixels, wanted }
      at = skipBlocks(bytes, dataAt + 1)
    } else return null
  }
  return null
}

function skipBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!
  return at + 1
}

function blocksAt(bytes: Buffer, start: number): Buffer {
  const parts: Buffer[] = []
  for (let at = start; at < bytes.length && bytes[at] !== 0; at += 1 + bytes[at]!)
    parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]!))
  return Buffer.concat(parts)
}

/** How many pixels the codes stand for (GIF89a, appendix F), counted until there are enough. Their values do not matter. */
function pixelsIn(data: Buffer, minBits: number, wanted: number): number {
  if (minBits < 1 || minBits >= MAX_CODE_BITS) return 0
  const clear = 1 << minBits
  const lengths = new Uint32Array(MAX_CODES).fill(1, 0, clear)
  let [next, size, previous, pixels] = [clear + 2, minBits + 1, -1, 0]
  let [bits, held] = [0, 0]
  for (let at = 0; pixels < wanted;) {
    while (held < size) {
      if (at >= data.length) return pixels
      bits |= data[at++]! << held
      held += 8
    }
    const code = bits & ((1 << size) - 1)
    bits >>>= size
    held -= size
    if (code === clear) {
      ;[next, size, previous] = [clear + 2, minBits + 1, -1]
      continue
    }
    const isFirst = previous < 0
    if (code === clear + 1 || code > next || (code === next && (isFirst || next === MAX_CODES))) return pixels
    if (isFirst && code > clear) return pixels
    pixels += code === next ? lengths[previous]! + 1 : lengths[code]!
    if (!isFirst && next < MAX_CODES) {
      lengths[next++] = lengths[previous]! + 1
      if (next === 1 << size && size < MAX_CODE_BITS) size += 1
    }
    previous = code
  }
  return pixels
}
