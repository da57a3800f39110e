/** Bytes of a value of each type, which are numbered from 1; 13 is a directory, 16 to 18 are of BigTIFF. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
export const [ASCII, SHORT, LONG, UTF8] = [2, 3, 4, 129]
const [DIRECTORY, LONG8] = [13, 16]
const ENTRY_BYTES = 12
const HEADER_BYTES = 14
/** Of a directory: a hostile file may have millions. */
const MAX_ENTRIES = 65_535
/** Of all directories of a file together, which may also lie in one another. */
const MAX_ALL_ENTRIES = 100_000

export interface Entry {
  tag: number
  type: number
  count: number
  /** As it stands in the directory. */
  raw: Buffer
}

/** A directory of a block: its entries, and the offset of the next one. */
export interface Folder {
  /** Where the block has the offset of this directory. */
  pointerAt: number
  at: number
  /** How many entries have room in its place. */
  room: number
  entries: Entry[]
  next: number
}

/** A TIFF block, such as EXIF, or a TIFF file. Changed in place: maker notes refer to values by their offsets in the block. */
export class TiffBlock {
  bytes: Buffer
  readonly isLittle: boolean
  readonly #isBig: boolean

  private constructor(bytes: Buffer, isLittle: boolean, isBig = false) {
    this.bytes = bytes
    this.isLittle = isLittle
    this.#isBig = isBig
  }

  /** Null for anything but a TIFF block. */
  static of(block: Buffer): TiffBlock | null {
    const isLittle = byteOrder(block)
    return isLittle === null ? null : new TiffBlock(block, isLittle)
  }

  /** Of a file, which may be a BigTIFF; that is not written. */
  static ofFile(file: Buffer): TiffBlock | null {
    const order = file.toString('latin1', 0, 4)
    const isBig = file.length > HEADER_BYTES && (order === 'II+\0' || order === 'MM\0+')
    return isBig ? new TiffBlock(file, order === 'II+\0', true) : TiffBlock.of(file)
  }

  /** A new one, with room for a main directory. */
  static withRoom(entries: number, isLittle: boolean): TiffBlock {
    const tiff = new TiffBlock(Buffer.alloc(8 + folderBytes(entries)), isLittle)
    tiff.bytes.write(isLittle ? 'II' : 'MM', 'latin1')
    tiff.#put16(42, 2)
    tiff.#put32(8, 4)
    tiff.#put16(entries, 8)
    return tiff
  }

  #u16(at: number, from: Buffer): number {
    return this.isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at)
  }

  u32(at: number, from = this.bytes): number {
    return this.isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at)
  }

  /** Beyond 2 ** 53 not exact, but then beyond every file too. */
  #u64(at: number, from: Buffer): number {
    return Number(this.isLittle ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at))
  }

  #offset(at: number, from = this.bytes): number {
    return this.#isBig ? this.#u64(at, from) : this.u32(at, from)
  }

  #put16(value: number, at: number, into = this.bytes): void {
    if (this.isLittle) into.writeUInt16LE(value, at)
    else into.writeUInt16BE(value, at)
  }

  #put32(value: number, at: number, into = this.bytes): void {
    if (this.isLittle) into.writeUInt32LE(value, at)
    else into.writeUInt32BE(value, at)
  }

  main(): Folder | null {
    const pointerAt = this.#isBig ? 8 : 4
    return this.folder(this.#offset(pointerAt), pointerAt)
  }

  /** The main directory and those that follow it. */
  *chain(): Generator<Folder> {
    const seen = new Set<number>()
    let left = MAX_ALL_ENTRIES
    for (let folder = this.main(); folder !== null && !seen.has(folder.at); folder = this.folder(folder.next)) {
      seen.add(folder.at)
      left -= folder.room + 1
      if (left < 0) return
      yield folder
    }
  }

  /** The directory that the entry with this tag leads to. The entry is in its place as long as its own directory was not written back. */
  below(folder: Folder | null, tag: number): Folder | null {
    const nth = folder?.entries.findIndex((entry) => entry.tag === tag) ?? -1
    if (folder === null || nth < 0) return null
    const pointerAt = folder.at + 2 + nth * ENTRY_BYTES + 8
    return this.folder(this.u32(pointerAt), pointerAt)
  }

  /** Null if it is not all there. */
  folder(at: number, pointerAt = 0): Folder | null {
    const [countBytes, entryBytes, offsetBytes] = this.#isBig ? [8, 20, 8] : [2, ENTRY_BYTES, 4]
    if (at < 8 || at + countBytes > this.bytes.length) return null
    const room = this.#isBig ? this.#u64(at, this.bytes) : this.#u16(at, this.bytes)
    const end = at + countBytes + room * entryBytes
    if (room > MAX_ENTRIES || end > this.bytes.length) return null
    const entries = Array.from({ length: room }, (_, nth): Entry => {
      const from = at + countBytes + nth * entryBytes
      const raw = Buffer.from(this.bytes.subarray(from, from + entryBytes))
      return { tag: this.#u16(0, raw), type: this.#u16(2, raw), count: this.#offset(4, raw), raw }
    })
    return { pointerAt, at, room, entries, next: end + offsetBytes > this.bytes.length ? 0 : this.#offset(end) }
  }

  /** The bytes of a value; null where there is none, or not all of it. */
  valueOf(entry: Entry | undefined): Buffer | null {
    if (entry === undefined) return null
    const sizeBytes = (entry.type === UTF8 ? 1 : (TYPE_BYTES[entry.type] ?? 0)) * entry.count
    if (sizeBytes === 0) return null
    const inlineAt = this.#isBig ? 12 : 8
    if (inlineAt + sizeBytes <= entry.raw.length) return entry.raw.subarray(inlineAt, inlineAt + sizeBytes)
    const at = this.#offset(inlineAt, entry.raw)
    return at + sizeBytes > this.bytes.length ? null : this.bytes.subarray(at, at + sizeBytes)
  }

  value(folder: Folder | null, tag: number): Buffer | null {
    return this.valueOf(folder?.entries.find((entry) => entry.tag === tag))
  }

  /** Up to `most` whole numbers; null where there are none, or they are not all there. */
  numbers(folder: Folder | null, tag: number, most = Number.POSITIVE_INFINITY): number[] | null {
    const entry = folder?.entries.find((one) => one.tag === tag)
    const value = this.valueOf(entry)
    const each = TYPE_BYTES[entry?.type ?? 0] ?? 0
    if (value === null || entry === undefined || ![1, SHORT, LONG, 6, 7, 8, 9, DIRECTORY, LONG8].includes(entry.type))
      return null
    return Array.from({ length: Math.min(entry.count, most) }, (_, nth) => {
      if (each === 2) return this.#u16(nth * 2, value)
      if (each === 4) return this.u32(nth * 4, value)
      return each === 8 ? this.#u64(nth * 8, value) : value[nth]!
    })
  }

  /** The first of them. */
  number(folder: Folder | null, tag: number): number | null {
    return this.numbers(folder, tag, 1)?.[0] ?? null
  }

  /** An entry with one number. */
  entry(tag: number, type: number, number: number): Entry {
    const value = Buffer.alloc(type === SHORT ? 2 : 4)
    if (type === SHORT) this.#put16(number, 0, value)
    else this.#put32(number, 0, value)
    return this.entryOf({ tag, type, count: 1, value })
  }

  /** An entry with this value, which is added to the end of the block if it has no room in the entry. */
  entryOf({ tag, type, count, value }: Pick<Entry, 'tag' | 'type' | 'count'> & { value: Buffer }): Entry {
    const raw = Buffer.alloc(ENTRY_BYTES)
    this.#put16(tag, 0, raw)
    this.#put16(type, 2, raw)
    this.#put32(count, 4, raw)
    if (value.length <= 4) value.copy(raw, 8)
    else this.#put32(this.#append(value), 8, raw)
    return { tag, type, count, raw }
  }

  /** Writes a directory back in its place, or at the end of the block if it has more entries than before. */
  write(folder: Folder): void {
    const entries = folder.entries.toSorted((a, b) => a.tag - b.tag)
    const made = Buffer.alloc(folderBytes(entries.length))
    this.#put16(entries.length, 0, made)
    for (const [nth, { raw }] of entries.entries()) raw.copy(made, 2 + nth * ENTRY_BYTES)
    this.#put32(folder.next, made.length - 4, made)
    if (entries.length <= folder.room) {
      made.copy(this.bytes, folder.at)
      return
    }
    folder.at = this.#append(made)
    folder.room = entries.length
    this.#put32(folder.at, folder.pointerAt)
  }

  #append(added: Buffer): number {
    const at = this.bytes.length + (this.bytes.length & 1)
    this.bytes = Buffer.concat([this.bytes, Buffer.alloc(at - this.bytes.length), added])
    return at
  }
}

const folderBytes = (entries: number): number => 2 + entries * ENTRY_BYTES + 4

/** Whether numbers begin with their lowest byte; null for anything but a TIFF block. */
export function byteOrder(block: Buffer): boolean | null {
  const order = block.toString('latin1', 0, 4)
  if (block.length < HEADER_BYTES || (order !== 'II*\0' && order !== 'MM\0*')) return null
  return order === 'II*\0'
}
