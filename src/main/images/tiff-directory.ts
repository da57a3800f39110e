/** Tags of TIFF 6.0, and of its supplements. */
export const TIFF_TAGS = {
  newSubfileType: 254,
  subfileType: 255,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileOffsets: 324,
  tileByteCounts: 325,
  inkSet: 332,
  sampleFormat: 339,
  yCbCrSubSampling: 530,
  xmp: 700,
  iptc: 33723,
  photoshop: 34377,
  dngVersion: 50706,
} as const

/** Bytes of a value of each type, which are numbered from 1; 13 is a directory, 16 to 18 are of BigTIFF. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const [SHORT, LONG, LONG8] = [3, 4, 16]

/** Entries of all directories together: a hostile file may have millions, or directories that lie in one another. */
const MAX_ENTRIES = 100_000

interface Entry {
  tag: number
  type: number
  count: number
  /** Where the value is. */
  at: number
  sizeBytes: number
}

/** The main directory of a TIFF, or of a BigTIFF. Numbers are read on demand and never beyond the bytes. */
export class TiffDirectory {
  readonly #bytes: Buffer
  readonly #layout: Layout
  readonly #entries: readonly Entry[]
  /** How many directories hold a picture of their own, and neither a smaller version nor a mask of another. */
  pages = 0

  private constructor(bytes: Buffer, layout: Layout, entries: readonly Entry[]) {
    this.#bytes = bytes
    this.#layout = layout
    this.#entries = entries
  }

  /** Null for anything but a TIFF whose main directory is all there. */
  static of(bytes: Buffer): TiffDirectory | null {
    const layout = layoutOf(bytes)
    if (layout === null) return null
    let main: TiffDirectory | null = null
    const seen = new Set<number>()
    let left = MAX_ENTRIES
    for (let at = layout.first; at !== 0 && !seen.has(at) && left > 0;) {
      seen.add(at)
      const folder = readFolder(bytes, layout, at)
      if (folder === null) break
      left -= folder.entries.length + 1
      const directory = new TiffDirectory(bytes, layout, folder.entries)
      main ??= directory
      if (directory.isPage()) main.pages += 1
      at = folder.next
    }
    return main
  }

  isPage(): boolean {
    const kind = this.number(TIFF_TAGS.newSubfileType) ?? 0
    // A smaller version, or a mask.
    return (kind & 0b101) === 0 && this.number(TIFF_TAGS.subfileType) !== 2
  }

  /** The bytes of a value; null where there is none, or not all of it. */
  bytesOf(tag: number): Buffer | null {
    const entry = this.#entries.find((one) => one.tag === tag)
    if (entry === undefined || entry.at + entry.sizeBytes > this.#bytes.length) return null
    return this.#bytes.subarray(entry.at, entry.at + entry.sizeBytes)
  }

  /** The first of the numbers of a tag; null where there is none. */
  number(tag: number): number | null {
    return this.numbers(tag, 1)?.[0] ?? null
  }

  /** Up to `most` numbers of a tag; null where there is none, or where they are not all there. */
  numbers(tag: number, most = Number.POSITIVE_INFINITY): number[] | null {
    const entry = this.#entries.find((one) => one.tag === tag)
    const value = this.bytesOf(tag)
    if (entry === undefined || value === null) return null
    const { isLittle } = this.#layout
    const each = TYPE_BYTES[entry.type]!
    return Array.from({ length: Math.min(entry.count, most) }, (_, nth) => {
      if (entry.type === SHORT) return u16(value, nth * each, isLittle)
      if (entry.type === LONG) return u32(value, nth * each, isLittle)
      return entry.type === LONG8 ? u64(value, nth * each, isLittle) : value[nth * each]!
    })
  }

  /** Whether all coded pixels of the main picture are within the bytes. */
  isWhole(): boolean {
    const { stripOffsets, stripByteCounts, tileOffsets, tileByteCounts } = TIFF_TAGS
    const isTiled = this.has(tileOffsets)
    const offsets = this.numbers(isTiled ? tileOffsets : stripOffsets)
    if (offsets === null || offsets.length === 0) return false
    const counts = this.numbers(isTiled ? tileByteCounts : stripByteCounts) ?? []
    return offsets.every((offset, nth) => offset + (counts[nth] ?? 0) <= this.#bytes.length)
  }

  has(tag: number): boolean {
    return this.#entries.some((entry) => entry.tag === tag)
  }
}

interface Layout {
  isLittle: boolean
  isBig: boolean
  /** Where the main directory is. */
  first: number
}

function layoutOf(bytes: Buffer): Layout | null {
  if (bytes.length < 16) return null
  const order = bytes.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return null
  const isLittle = order === 'II'
  const version = u16(bytes, 2, isLittle)
  if (version === 42) return { isLittle, isBig: false, first: u32(bytes, 4, isLittle) }
  if (version === 43) return { isLittle, isBig: true, first: u64(bytes, 8, isLittle) }
  return null
}

function readFolder(bytes: Buffer, layout: Layout, at: number): { entries: Entry[]; next: number } | null {
  const { isLittle, isBig } = layout
  const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4]
  if (at + countBytes > bytes.length) return null
  const count = isBig ? u64(bytes, at, isLittle) : u16(bytes, at, isLittle)
  const end = at + countBytes + count * entryBytes
  if (count > MAX_ENTRIES || end > bytes.length) return null
  const offset = (from: number): number => (isBig ? u64(bytes, from, isLittle) : u32(bytes, from, isLittle))
  const entries: Entry[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const from = at + countBytes + nth * entryBytes
    const [tag, type] = [u16(bytes, from, isLittle), u16(bytes, from + 2, isLittle)]
    const values = offset(from + 4)
    const sizeBytes = (TYPE_BYTES[type] ?? 0) * values
    if (sizeBytes === 0) continue
    const valueAt = from + 4 + offsetBytes
    entries.push({ tag, type, count: values, at: sizeBytes <= offsetBytes ? valueAt : offset(valueAt), sizeBytes })
  }
  return { entries, next: end + offsetBytes > bytes.length ? 0 : offset(end) }
}

const u16 = (bytes: Buffer, at: number, isLittle: boolean): number =>
  isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
const u32 = (bytes: Buffer, at: number, isLittle: boolean): number =>
  isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
/** Beyond 2 ** 53 not exact, but then beyond every file too. */
const u64 = (bytes: Buffer, at: number, isLittle: boolean): number =>
  Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
