/** Bytes of one value of each type; the last is text in UTF-8. */
export const TYPE_SIZES = new Map<number, number>(
  [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8].map((size, index): [number, number] => [index + 1, size]).concat([[129, 1]]),
)
export const SHORT = 3
export const LONG = 4
export const ENTRY_BYTES = 12
const HEADER_BYTES = 14

/** A directory of a block: its entries, and the offset of the next one. */
export interface Folder {
  /** Where the block has the offset of this directory. */
  pointerAt: number
  at: number
  /** How many entries have room in its place. */
  room: number
  entries: Buffer[]
  next: number
}

/**
 * A TIFF block that is changed in place, so that everything else in it stays where it is: maker notes refer to values by their
 * offsets in the block.
 */
export class TiffBlock {
  bytes: Buffer
  readonly isLittle: boolean

  private constructor(bytes: Buffer, isLittle: boolean) {
    this.bytes = bytes
    this.isLittle = isLittle
  }

  /** A copy; null for anything but a TIFF block. */
  static of(block: Buffer): TiffBlock | null {
    const isLittle = byteOrder(block)
    return isLittle === null ? null : new TiffBlock(Buffer.from(block), isLittle)
  }

  u16(at: number, from = this.bytes): number {
    return this.isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at)
  }

  u32(at: number, from = this.bytes): number {
    return this.isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at)
  }

  put16(value: number, at: number, into = this.bytes): void {
    if (this.isLittle) into.writeUInt16LE(value, at)
    else into.writeUInt16BE(value, at)
  }

  put32(value: number, at: number, into = this.bytes): void {
    if (this.isLittle) into.writeUInt32LE(value, at)
    else into.writeUInt32BE(value, at)
  }

  /** The directory whose offset is at `pointerAt`; null if it is not all there. */
  folder(pointerAt: number): Folder | null {
    if (pointerAt + 4 > this.bytes.length) return null
    const at = this.u32(pointerAt)
    if (at < 8 || at + 2 > this.bytes.length) return null
    const room = this.u16(at)
    const end = at + 2 + room * ENTRY_BYTES
    if (end > this.bytes.length) return null
    const entries = Array.from({ length: room }, (_, nth) =>
      Buffer.from(this.bytes.subarray(at + 2 + nth * ENTRY_BYTES, at + 2 + (nth + 1) * ENTRY_BYTES)),
    )
    return { pointerAt, at, room, entries, next: end + 4 > this.bytes.length ? 0 : this.u32(end) }
  }

  find(folder: Folder | null, tag: number): Buffer | undefined {
    return folder?.entries.find((entry) => this.u16(0, entry) === tag)
  }

  /** Where the value of an entry is: in the entry itself, or in the block. Null if it is not all there. */
  valueOf(entry: Buffer): { bytes: Buffer; at: number; type: number; count: number; sizeBytes: number } | null {
    const [type, count] = [this.u16(2, entry), this.u32(4, entry)]
    const sizeBytes = (TYPE_SIZES.get(type) ?? 0) * count
    if (sizeBytes === 0) return null
    if (sizeBytes <= 4) return { bytes: entry, at: 8, type, count, sizeBytes }
    const at = this.u32(8, entry)
    return at + sizeBytes > this.bytes.length ? null : { bytes: this.bytes, at, type, count, sizeBytes }
  }

  /** Numbers of two or four bytes; null for any other type. */
  numbersOf(entry: Buffer): number[] | null {
    const value = this.valueOf(entry)
    if (value === null || (value.type !== SHORT && value.type !== LONG)) return null
    return Array.from({ length: value.count }, (_, nth) =>
      value.type === SHORT ? this.u16(value.at + nth * 2, value.bytes) : this.u32(value.at + nth * 4, value.bytes),
    )
  }

  /** Replaces as many numbers as there are, in their type. */
  putNumbers(entry: Buffer, numbers: readonly number[]): void {
    const value = this.valueOf(entry)
    for (const [nth, number] of numbers.entries())
      if (value?.type === SHORT) this.put16(Math.min(number, 0xffff), value.at + nth * 2, value.bytes)
      else if (value?.type === LONG) this.put32(number, value.at + nth * 4, value.bytes)
  }

  /** An entry with one number. */
  entry(tag: number, type: typeof SHORT | typeof LONG, number: number): Buffer {
    const made = Buffer.alloc(ENTRY_BYTES)
    this.put16(tag, 0, made)
    this.put16(type, 2, made)
    this.put32(1, 4, made)
    if (type === SHORT) this.put16(number, 8, made)
    else this.put32(number, 8, made)
    return made
  }

  /** Writes a directory back in its place, or at the end of the block if it has more entries than before. */
  write(folder: Folder): void {
    const entries = folder.entries.toSorted((a, b) => this.u16(0, a) - this.u16(0, b))
    const made = Buffer.concat([Buffer.alloc(2), ...entries, Buffer.alloc(4)])
    this.put16(entries.length, 0, made)
    this.put32(folder.next, made.length - 4, made)
    if (entries.length <= folder.room) {
      made.copy(this.bytes, folder.at)
      return
    }
    const padding = Buffer.alloc(this.bytes.length & 1)
    folder.at = this.bytes.length + padding.length
    folder.room = entries.length
    this.put32(folder.at, folder.pointerAt)
    this.bytes = Buffer.concat([this.bytes, padding, made])
  }
}

/** Whether numbers begin with their lowest byte; null for anything but a TIFF block. */
export function byteOrder(block: Buffer): boolean | null {
  const order = block.toString('latin1', 0, 4)
  if (block.length < HEADER_BYTES || (order !== 'II*\0' && order !== 'MM\0*')) return null
  return order === 'II*\0'
}
