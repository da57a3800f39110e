import { beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../../src/main/images/decode-jpeg.ts'
import { encode, EOI, inspect, marker, scanOf, wholeJpegs } from './whole-jpegs.ts'

let bases: Awaited<ReturnType<typeof wholeJpegs>>
beforeAll(async () => {
  bases = await wholeJpegs()
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
    const damaged = cutWithEnd(bases.baseline, 0.5)
    expect(await inspect(damaged, true)).toMatchObject({ ok: true, width: 160, height: 120 })
    expect(await encode(damaged)).toMatchObject({ ok: false, reason: 'damaged' })
  })

  it('is refused when scans of a progressive one were never written', async () => {
    for (const share of [0.4, 0.6, 0.8])
      expect(await inspect(zeroedFrom(bases.progressive, share)), String(share)).toMatchObject({ ok: false })
  })
})

it('linesOf gives each line once, without the part of the library', () => {
  expect(linesOf(new Error('VipsJpeg: bad\nVipsJpeg: bad\njpegload_buffer: worse\n'))).toEqual(['bad', 'worse'])
})
