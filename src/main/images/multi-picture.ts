import { TiffBlock } from './metadata/tiff-block.ts'

/** The index of a file with several pictures (CIPA DC-007), which is a segment of the first one. */

const MAIN_POINTER_AT = 4
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
  const entry = tiff?.find(tiff.folder(MAIN_POINTER_AT), ENTRIES)
  const value = entry === undefined ? null : tiff!.valueOf(entry)
  if (tiff === null || value === null) return []
  return Array.from({ length: Math.floor(value.sizeBytes / ENTRY_BYTES) }, (_, nth): Listed => {
    const entryAt = value.at + nth * ENTRY_BYTES
    return {
      kind: tiff.u32(entryAt) & 0xffffff,
      size: tiff.u32(entryAt + 4),
      offset: tiff.u32(entryAt + 8),
      entryAt,
    }
  })
}
