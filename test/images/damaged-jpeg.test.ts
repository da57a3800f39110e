import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { seededRandom, withSegment } from './pictures.ts'
import { inspect, SMALL as limits } from './tasks.ts'

const encode = (bytes: Buffer) =>
  doImageTask({ kind: 'encode', bytes, limits, options: { format: 'webp', quality: 80, metadata: 'keep-all' } })

const EOI = Buffer.from([0xff, 0xd9])
const marker = (code: number): Buffer => Buffer.from([0xff, code])
/** Where its pixels begin. */
const scanOf = (jpeg: Buffer): number => jpeg.indexOf(marker(0xda))

/** Whole ones of each kind, to be damaged. */
const bases: Record<string, Buffer> = {}
beforeAll(async () => {
  const random = seededRandom(3)
  const cells = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => Math.floor(random() * 256)))
  const picture = () => sharp(cells, { raw: { width: 40, height: 30, channels: 3 } }).resize(160, 120)
  /** As most programs begin a JPEG. */
  const JFIF = Buffer.from('4a46494600010100000100010000', 'hex')
  const jfif = (jpeg: Buffer): Buffer => withSegment(jpeg, 0xe0, JFIF)
  bases['baseline'] = jfif(await picture().jpeg({ quality: 85 }).toBuffer())
  bases['progressive'] = jfif(await picture().jpeg({ quality: 85, progressive: true }).toBuffer())
  bases['grey'] = jfif(await picture().greyscale().jpeg().toBuffer())
})

const insert = (jpeg: Buffer, at: number, bytes: number[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, at), Buffer.from(bytes), jpeg.subarray(at)])
const inHead = (jpeg: Buffer, ...bytes: number[]): Buffer => insert(jpeg, jpeg.indexOf(marker(0xdb)), bytes)
function without(jpeg: Buffer, code: number): Buffer {
  const at = jpeg.indexOf(marker(code))
  return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2 + jpeg.readUInt16BE(at + 2))])
}
function withSize(jpeg: Buffer, offset: 5 | 7, value: number): Buffer {
  const changed = Buffer.from(jpeg)
  const frame = Math.max(jpeg.indexOf(marker(0xc0)), jpeg.indexOf(marker(0xc2)))
  changed.writeUInt16BE(value, frame + offset)
  return changed
}
function cutWithEnd(jpeg: Buffer, share: number): Buffer {
  const scan = scanOf(jpeg)
  return Buffer.concat([jpeg.subarray(0, scan + Math.floor((jpeg.length - scan) * share)), EOI])
}
function withoutMiddle(jpeg: Buffer): Buffer {
  const from = scanOf(jpeg) + 500
  return Buffer.concat([jpeg.subarray(0, from), jpeg.subarray(from + 2500)])
}
function zeroedFrom(jpeg: Buffer, share: number): Buffer {
  const scan = scanOf(jpeg)
  return Buffer.from(jpeg).fill(0, scan + Math.floor((jpeg.length - scan) * share), jpeg.length - 2)
}

describe('a JPEG that is whole', () => {
  it.each<[what: string, change: (jpeg: Buffer) => Buffer]>([
    ['as it is', (jpeg) => jpeg],
    ['with stray bytes between segments of its head', (jpeg) => inHead(jpeg, 1, 2)],
    ['with stray bytes and an odd version', (jpeg) => inHead(withVersion(jpeg, 9), 0, 0, 7)],
    ['with fill bytes before a segment', (jpeg) => inHead(jpeg, 0xff, 0xff, 0xff)],
    ['with an odd JFIF version', (jpeg) => withVersion(jpeg, 9)],
    ['padded with zeros before its end', (jpeg) => insert(jpeg, jpeg.length - 2, [0, 0, 0, 0])],
    ['padded with more zeros before its end', (jpeg) => insert(jpeg, jpeg.length - 2, Array<number>(20).fill(0))],
    ['padded with fill bytes before its end', (jpeg) => insert(jpeg, jpeg.length - 2, [0xff, 0xff])],
  ])('is taken %s', async (_what, change) => {
    for (const [name, jpeg] of Object.entries(bases)) {
      expect(await inspect(change(jpeg)), name).toMatchObject({ ok: true })
      expect(await encode(change(jpeg)), name).toMatchObject({ ok: true, width: 160, height: 120 })
    }
  })

  const withVersion = (jpeg: Buffer, version: number): Buffer => {
    const changed = Buffer.from(jpeg)
    changed[jpeg.indexOf('JFIF\0') + 5] = version
    return changed
  }
})

describe('a JPEG that is damaged', () => {
  it.each<[what: string, change: (jpeg: Buffer) => Buffer]>([
    ...[0.3, 0.5, 0.7, 0.9, 0.98].map((share): [string, (jpeg: Buffer) => Buffer] => [
      `cut off at ${share} with an end put behind it`,
      (jpeg) => cutWithEnd(jpeg, share),
    ]),
    ['that lost thousands of bytes in the middle', withoutMiddle],
    ['whose code tables are missing', (jpeg) => without(jpeg, 0xc4)],
    ['whose quantization is missing', (jpeg) => without(jpeg, 0xdb)],
    ['that is taller in its head than in its pixels', (jpeg) => withSize(jpeg, 5, 200)],
    ['that is wider in its head than in its pixels', (jpeg) => withSize(jpeg, 7, 200)],
  ])('is refused: %s', async (_what, change) => {
    for (const [name, jpeg] of Object.entries(bases)) {
      const refusal = await inspect(change(jpeg))
      expect(refusal, name).toMatchObject({ ok: false })
      expect(await encode(change(jpeg)), name).toEqual(refusal)
    }
  })

  it('is found when it is encoded, if its pixels were left to that', async () => {
    const damaged = cutWithEnd(bases['baseline']!, 0.5)
    const unlooked = await doImageTask({ kind: 'inspect', bytes: damaged, limits, leavesJpegPixels: true })
    expect(unlooked).toMatchObject({ ok: true, width: 160, height: 120 })
    expect(await encode(damaged)).toMatchObject({ ok: false, reason: 'damaged' })
  })

  it('is refused when scans of a progressive one were never written', async () => {
    for (const share of [0.4, 0.6, 0.8])
      expect(await inspect(zeroedFrom(bases['progressive']!, share)), String(share)).toMatchObject({ ok: false })
  })
})
