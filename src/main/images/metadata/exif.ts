import { withoutExifPrefix } from './container.ts'
import { hasCoordinate } from './location-words.ts'
import { textOfBytes } from './text-of-bytes.ts'
import { ASCII, LONG, SHORT, TiffBlock, UTF8, type Entry as StoredEntry, type Folder } from './tiff-block.ts'

/** Exif 3.0, tables of tags. */
const EXIF_POINTER = 0x8769
const GPS_POINTER = 0x8825
const GPS_PROCESSING_METHOD = 0x001b
const GPS_AREA_INFORMATION = 0x001c
const ORIENTATION = 0x0112
const ARTIST = 0x013b
const COPYRIGHT = 0x8298
const XP_AUTHOR = 0x9c9d
/** Exif 3.0, in the EXIF directory. */
const PHOTOGRAPHER = 0xa437
const USER_COMMENT = 0x9286

const tagsIn = (text: string): ReadonlySet<number> => new Set(text.split(' ').map((tag) => parseInt(tag, 16)))

/** Tags of the main directory that cannot reveal a location. Orientation is handled separately. */
const MAIN_TAGS = tagsIn(
  '010e 010f 0110 011a 011b 0128 0131 0132 013b 013e 013f 0211 0213 0214 4746 4749 8298 9c9b 9c9c 9c9d 9c9e 9c9f',
)
/** Tags of the EXIF directory: how, when and with what the picture was taken. */
const EXIF_TAGS = tagsIn(
  '829a 829d 8822 8824 8827 8830 8831 8832 8833 8834 8835 9000 9003 9004 9010 9011 9012 9101 9102 9201 ' +
    '9202 9203 9204 9205 9206 9207 9208 9209 920a 9286 9290 9291 9292 a000 a001 a002 a003 a20e a20f a210 ' +
    'a217 a300 a301 a401 a402 a403 a404 a405 a406 a407 a408 a409 a40a a40c a420 a430 a431 a432 a433 a434 ' +
    'a435 a436 a437 a438 a439 a43a a43b a43c a460 a500',
)
/** Longer numeric values are tables, which may contain anything. */
const MAX_NUMBER_BYTES = 64

type Entry = Pick<StoredEntry, 'tag' | 'type' | 'count'> & { value: Buffer }

interface Folders {
  isLittle: boolean
  main: Entry[]
  exif: Entry[]
  gps: Entry[]
}

/** Usual values of the GPS processing method: how a place was found, and not what it is called. */
const METHOD = /^(?:gps|cell-?id|wlan|wi-?fi|manual|network|fused|hybrid(?:-fix)?)$/i
/** Of texts such as the processing method; the text follows. */
const CHARACTER_CODE_BYTES = 8

/** Author, rights and names of places. */
interface ExifFacts {
  artist: string
  photographer: string
  copyright: string
  xpAuthor: string
  /** Of the GPS directory. */
  places: string[]
}

export function readExif(block: Buffer): ExifFacts {
  const folders = readFolders(block)
  const find = (tag: number, folder: 'main' | 'exif' = 'main'): Entry | undefined =>
    folders?.[folder].find((entry) => entry.tag === tag)
  const text = (tag: number, folder?: 'exif'): string => {
    const entry = find(tag, folder)
    // The photographer's and the editor's copyright, separated by a null byte.
    return entry === undefined ? '' : cleanText(textOfBytes(entry.value).replaceAll('\0', ' '))
  }
  return {
    artist: text(ARTIST),
    photographer: text(PHOTOGRAPHER, 'exif'),
    copyright: text(COPYRIGHT),
    xpAuthor: cleanText(find(XP_AUTHOR)?.value.toString('utf16le') ?? ''),
    places: folders === null ? [] : placesIn(folders),
  }
}

function placesIn({ isLittle, gps }: Folders): string[] {
  return gps
    .filter(({ tag }) => tag === GPS_PROCESSING_METHOD || tag === GPS_AREA_INFORMATION)
    .map(({ value }) => codedText(value, isLittle))
    .filter((text) => text !== '' && !METHOD.test(text))
}

/** A text that begins with the code of its characters. */
function codedText(value: Buffer, isLittle: boolean): string {
  const isUnicode = value.toString('latin1', 0, 7) === 'UNICODE'
  const text = value.subarray(CHARACTER_CODE_BYTES)
  return cleanText(isUnicode ? swapped(text, isLittle).toString('utf16le') : textOfBytes(text))
}

/** Only what cannot reveal a location, and this orientation. Null if nothing is left, or nothing can be parsed. */
export function exifWithoutLocation(
  block: Buffer,
  options: { orientation: number; isLocation: (text: string) => boolean },
): Buffer | null {
  const folders = readFolders(block)
  if (folders === null) return null
  const stays = (tags: ReadonlySet<number>) => (entry: Entry) =>
    tags.has(entry.tag) && revealsNoLocation(entry, folders.isLittle, options.isLocation)
  const { isLittle } = folders
  const turned = options.orientation === 1 ? [] : [orientationEntry(options.orientation, isLittle)]
  const main = [...folders.main.filter(stays(MAIN_TAGS)), ...turned]
  const exif = folders.exif.filter(stays(EXIF_TAGS))
  return main.length + exif.length === 0 ? null : writeFolders({ isLittle, main, exif })
}

/** Of a TIFF file: what is known to be about the picture, and GPS. Maker notes, which refer to places in the file, are left out. */
export function exifOfTiff(file: Buffer): Buffer | null {
  const folders = readFolders(file)
  if (folders === null) return null
  const isShort = ({ value }: Entry) => value.length <= MAX_ENTRY_BYTES
  const main = folders.main.filter(({ tag }) => MAIN_TAGS.has(tag)).filter(isShort)
  const exif = folders.exif.filter(({ tag }) => EXIF_TAGS.has(tag)).filter(isShort)
  const gps = folders.gps.filter(isShort)
  return main.length + exif.length + gps.length === 0
    ? null
    : writeFolders({ isLittle: folders.isLittle, main, exif, gps })
}

/** Longer texts and tables are no facts about a picture. */
const MAX_ENTRY_BYTES = 16_384
/** Of a directory. */
const MAX_ENTRIES = 500

/** A block with nothing but the orientation; null if the picture is upright. */
export function orientationOnly(orientation: number): Buffer | null {
  if (orientation === 1) return null
  return writeFolders({ isLittle: true, main: [orientationEntry(orientation, true)], exif: [] })
}

function orientationEntry(orientation: number, isLittle: boolean): Entry {
  return { tag: ORIENTATION, type: SHORT, count: 1, value: Buffer.from(isLittle ? [orientation, 0] : [0, orientation]) }
}

/** Null for anything but a TIFF block. Entries whose values are not all there are left out. */
function readFolders(block: Buffer): Folders | null {
  const tiff = TiffBlock.of(block)
  if (tiff === null) return null
  const entriesOf = (folder: Folder | null): Entry[] =>
    (folder?.entries ?? []).slice(0, MAX_ENTRIES).flatMap((entry) => {
      const value = tiff.valueOf(entry)
      return value === null ? [] : [{ ...entry, value }]
    })
  const main = tiff.main()
  const [exif, gps] = [tiff.below(main, EXIF_POINTER), tiff.below(main, GPS_POINTER)]
  return { isLittle: tiff.isLittle, main: entriesOf(main), exif: entriesOf(exif), gps: entriesOf(gps) }
}

/** Everything is checked as text, whatever its type. */
function revealsNoLocation(
  { tag, type, value }: Entry,
  isLittle: boolean,
  isLocation: (text: string) => boolean,
): boolean {
  const isWindows = tag >= 0x9c9b && tag <= 0x9c9f
  const isText = type === ASCII || type === UTF8 || isWindows || tag === USER_COMMENT
  if (!isText) return value.length <= MAX_NUMBER_BYTES && !hasCoordinate(value.toString('latin1'))
  return [
    value.toString('utf8'),
    textOfBytes(value),
    value.toString('latin1'),
    value.toString('utf16le'),
    swapped(value, isLittle).toString('utf16le'),
  ].every((text) => !hasCoordinate(cleanText(text)) && !isLocation(text))
}

/** For UTF-16 in big-endian order, which a comment may have after its eight bytes of character code. */
function swapped(value: Buffer, isLittle: boolean): Buffer {
  return isLittle ? value : Buffer.from(value.subarray(0, value.length & ~1)).swap16()
}

function cleanText(text: string): string {
  // eslint-disable-next-line no-control-regex -- they end and fill texts
  return text.replace(/[\u0000-\u001f]+/g, ' ').trim()
}

function writeFolders({ isLittle, main, exif, gps = [] }: Omit<Folders, 'gps'> & Partial<Folders>): Buffer {
  const below = [
    { tag: EXIF_POINTER, entries: once(exif) },
    { tag: GPS_POINTER, entries: once(gps) },
  ].filter(({ entries }) => entries.length > 0)
  const first = once(main)
  const tiff = TiffBlock.withRoom(first.length + below.length, isLittle)
  const folder = tiff.main()!
  const write = (into: Folder, entries: readonly Entry[], pointers: StoredEntry[] = []): number => {
    into.entries = [...entries.map((entry) => tiff.entryOf(entry)), ...pointers]
    tiff.write(into)
    return into.at
  }
  const pointers = below.map(({ tag, entries }) =>
    tiff.entry(tag, LONG, write({ pointerAt: folder.at, at: 0, room: 0, entries: [], next: 0 }, entries)),
  )
  write(folder, first, pointers)
  return tiff.bytes
}

/** The first of each tag. */
const once = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ tag }, nth) => entries.findIndex((entry) => entry.tag === tag) === nth)

const DATE_TIME_ORIGINAL = 0x9003
const DATE_TIME_DIGITIZED = 0x9004

/** By its camera's clock (`YYYY-MM-DDTHH:mm:ss`). Null where it does not say, or says no date (`0000:00:00 00:00:00`). */
export function captureTime(exif: Buffer): string | null {
  const entries = readFolders(withoutExifPrefix(exif))?.exif ?? []
  const times = [DATE_TIME_ORIGINAL, DATE_TIME_DIGITIZED].map((tag) => {
    const value = entries.find((entry) => entry.tag === tag)?.value
    return value === undefined ? null : timeIn(value.toString('latin1', 0, 100))
  })
  return times[0] ?? times[1] ?? null
}

const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/

function timeIn(text: string): string | null {
  const parts = TIME.exec(text)?.slice(1)
  if (parts === undefined) return null
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = parts
  const isDay = Number(year) > 0 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  return isDay && isTime ? `${year}-${month}-${day}T${hour}:${minute}:${second}` : null
}
