import { MalformedImage, nothingFound, type Container, type Density, type NewParts } from './container.ts'
import { END_OF_IMAGE, segmentsIn, START_OF_SCAN } from '../decode-jpeg.ts'
import { iptcIn, photoshopResources, photoshopWith } from './iptc.ts'
import { textOfBytes } from './text-of-bytes.ts'
import { byteOrder, TiffBlock } from './tiff-block.ts'
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
/** GUID, total length and offset precede each part. */
export const EXTENDED_HEADER_BYTES = 32 + 4 + 4
const PHOTOSHOP = 'Photoshop 3.0\0'
const PROFILE = 'ICC_PROFILE\0'
/** What a segment of this marker is that begins with this. */
const KINDS = [
  [APP0, 'JFIF\0', 'jfif'],
  [APP1, EXIF, 'exif'],
  [APP1, XMP, 'xmp'],
  [APP1, 'http://ns.adobe.com/xmp/extension/\0', 'extendedXmp'],
  [APP2, PROFILE, 'profile'],
  [APP2, 'MPF\0', 'multiPicture'],
  [APP2, 'urn:iso:std:iso:ts:21496:-1\0', 'gainMap'],
  [APP13, PHOTOSHOP, 'photoshop'],
  [APP14, 'Adobe', 'adobe'],
  [COMMENT, '', 'comment'],
] as const
const JFIF_BYTES = 14
const ADOBE_BYTES = 12

type Kind = (typeof KINDS)[number][2] | 'picture' | 'other'

/** A segment; a scan includes its coded data. */
interface Segment {
  kind: Kind
  marker: number
  /** Position of the 0xFF. */
  start: number
  /** After the last byte, scan data included. */
  end: number
  payload: Buffer
  /** Of the payload, behind what says the kind. */
  content: Buffer
}

/** Frames, tables and scans, and the application segments that affect rendering. */
const OF_PICTURE = new Set<Kind>(['picture', 'jfif', 'profile', 'adobe'])

export const jpeg: Container = {
  read(bytes) {
    const found = nothingFound()
    const { segments } = segmentsOf(bytes)
    found.exif = exifIn(contentsOf(segments, 'exif'))
    found.photoshop = photoshopResources(Buffer.concat(contentsOf(segments, 'photoshop')))
    found.iptc = iptcIn(found.photoshop)
    // Longer ones contain depth maps or encoded pictures, in which no credits are expected.
    const extended = joinExtended(contentsOf(segments, 'extendedXmp')).filter(
      ({ length }) => length <= MAX_PACKET_BYTES,
    )
    found.xmp = [...contentsOf(segments, 'xmp'), ...extended]
    found.texts = contentsOf(segments, 'comment').map((text) => ({
      keyword: 'Comment',
      value: textOfBytes(text).replace(/\0+$/, ''),
    }))
    for (const { kind, payload } of segments) if (kind === 'jfif') found.density ??= densityIn(payload)
    return found
  },

  end: endOf,

  rewrite(bytes, parts, keeps) {
    const { exif, xmp, profile, density } = parts
    const { segments, end } = segmentsOf(bytes)
    const replaced = { exif, xmp, profile } as Partial<Record<Kind, Buffer | null | undefined>>
    const kept = segments.filter(
      ({ kind }) => replaced[kind] === undefined && (keeps === 'all' || OF_PICTURE.has(kind)),
    )
    const made = kept.map((segment) => {
      const payload = keeps === 'all' ? segment.payload : plainPayload(segment)
      if (segment.kind === 'jfif' && density !== undefined) return segmentWith(APP0, withDensity(payload, density))
      return payload === segment.payload
        ? bytes.subarray(segment.start, segment.end)
        : segmentWith(segment.marker, payload)
    })
    // JFIF has to be the first segment; EXIF follows it. An index of further pictures (MPF) counts from its own place on.
    const first = kept.findIndex(({ kind }) => kind !== 'jfif' && kind !== 'exif')
    made.splice(first < 0 ? made.length : first, 0, ...newSegments(parts))
    if (density !== undefined && mayBeJfif(segments)) made.unshift(segmentWith(APP0, withDensity(EMPTY_JFIF, density)))
    if (keeps === 'picture') return Buffer.concat([SOI, ...made, EOI])
    return withIndexFitted(bytes, Buffer.concat([SOI, ...made, bytes.subarray(end)]))
  },
}

function endOf(bytes: Buffer): number {
  for (const { marker, next } of segmentsIn(bytes)) if (marker === END_OF_IMAGE) return next
  throw new MalformedImage('no end of image')
}

/** In parts, each with its number and how many there are (ICC.1:2022, B.4). */
function profileParts(profile: Buffer): Buffer[] {
  const room = MAX_PAYLOAD_BYTES - PROFILE.length - 2
  const count = Math.ceil(profile.length / room)
  if (count > 255) throw new MalformedImage('a profile without end')
  return Array.from({ length: count }, (_, n) =>
    Buffer.concat([Buffer.from([n + 1, count]), profile.subarray(n * room, (n + 1) * room)]),
  )
}

/** Of an index of further pictures, which is a segment of the first one (CIPA DC-007). */
const PICTURES = 0xb002
const PICTURE_BYTES = 16

interface ListedPicture {
  /** Three bytes; those of other views of the same scene begin with 2. */
  kind: number
  /** Both as they are written: the offset counts from the index, and is 0 for the first picture. */
  size: number
  offset: number
  /** Of its entry in the index. */
  entryAt: number
}

/** `index`: from its byte order on. Nothing for one that cannot be read. */
export function picturesIn(index: Buffer): ListedPicture[] {
  const tiff = TiffBlock.of(index)
  const value = tiff?.value(tiff.main(), PICTURES) ?? null
  if (tiff === null || value === null) return []
  return Array.from({ length: Math.floor(value.length / PICTURE_BYTES) }, (_, nth) => {
    const entryAt = value.byteOffset - index.byteOffset + nth * PICTURE_BYTES
    const [kind, size, offset] = [tiff.u32(entryAt) & 0xffffff, tiff.u32(entryAt + 4), tiff.u32(entryAt + 8)]
    return { kind, size, offset, entryAt }
  })
}

/** The index of further pictures, and where the first picture ends. */
function indexIn(bytes: Buffer): { index: Buffer | null; at: number; end: number } {
  const { segments, end } = segmentsOf(bytes)
  const found = segments.find(({ kind }) => kind === 'multiPicture')
  const index = found?.content ?? null
  return { index, at: found === undefined ? 0 : found.end - found.content.length, end: end + EOI.length }
}

/** With an index that is right for the rewritten first picture; what was not right before is left as it is. */
function withIndexFitted(before: Buffer, after: Buffer): Buffer {
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

/** Whether a JFIF segment would be true: it says that colours are YCbCr or grey. */
function mayBeJfif(segments: Segment[]): boolean {
  if (segments.some(({ kind, marker }) => kind === 'jfif' || marker === APP14)) return false
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

export function contentsOf(segments: readonly Segment[], wanted: Kind): Buffer[] {
  return segments.filter(({ kind }) => kind === wanted).map(({ content }) => content)
}

/** Everything up to the end-of-image marker, whose first byte is at `end`. */
export function segmentsOf(bytes: Buffer): { segments: Segment[]; end: number } {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw new MalformedImage('no start of image')
  const segments: Segment[] = []
  for (const { marker, start, next } of segmentsIn(bytes)) {
    const last = segments.at(-1)
    if (last?.marker === START_OF_SCAN) last.end = start
    if (marker === END_OF_IMAGE) return { segments, end: start }
    if (next < start + 4 || next > bytes.length) throw new MalformedImage('a segment past the end')
    const payload = bytes.subarray(start + 4, next)
    segments.push({ marker, start, end: next, payload, ...kindOf(marker, payload) })
  }
  throw new MalformedImage('no end of image')
}

function kindOf(marker: number, payload: Buffer): Pick<Segment, 'kind' | 'content'> {
  const known = KINDS.find(([of, name]) => of === marker && payload.toString('latin1', 0, name.length) === name)
  const isShort = known?.[2] === 'jfif' && payload.length < JFIF_BYTES
  if (known !== undefined && !isShort) return { kind: known[2], content: payload.subarray(known[1].length) }
  return { kind: marker >= 0xc0 && marker <= 0xdf ? 'picture' : 'other', content: payload }
}

/** Without the thumbnail that may follow the fields of a JFIF segment, and without anything after those of an Adobe one. */
function plainPayload({ kind, payload }: Segment): Buffer {
  if (kind === 'adobe') return payload.subarray(0, ADOBE_BYTES)
  if (kind !== 'jfif') return payload
  return Buffer.from(payload.subarray(0, JFIF_BYTES)).fill(0, JFIF_BYTES - 2)
}

function newSegments({ exif, xmp, iptc, profile }: NewParts): Buffer[] {
  const segment = (marker: number, name: string, content: Buffer) =>
    segmentWith(marker, Buffer.concat([Buffer.from(name, 'latin1'), content]))
  return [
    ...(exif ? [segment(APP1, EXIF, exif)] : []),
    ...(xmp ? [segment(APP1, XMP, xmp)] : []),
    ...(iptc ? [segment(APP13, PHOTOSHOP, photoshopWith(iptc))] : []),
    ...(profile ? profileParts(profile).map((part) => segment(APP2, PROFILE, part)) : []),
  ]
}

function segmentWith(marker: number, payload: Buffer): Buffer {
  if (payload.length > MAX_PAYLOAD_BYTES) throw new MalformedImage('more metadata than a segment holds')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}
