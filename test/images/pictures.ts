import { crc32, deflateSync } from 'node:zlib'
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

/** Frames of different plain colours. */
export async function animation(format: 'gif' | 'webp', frames = 3): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    sharp({ create: { width: 32, height: 24, channels: 3, background: { r: index * 60, g: 90, b: 160 } } })
      .png()
      .toBuffer(),
  )
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
  return {
    'baseline.jpg': await noise(40, 30).jpeg().toBuffer(),
    'progressive.jpg': await noise(40, 30).jpeg({ progressive: true }).toBuffer(),
    'with-exif.jpg': await noise(40, 30)
      .withExif({ IFD0: { Copyright: 'Ann' } })
      .jpeg()
      .toBuffer(),
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
  const chunk = (name: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.from('00000000000000000800000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = deflateSync(Buffer.alloc(100_000))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

type ExifEntry = [tag: number, type: 2 | 3 | 4 | 5 | 7, count: number, value: Buffer]

/** An EXIF block as a camera writes it: author, rights, date, maker's notes, place; in one byte order or the other. */
export function exifBlock(orientation: number, order: 'II' | 'MM'): Buffer {
  const little = order === 'II'
  const u16 = (value: number): Buffer => Buffer.from(little ? [value & 255, value >> 8] : [value >> 8, value & 255])
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    if (little) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const text = (tag: number, value: string): ExifEntry => [tag, 2, value.length + 1, Buffer.from(`${value}\0`)]
  const folder = (start: number, entries: ExifEntry[]): Buffer => {
    let at = start + 2 + entries.length * 12 + 4
    const rows: Buffer[] = []
    const values: Buffer[] = []
    for (const [tag, type, count, value] of entries) {
      const inline = value.length <= 4
      rows.push(
        u16(tag),
        u16(type),
        u32(count),
        inline ? Buffer.concat([value, Buffer.alloc(4 - value.length)]) : u32(at),
      )
      if (inline) continue
      const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)])
      values.push(padded)
      at += padded.length
    }
    return Buffer.concat([u16(entries.length), ...rows, u32(0), ...values])
  }
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

/** Puts an EXIF block right behind the start of a JPEG. */
export function jpegWithExif(jpeg: Buffer, block: Buffer): Buffer {
  const marker = Buffer.from([0xff, 0xe1, 0, 0])
  marker.writeUInt16BE(block.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), marker, block, jpeg.subarray(2)])
}
