import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { pngChunks, pngOf } from '../../src/main/images/png-chunks.ts'

/** Numbers in [0, 1) that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Noise does not compress, so a cut always loses something that is seen. */
export function noise(width: number, height: number, seed = 1): Sharp {
  const random = seededRandom(seed)
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** One colour everywhere. */
export const flat = (width: number, height: number, background: string | { r: number; g: number; b: number }): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

export const asPng = (image: Sharp): Promise<Buffer> => image.png().toBuffer()

/** Frames of different plain colours. */
export async function animation(format: 'gif' | 'webp', frames = 3): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) => asPng(flat(32, 24, { r: index * 60, g: 90, b: 160 })))
  const joined = sharp(await Promise.all(pictures), { join: { animated: true } })
  return format === 'gif' ? joined.gif().toBuffer() : joined.webp().toBuffer()
}

/** A PNG that announces this many frames; only the first is there. */
export async function animatedPng(frames: number): Promise<Buffer> {
  const [header, ...rest] = [...pngChunks(await noise(40, 30).png().toBuffer())]
  return pngOf([header!, { name: 'acTL', data: Buffer.from([0, 0, 0, frames, 0, 0, 0, 0]) }, ...rest])
}

/** One small picture of each kind that the decoders treat differently. */
export async function pictureCorpus(): Promise<Record<string, Buffer>> {
  const credited = noise(40, 30).withExif({ IFD0: { Copyright: 'Ann' } })
  return {
    'baseline.jpg': await noise(40, 30).jpeg().toBuffer(),
    'progressive.jpg': await noise(40, 30).jpeg({ progressive: true }).toBuffer(),
    'with-exif.jpg': await credited.jpeg().toBuffer(),
    'plain.png': await noise(40, 30).png().toBuffer(),
    'interlaced.png': await noise(40, 30).png({ progressive: true }).toBuffer(),
    'palette.png': await noise(40, 30).png({ palette: true }).toBuffer(),
    'still.gif': await noise(40, 30).gif().toBuffer(),
    'moving.gif': await animation('gif'),
    'lossy.webp': await noise(40, 30).webp().toBuffer(),
    'lossless.webp': await noise(40, 30).webp({ lossless: true }).toBuffer(),
    'moving.webp': await animation('webp'),
    'still.avif': await noise(40, 30).avif().toBuffer(),
  }
}

/** A PNG of a few bytes that claims to be as large as told. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.from('00000000000000000800000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const data = deflateSync(Buffer.alloc(100_000))
  const end = { name: 'IEND', data: Buffer.alloc(0) }
  return pngOf([{ name: 'IHDR', data: header }, { name: 'IDAT', data }, end])
}
type ExifEntry = readonly [tag: number, type: number, count: number, value: Buffer]
type ByteOrder = 'II' | 'MM'

const numbersIn = (order: ByteOrder) => {
  const number = (sizeBytes: number) => (value: number) => {
    const bytes = Buffer.alloc(sizeBytes)
    if (order === 'II') bytes.writeUIntLE(value, 0, sizeBytes)
    else bytes.writeUIntBE(value, 0, sizeBytes)
    return bytes
  }
  return { u16: number(2), u32: number(4) }
}

/** A directory at this offset of an EXIF block, and behind it the values that are too long for it. */
export function exifDirectory(start: number, entries: readonly ExifEntry[], order: ByteOrder = 'II'): Buffer {
  const { u16, u32 } = numbersIn(order)
  let at = start + 2 + entries.length * 12 + 4
  const rows: Buffer[] = []
  const values: Buffer[] = []
  for (const [tag, type, count, value] of entries) {
    const isInline = value.length <= 4
    rows.push(u16(tag), u16(type), u32(count))
    rows.push(isInline ? Buffer.concat([value, Buffer.alloc(4 - value.length)]) : u32(at))
    if (isInline) continue
    const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)])
    values.push(padded)
    at += padded.length
  }
  return Buffer.concat([u16(entries.length), ...rows, u32(0), ...values])
}

/** An EXIF block of these parts, the first of which begins at its eighth byte; numbers begin with their lowest byte. */
export const exifOf = (...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'), ...parts])

/** An EXIF block as a camera writes it: author, rights, date, maker's notes, place; in one byte order or the other. */
export function exifBlock(orientation: number, order: ByteOrder): Buffer {
  const { u16, u32 } = numbersIn(order)
  const text = (tag: number, value: string): ExifEntry => [tag, 2, value.length + 1, Buffer.from(`${value}\0`)]
  const folder = (start: number, entries: ExifEntry[]): Buffer => exifDirectory(start, entries, order)
  const exif = folder(1000, [text(0x9003, '2026:05:01 10:00:00'), [0x927c, 7, 12, Buffer.from('secret place')]])
  const gps = folder(2000, [
    text(0x0001, 'N'),
    [0x0002, 5, 3, Buffer.concat([u32(51), u32(1), u32(30), u32(1), u32(1_234_567), u32(1000)])],
    [0x001c, 7, 19, Buffer.from('ASCII\0\0\0Canary Hill')],
  ])
  const main = folder(8, [
    [0x0112, 3, 1, u16(orientation)],
    text(0x013b, 'Ann Lee'),
    text(0x8298, 'Rights of Ann'),
    [0x8769, 4, 1, u32(1000)],
    [0x8825, 4, 1, u32(2000)],
  ])
  const block = Buffer.alloc(2000 + gps.length)
  Buffer.concat([Buffer.from(order), u16(42), u32(8)]).copy(block)
  main.copy(block, 8)
  exif.copy(block, 1000)
  gps.copy(block, 2000)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
}

/** Puts a segment right behind the start of a JPEG. */
export function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

export const jpegWithExif = (jpeg: Buffer, block: Buffer): Buffer => withSegment(jpeg, 0xe1, block)

/** An XMP packet whose one description has these attributes, namespaces among them, and this content. */
export const xmpPacket = (attributes: string, content = ''): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`

/** A JPEG with this packet, in Latin-1. */
export const withXmp = (jpeg: Buffer, packet: string): Buffer =>
  withSegment(jpeg, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, 'latin1'))
