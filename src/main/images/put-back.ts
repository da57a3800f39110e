import { deflateSync } from 'node:zlib'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { withWebpProfile } from './edit-webp.ts'
import { MalformedImage } from './metadata/container.ts'
import { withIndexFitted } from './metadata/jpeg.ts'
import { PNG_SIGNATURE_BYTES, pngChunks, pngOf } from './png-chunks.ts'

/** What a file is given back that its service dropped. The coded pixels stay byte for byte. Both throw `MalformedImage`. */

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1')
/** Of a segment: its length has two bytes, and includes them. */
const MAX_PAYLOAD_BYTES = 65_533
const [APP0, APP1, APP2, START_OF_SCAN] = [0xe0, 0xe1, 0xe2, 0xda]

/** A JPEG or PNG with this EXIF orientation, and the rest of its EXIF as it was. */
export function withOrientation(bytes: Buffer, type: ImageType, orientation: number): Buffer {
  if (type === 'jpeg') {
    const { head, scan } = headOf(bytes)
    const isExif = ({ marker, payload }: Segment): boolean => marker === APP1 && begins(payload, EXIF)
    const block = head.find(isExif)?.payload.subarray(EXIF.length) ?? null
    const exif = Buffer.concat([EXIF, exifTurned(block, orientation)])
    const others = head.filter((segment) => !isExif(segment))
    return withIndexFitted(bytes, jpegOf(afterJfif(others, [{ marker: APP1, payload: exif }]), scan))
  }
  if (type === 'png') {
    const chunks = wholePng(bytes)
    const block = chunks.find(({ name }) => name === 'eXIf')?.data ?? null
    return withChunk(chunks, { name: 'eXIf', data: exifTurned(block, orientation) }, ['eXIf'])
  }
  throw new MalformedImage('a type without orientation')
}

/** A JPEG, PNG or WebP with this colour profile in place of its own. */
export function withProfile(
  bytes: Buffer,
  type: ImageType,
  profile: Buffer,
  size: { width: number; height: number },
): Buffer {
  switch (type) {
    case 'jpeg': {
      const { head, scan } = headOf(bytes)
      const others = head.filter(({ marker, payload }) => !(marker === APP2 && begins(payload, ICC)))
      return withIndexFitted(bytes, jpegOf(afterJfif(others, profileSegments(profile)), scan))
    }
    case 'png': {
      const data = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])
      return withChunk(wholePng(bytes), { name: 'iCCP', data }, ['iCCP', 'sRGB'])
    }
    case 'webp':
      if (hasWebpProfile(bytes)) throw new MalformedImage('a profile of its own')
      return withWebpProfile(bytes, size, profile)
    default:
      throw new MalformedImage('a type without profiles')
  }
}

interface Segment {
  marker: number
  payload: Buffer
}

/** The segments before the first scan, and everything from there on. */
function headOf(bytes: Buffer): { head: Segment[]; scan: Buffer } {
  const head: Segment[] = []
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw new MalformedImage('no marker')
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === START_OF_SCAN) return { head, scan: bytes.subarray(at) }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) throw new MalformedImage('a segment past the end')
    head.push({ marker, payload: bytes.subarray(at + 4, end) })
    at = end
  }
  throw new MalformedImage('no scan')
}

/** JFIF has to be the first segment. */
function afterJfif(segments: Segment[], added: Segment[]): Segment[] {
  const first = segments[0]?.marker === APP0 ? 1 : 0
  return [...segments.slice(0, first), ...added, ...segments.slice(first)]
}

function jpegOf(head: Segment[], scan: Buffer): Buffer {
  const parts = head.flatMap(({ marker, payload }) => {
    if (payload.length > MAX_PAYLOAD_BYTES) throw new MalformedImage('more than a segment holds')
    const start = Buffer.from([0xff, marker, 0, 0])
    start.writeUInt16BE(payload.length + 2, 2)
    return [start, payload]
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, scan])
}

/** In parts, each with its number and how many there are (ICC.1:2022, B.4). */
function profileSegments(profile: Buffer): Segment[] {
  const room = MAX_PAYLOAD_BYTES - ICC.length - 2
  const count = Math.ceil(profile.length / room)
  if (count > 255) throw new MalformedImage('a profile without end')
  return Array.from({ length: count }, (_, n) => ({
    marker: APP2,
    payload: Buffer.concat([ICC, Buffer.from([n + 1, count]), profile.subarray(n * room, (n + 1) * room)]),
  }))
}

type Chunk = Parameters<typeof pngOf>[0] extends Iterable<infer One> ? One : never

function wholePng(bytes: Buffer): Chunk[] {
  const chunks = [...pngChunks(bytes)]
  const length = chunks.reduce((sum, { data }) => sum + data.length + 12, PNG_SIGNATURE_BYTES)
  if (length !== bytes.length) throw new MalformedImage('more than chunks')
  return chunks
}

/** The header is always the first chunk, and whatever describes the pixels stands between it and them. */
function withChunk(chunks: Chunk[], added: Chunk, replaces: readonly string[]): Buffer {
  const [header, ...others] = chunks.filter(({ name }) => !replaces.includes(name))
  return pngOf([header!, added, ...others])
}

function hasWebpProfile(bytes: Buffer): boolean {
  return bytes.toString('latin1', 12, 16) === 'VP8X' && (bytes[20]! & 0x20) !== 0
}

function begins(payload: Buffer, prefix: Buffer): boolean {
  return payload.subarray(0, prefix.length).equals(prefix)
}

const ORIENTATION = 0x0112
const ENTRY_BYTES = 12

/**
 * A TIFF block with this orientation. Its main directory is written again behind the rest, to which all its entries still point.
 */
function exifTurned(block: Buffer | null, orientation: number): Buffer {
  const given = block !== null && isTiff(block) ? block : Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')
  const isLittle = given[0] === 0x49
  const read = (at: number, bytes: 2 | 4): number =>
    isLittle ? given.readUIntLE(at, bytes) : given.readUIntBE(at, bytes)
  const write = (value: number, bytes: 2 | 4): Buffer => {
    const made = Buffer.alloc(bytes)
    if (isLittle) made.writeUIntLE(value, 0, bytes)
    else made.writeUIntBE(value, 0, bytes)
    return made
  }
  try {
    const at = read(4, 4)
    const count = read(at, 2)
    const entries = Array.from({ length: count }, (_, n) => {
      const start = at + 2 + n * ENTRY_BYTES
      if (start + ENTRY_BYTES > given.length) throw new MalformedImage('an entry past the end')
      return { tag: read(start, 2), entry: given.subarray(start, start + ENTRY_BYTES) }
    })
    const next = at + 2 + count * ENTRY_BYTES
    const linked = next + 4 <= given.length ? given.subarray(next, next + 4) : Buffer.alloc(4)
    // A SHORT is followed by two bytes that mean nothing.
    const entry = Buffer.concat([
      write(ORIENTATION, 2),
      write(3, 2),
      write(1, 4),
      write(orientation, 2),
      Buffer.alloc(2),
    ])
    const all = [...entries.filter(({ tag }) => tag !== ORIENTATION), { tag: ORIENTATION, entry }]
    all.sort((one, other) => one.tag - other.tag)
    const padded = given.length & 1 ? Buffer.concat([given, Buffer.alloc(1)]) : given
    const folder = Buffer.concat([write(all.length, 2), ...all.map((one) => one.entry), linked])
    return Buffer.concat([padded.subarray(0, 4), write(padded.length, 4), padded.subarray(8), folder])
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedImage('offsets past the end')
    throw error
  }
}

function isTiff(block: Buffer): boolean {
  const order = block.toString('latin1', 0, 4)
  return block.length >= 14 && (order === 'II*\0' || order === 'MM\0*')
}
