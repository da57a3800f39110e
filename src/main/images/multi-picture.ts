import { TiffBlock } from './metadata/tiff-block.ts'

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
  const tiff = TiffBlock.of(index)
  const value = tiff?.value(tiff.main(), ENTRIES) ?? null
  if (tiff === null || value === null) return []
  const at = value.byteOffset - index.byteOffset
  return Array.from({ length: Math.floor(value.length / ENTRY_BYTES) }, (_, nth): Listed => {
    const entryAt = at + nth * ENTRY_BYTES
    return {
      kind: tiff.u32(entryAt) & 0xffffff,
      size: tiff.u32(entryAt + 4),
      offset: tiff.u32(entryAt + 8),
      entryAt,
    }
  })
}
