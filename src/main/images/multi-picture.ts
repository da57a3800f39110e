/** The index of a file with several pictures (CIPA DC-007), which is a segment of the first one. */

const ENTRIES = 0xb002
const ENTRY_BYTES = 16

interface Listed {
  /** Three bytes; those of other views of the same scene begin with 2. */
  kind: number
  /** Both as they are written: the offset counts from the index, and is 0 for the first picture. */
  size: number
  offset: number
  /** Of its entry in the index. */
  entryAt: number
}

/** `index`: from its byte order on. Nothing for one that cannot be read. */
export function picturesIn(index: Buffer): Listed[] {
  if (index.length < 8) return []
  const read = readerOf(index)
  const folder = read.u32(4)
  if (folder + 2 > index.length) return []
  for (let n = 0, at = folder + 2; n < read.u16(folder) && at + 12 <= index.length; n++, at += 12) {
    if (read.u16(at) !== ENTRIES) continue
    const start = read.u32(at + 8)
    const room = Math.floor(Math.max(0, index.length - start) / ENTRY_BYTES)
    const count = Math.min(room, Math.floor(read.u32(at + 4) / ENTRY_BYTES))
    return Array.from({ length: count }, (_, picture): Listed => {
      const entryAt = start + picture * ENTRY_BYTES
      return {
        kind: read.u32(entryAt) & 0xffffff,
        size: read.u32(entryAt + 4),
        offset: read.u32(entryAt + 8),
        entryAt,
      }
    })
  }
  return []
}

function readerOf(index: Buffer): { u16: (at: number) => number; u32: (at: number) => number } {
  return isLittle(index)
    ? { u16: (at) => index.readUInt16LE(at), u32: (at) => index.readUInt32LE(at) }
    : { u16: (at) => index.readUInt16BE(at), u32: (at) => index.readUInt32BE(at) }
}

export const isLittle = (index: Buffer): boolean => index.toString('latin1', 0, 2) === 'II'
