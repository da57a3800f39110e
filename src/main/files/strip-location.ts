/** EXIF tags (Exif 3.0, tables of IFD pointers and tags). */
const GPS_POINTER = 0x8825
const EXIF_POINTER = 0x8769
const MAKER_NOTE = 0x927c
const TYPE_SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const ENTRY_BYTES = 12

/**
 * Takes the place out of an EXIF block in place, keeping its length: the GPS folder and the maker's notes (cameras keep
 * places there too, in forms only they know) are filled with zeros and their entries removed; the embedded thumbnail's
 * folder is cut off. False when the block cannot be understood in full; then none of it should be kept.
 */
export function removeLocationFromExif(block: Buffer): boolean {
  const start = block.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  try {
    const tiff = openTiff(block.subarray(start))
    if (tiff === null) return false
    const main = tiff.u32(4)
    const exif = readPointer(tiff, main, EXIF_POINTER)
    const gps = readPointer(tiff, main, GPS_POINTER)
    if (gps !== null) blankFolder(tiff, gps)
    removeEntry(tiff, main, GPS_POINTER)
    if (exif !== null) {
      blankValue(tiff, exif, MAKER_NOTE)
      removeEntry(tiff, exif, MAKER_NOTE)
      removeEntry(tiff, exif, GPS_POINTER)
    }
    tiff.setU32(main + 2 + tiff.u16(main) * ENTRY_BYTES, 0)
    return true
  } catch (error) {
    // Offsets that lead out of the block.
    if (error instanceof RangeError) return false
    throw error
  }
}

interface Tiff {
  bytes: Buffer
  u16(at: number): number
  u32(at: number): number
  setU16(at: number, value: number): void
  setU32(at: number, value: number): void
}

function openTiff(bytes: Buffer): Tiff | null {
  const order = bytes.toString('latin1', 0, 4)
  if (order === 'II*\0') {
    return {
      bytes,
      u16: (at) => bytes.readUInt16LE(at),
      u32: (at) => bytes.readUInt32LE(at),
      setU16: (at, value) => bytes.writeUInt16LE(value, at),
      setU32: (at, value) => bytes.writeUInt32LE(value, at),
    }
  }
  if (order !== 'MM\0*') return null
  return {
    bytes,
    u16: (at) => bytes.readUInt16BE(at),
    u32: (at) => bytes.readUInt32BE(at),
    setU16: (at, value) => bytes.writeUInt16BE(value, at),
    setU32: (at, value) => bytes.writeUInt32BE(value, at),
  }
}

/** Where the entry of `tag` in the folder at `folder` is, or null. */
function findEntry(tiff: Tiff, folder: number, tag: number): number | null {
  const count = tiff.u16(folder)
  for (let index = 0; index < count; index++) {
    const at = folder + 2 + index * ENTRY_BYTES
    if (tiff.u16(at) === tag) return at
  }
  return null
}

function readPointer(tiff: Tiff, folder: number, tag: number): number | null {
  const at = findEntry(tiff, folder, tag)
  return at === null ? null : tiff.u32(at + 8)
}

/** The entries behind it move up, and with them the offset of the next folder that ends the list. */
function removeEntry(tiff: Tiff, folder: number, tag: number): void {
  for (let at = findEntry(tiff, folder, tag); at !== null; at = findEntry(tiff, folder, tag)) {
    const count = tiff.u16(folder)
    const end = folder + 2 + count * ENTRY_BYTES + 4
    tiff.u32(end - 4)
    tiff.bytes.copy(tiff.bytes, at, at + ENTRY_BYTES, end)
    tiff.bytes.fill(0, end - ENTRY_BYTES, end)
    tiff.setU16(folder, count - 1)
  }
}

/** Values of up to four bytes are in the entry itself, which is removed. */
function blankEntryValue(tiff: Tiff, entry: number): void {
  const sizeBytes = (TYPE_SIZES[tiff.u16(entry + 2)] ?? 8) * tiff.u32(entry + 4)
  if (sizeBytes <= 4) return
  const at = tiff.u32(entry + 8)
  if (at + sizeBytes > tiff.bytes.length) throw new RangeError('value outside the block')
  tiff.bytes.fill(0, at, at + sizeBytes)
}

function blankValue(tiff: Tiff, folder: number, tag: number): void {
  const entry = findEntry(tiff, folder, tag)
  if (entry !== null) blankEntryValue(tiff, entry)
}

function blankFolder(tiff: Tiff, folder: number): void {
  const count = tiff.u16(folder)
  for (let index = 0; index < count; index++) blankEntryValue(tiff, folder + 2 + index * ENTRY_BYTES)
  tiff.bytes.fill(0, folder, folder + 2 + count * ENTRY_BYTES)
}

/** Longer packets hold depth maps and editing histories. */
const MAX_XMP_CHARACTERS = 262_144
const PLACE_NAMES =
  '(?:[\\w.-]+:)(?:GPS[\\w.-]*|City|State|Country|CountryCode|Location|LocationCreated|LocationShown|Sublocation|ProvinceState|CountryName|WorldRegion)'
const PLACE_ATTRIBUTE = new RegExp(`\\s${PLACE_NAMES}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g')
const PLACE_EMPTY_ELEMENT = new RegExp(`<${PLACE_NAMES}(?:\\s[^<>]*)?/>`, 'g')
const PLACE_ELEMENT = new RegExp(`<(${PLACE_NAMES})(?:\\s[^<>]*)?>[\\s\\S]*?</\\1\\s*>`, 'g')
const ANY_PLACE = new RegExp(`[<\\s]${PLACE_NAMES}[\\s=/>]|GPS(?:Lat|Lon|Alt|Pos)`)

/**
 * Takes places out of an XMP packet, as attributes and as elements, and leaves the rest (rights, creator, …) as it is.
 * Null when the packet is too long, or when something that looks like a place is still there: then none of it is kept.
 */
export function removeLocationFromXmp(packet: string): string | null {
  if (packet.length > MAX_XMP_CHARACTERS) return null
  const cleaned = packet.replace(PLACE_ATTRIBUTE, '').replace(PLACE_EMPTY_ELEMENT, '').replace(PLACE_ELEMENT, '')
  return ANY_PLACE.test(cleaned) ? null : cleaned
}
