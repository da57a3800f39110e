import {
  MalformedImage,
  nothingFound,
  type Container,
  type Density,
  type FoundMetadata,
  type NewMetadata,
  type OwnMetadata,
  type Replaced,
} from './container.ts'
import { END_OF_IMAGE, segmentsIn, START_OF_SCAN } from '../decode-jpeg.ts'
import { iptcIn, photoshopResources, photoshopWith } from './iptc.ts'
import { picturesIn } from '../multi-picture.ts'
import { textOfBytes } from './text-of-bytes.ts'
import { byteOrder } from './tiff-block.ts'
import { MAX_PACKET_BYTES } from './xmp.ts'

const SOI = Buffer.from([0xff, 0xd8])
const EOI = Buffer.from([0xff, 0xd9])
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP13 = 0xed
const APP14 = 0xee
const COMMENT = 0xfe
/** The length of a segment has two bytes, and includes them. */
const MAX_PAYLOAD_BYTES = 65_533

const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0'
/** GUID, total length and offset precede each part. */
const EXTENDED_HEADER_BYTES = 32 + 4 + 4
const PHOTOSHOP = 'Photoshop 3.0\0'
const PROFILE = 'ICC_PROFILE\0'

/** A segment; a scan includes its coded data. */
interface Segment {
  marker: number
  /** Position of the 0xFF. */
  start: number
  /** After the last byte, scan data included. */
  end: number
  payload: Buffer
}

export const jpeg: Container = {
  read(bytes) {
    const found = nothingFound()
    const photoshop: Buffer[] = []
    const extended: Buffer[] = []
    const { segments } = segmentsOf(bytes)
    for (const segment of segments) readSegment(segment, found, photoshop, extended)
    found.exif = exifIn(segments.filter(isExif).map(({ payload }) => payload.subarray(EXIF.length)))
    found.photoshop = photoshopResources(Buffer.concat(photoshop))
    found.iptc = iptcIn(found.photoshop)
    // Longer ones contain depth maps or encoded pictures, in which no credits are expected.
    found.xmp = found.xmp.concat(joinExtended(extended).filter(({ length }) => length <= MAX_PACKET_BYTES))
    return found
  },

  end: endOf,

  rewrite(bytes, metadata, replace) {
    const { segments, end } = segmentsOf(bytes)
    const kept = segments.filter((segment) => KEPT_FOR[replace](segment))
    const parts = kept.map((segment) => (replace === 'all' ? bytesOf(bytes, segment) : wholeOf(bytes, segment)))
    // JFIF has to be the first segment; EXIF and XMP follow it.
    const first = kept.findIndex((segment) => !isJfif(segment) && !isExif(segment))
    parts.splice(first < 0 ? parts.length : first, 0, ...newSegments(metadata))
    const tail = replace === 'all' ? EOI : bytes.subarray(end)
    const made = Buffer.concat([SOI, ...parts, tail])
    return replace === 'all' ? made : withIndexFitted(bytes, made)
  },

  complete(bytes, { iptc, density }: OwnMetadata) {
    const { segments, end } = segmentsOf(bytes)
    const parts = segments.map((segment) =>
      density !== null && isJfif(segment)
        ? segmentWith(APP0, withDensity(segment.payload, density))
        : wholeOf(bytes, segment),
    )
    // Before an index of further pictures (MPF), which counts from its own place on.
    const first = segments.findIndex(({ marker }) => marker !== APP0 && marker !== APP1)
    const head =
      density !== null && !segments.some(isJfif) && isPlain(segments)
        ? [segmentWith(APP0, withDensity(EMPTY_JFIF, density))]
        : []
    const added =
      iptc === null ? [] : [segmentWith(APP13, Buffer.concat([Buffer.from(PHOTOSHOP, 'latin1'), photoshopWith(iptc)]))]
    parts.splice(first < 0 ? parts.length : first, 0, ...added)
    return withIndexFitted(bytes, Buffer.concat([SOI, ...head, ...parts, bytes.subarray(end)]))
  },

  withProfile(bytes, profile) {
    const { segments, end } = segmentsOf(bytes)
    const parts = segments.filter((segment) => !isProfile(segment)).map((segment) => wholeOf(bytes, segment))
    // JFIF has to be the first segment.
    parts.splice(segments[0]?.marker === APP0 ? 1 : 0, 0, ...profileSegments(profile))
    return withIndexFitted(bytes, Buffer.concat([SOI, ...parts, bytes.subarray(end)]))
  },
}

function endOf(bytes: Buffer): number {
  for (const { marker, next } of segmentsIn(bytes)) if (marker === END_OF_IMAGE) return next
  throw new MalformedImage('no end of image')
}

/** In parts, each with its number and how many there are (ICC.1:2022, B.4). */
function profileSegments(profile: Buffer): Buffer[] {
  const room = MAX_PAYLOAD_BYTES - PROFILE.length - 2
  const count = Math.ceil(profile.length / room)
  if (count > 255) throw new MalformedImage('a profile without end')
  return Array.from({ length: count }, (_, n) =>
    segmentWith(
      APP2,
      Buffer.concat([
        Buffer.from(PROFILE, 'latin1'),
        Buffer.from([n + 1, count]),
        profile.subarray(n * room, (n + 1) * room),
      ]),
    ),
  )
}

const MULTI_PICTURE = 'MPF\0'

/** The index of further pictures, and where the first picture ends. */
function indexIn(bytes: Buffer): { index: Buffer | null; at: number; end: number } {
  const { segments, end } = segmentsOf(bytes)
  const found = segments.find(({ marker, payload }) => marker === APP2 && startsWith(payload, MULTI_PICTURE))
  const index = found?.payload.subarray(MULTI_PICTURE.length) ?? null
  return { index, at: (found?.start ?? 0) + 4 + MULTI_PICTURE.length, end: end + EOI.length }
}

/**
 * A file of which only the first picture was rewritten, with an index that is right for it: the length of the first picture, and
 * how far away the others are. What of the index was not right before is left as it is, since it is unknown what was meant.
 */
function withIndexFitted(before: Buffer, after: Buffer): Buffer {
  if (!before.includes(MULTI_PICTURE, 0, 'latin1')) return after
  const [old, made] = [indexIn(before), indexIn(after)]
  if (old.index === null || made.index === null) return after
  const grown = made.end - old.end
  const moved = grown - (made.at - old.at)
  const pictures = picturesIn(old.index)
  const starts = pictures.filter(({ offset }) => offset !== 0).map(({ offset }) => old.at + offset)
  const next = Math.min(...starts, before.length)
  const fitted = Buffer.from(after)
  const write = (at: number, value: number): number =>
    byteOrder(old.index!) === true
      ? fitted.writeUInt32LE(value, made.at + at)
      : fitted.writeUInt32BE(value, made.at + at)
  for (const [nth, { size, offset, entryAt }] of pictures.entries()) {
    const start = old.at + offset
    if (nth === 0 && offset === 0 && size >= old.end && size <= next) write(entryAt + 4, size + grown)
    if (offset !== 0 && start >= old.end && startsPicture(before, start)) write(entryAt + 8, offset + moved)
  }
  return fitted
}

const startsPicture = (bytes: Buffer, at: number): boolean =>
  at + 2 <= bytes.length && bytes.readUInt16BE(at) === 0xffd8

const EMPTY_JFIF = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')

/** JFIF says that colours are YCbCr or grey: true of a picture that says nothing else and numbers its components as JFIF does. */
function isPlain(segments: Segment[]): boolean {
  if (segments.some(({ marker }) => marker === APP14)) return false
  const frame = segments.find(({ marker }) => marker >= 0xc0 && marker <= 0xc2)?.payload
  if (frame?.[5] === 1) return true
  return frame?.[5] === 3 && [6, 9, 12].every((at, nth) => frame[at] === nth + 1)
}

/** Unit, across and down stand behind the name and the version. */
const DENSITY_AT = 7

function withDensity(payload: Buffer, { unit, across, down }: Density): Buffer {
  const changed = Buffer.from(payload)
  changed[DENSITY_AT] = unit
  changed.writeUInt16BE(across, DENSITY_AT + 1)
  changed.writeUInt16BE(down, DENSITY_AT + 3)
  return changed
}

/** Null for what says nothing: no unit and equal sides. */
function densityIn(payload: Buffer): Density | null {
  const unit = payload[DENSITY_AT]!
  const across = payload.readUInt16BE(DENSITY_AT + 1)
  const down = payload.readUInt16BE(DENSITY_AT + 3)
  const says = unit <= 2 && across > 0 && down > 0 && (unit > 0 || across !== down)
  return says ? { unit, across, down } : null
}

function readSegment(
  { marker, payload }: Segment,
  found: FoundMetadata,
  photoshop: Buffer[],
  extended: Buffer[],
): void {
  if (marker === APP1 && startsWith(payload, XMP)) found.xmp.push(payload.subarray(XMP.length))
  else if (marker === APP1 && startsWith(payload, EXTENDED_XMP)) extended.push(payload.subarray(EXTENDED_XMP.length))
  else if (marker === APP13 && startsWith(payload, PHOTOSHOP)) photoshop.push(payload.subarray(PHOTOSHOP.length))
  else if (isJfif({ marker, payload })) found.density ??= densityIn(payload)
  else if (marker === COMMENT) found.texts.push({ keyword: 'Comment', value: textOfBytes(payload).replace(/\0+$/, '') })
}

/** The first block, with the segments behind it in which it goes on: those that are no block themselves. */
function exifIn(parts: Buffer[]): Buffer | null {
  const first = parts.findIndex((part) => byteOrder(part) !== null)
  if (first < 0) return parts[0] ?? null
  const next = parts.findIndex((part, nth) => nth > first && byteOrder(part) !== null)
  return Buffer.concat(parts.slice(first, next < 0 ? parts.length : next))
}

/** Joins the parts of each packet, ordered by offset. */
function joinExtended(parts: Buffer[]): Buffer[] {
  const byGuid = new Map<string, Buffer[]>()
  for (const part of parts) {
    if (part.length < EXTENDED_HEADER_BYTES) continue
    const guid = part.toString('latin1', 0, 32)
    const ofOne = byGuid.get(guid)
    if (ofOne === undefined) byGuid.set(guid, [part])
    else ofOne.push(part)
  }
  return [...byGuid.values()].map((ofOne) =>
    Buffer.concat(
      ofOne
        .toSorted((a, b) => a.readUInt32BE(36) - b.readUInt32BE(36))
        .map((part) => part.subarray(EXTENDED_HEADER_BYTES)),
    ),
  )
}

/** Everything up to the end-of-image marker, whose first byte is at `end`. */
function segmentsOf(bytes: Buffer): { segments: Segment[]; end: number } {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw new MalformedImage('no start of image')
  const segments: Segment[] = []
  for (const { marker, start, next } of segmentsIn(bytes)) {
    const last = segments.at(-1)
    if (last?.marker === START_OF_SCAN) last.end = start
    if (marker === END_OF_IMAGE) return { segments, end: start }
    if (next < start + 4 || next > bytes.length) throw new MalformedImage('a segment past the end')
    segments.push({ marker, start, end: next, payload: bytes.subarray(start + 4, next) })
  }
  throw new MalformedImage('no end of image')
}

const KEPT_FOR: Record<Replaced, (segment: Segment) => boolean> = {
  all: isPicture,
  exif: (segment) => !isExif(segment),
  xmp: (segment) => !isMainXmp(segment),
}

/** Frames, tables and scans, and the application segments that affect rendering. */
function isPicture(segment: Segment): boolean {
  const { marker, payload } = segment
  if (marker === APP0) return isJfif(segment)
  if (marker === APP2) return isProfile(segment)
  if (marker === APP14) return startsWith(payload, 'Adobe')
  return marker >= 0xc0 && marker <= 0xdf
}

function isJfif({ marker, payload }: Pick<Segment, 'marker' | 'payload'>): boolean {
  return marker === APP0 && startsWith(payload, 'JFIF\0') && payload.length >= 14
}

function isExif({ marker, payload }: Segment): boolean {
  return marker === APP1 && startsWith(payload, EXIF)
}

function isProfile({ marker, payload }: Segment): boolean {
  return marker === APP2 && startsWith(payload, PROFILE)
}

function isMainXmp({ marker, payload }: Segment): boolean {
  return marker === APP1 && startsWith(payload, XMP)
}

function wholeOf(bytes: Buffer, { start, end }: Segment): Buffer {
  return bytes.subarray(start, end)
}

/** Without the thumbnail that may follow the fields of a JFIF segment, and without anything after those of an Adobe one. */
function bytesOf(bytes: Buffer, segment: Segment): Buffer {
  if (isJfif(segment)) {
    const fields = Buffer.from(segment.payload.subarray(0, 14))
    fields.fill(0, 12)
    return segmentWith(APP0, fields)
  }
  if (segment.marker === APP14) return segmentWith(APP14, segment.payload.subarray(0, 12))
  return wholeOf(bytes, segment)
}

function newSegments({ exif, xmp }: NewMetadata): Buffer[] {
  const segments: Buffer[] = []
  if (exif !== null) segments.push(segmentWith(APP1, Buffer.concat([Buffer.from(EXIF, 'latin1'), exif])))
  if (xmp !== null) segments.push(segmentWith(APP1, Buffer.concat([Buffer.from(XMP, 'latin1'), xmp])))
  return segments
}

function segmentWith(marker: number, payload: Buffer): Buffer {
  if (payload.length > MAX_PAYLOAD_BYTES) throw new MalformedImage('more metadata than a segment holds')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

function startsWith(payload: Buffer, prefix: string): boolean {
  return payload.toString('latin1', 0, prefix.length) === prefix
}
