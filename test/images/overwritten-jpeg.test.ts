import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import sharp, { type JpegOptions } from 'sharp'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { hasLeftOverScan } from '../../src/main/images/left-over-scan.ts'
import type { ImageFailure } from '../../src/main/core/picture-tasks.ts'
import { itWith, programs } from '../needs.ts'
import { fileOf, judge } from './judges.ts'
import { seededRandom } from './pictures.ts'
import { encode, inspect, marker, scanOf } from './whole-jpegs.ts'

/* A part of the coded pixels was overwritten, as by a bad card: the rest decodes to fewer pixels than it was, and nothing says so. */

const [WIDTH, HEIGHT] = [640, 480]

/** A smooth picture whose lower half has more noise. */
function jpeg(noise: number, options: JpegOptions): Promise<Buffer> {
  const random = seededRandom(7)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)]
    const smooth = 120 + 60 * Math.sin(x / 37) * Math.cos(y / 23)
    pixels[at] = Math.max(0, Math.min(255, smooth + random() * (y > HEIGHT / 2 ? noise * 3 : noise)))
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg(options)
    .toBuffer()
}

function overwritten(whole: Buffer, from: number, share: number, byte: number): Buffer {
  const scan = scanOf(whole)
  const length = whole.length - scan
  return Buffer.from(whole).fill(
    byte,
    scan + 14 + Math.floor(length * from),
    scan + 14 + Math.floor(length * (from + share)),
  )
}

const KINDS: [string, number, JpegOptions][] = [
  ['smooth', 4, { quality: 85 }],
  ['4:4:4', 30, { quality: 95, chromaSubsampling: '4:4:4', optimizeCoding: false }],
]

describe.each(KINDS)('a JPEG (%s)', (_kind, noise, options) => {
  itWith(programs('djpeg'))('of which a part was overwritten is refused where djpeg finds much left over', async () => {
    const whole = await jpeg(noise, options)
    // Two rows of blocks and what may be padding.
    const much = 64 + (4 * 8 * whole.length) / HEIGHT
    let found = 0
    for (const byte of [0xaa, 0x55, 0x00, 0xf0])
      for (const from of [0.1, 0.3, 0.5]) {
        const wreck = overwritten(whole, from, 0.4, byte)
        const { words } = judge('djpeg', ['-outfile', '/dev/null', fileOf('wreck.jpg', wreck)])
        const left = Number(/(\d+) extraneous bytes before marker 0xd9/.exec(words)?.[1] ?? 0)
        if (left < much) continue
        found += 1
        const refusal = (await inspect(wreck)) as ImageFailure
        expect(refusal, `${byte} from ${from}: ${left}`).toMatchObject({ ok: false, reason: 'damaged' })
        expect(englishText(refusal.detail)).toContain('was overwritten')
        expect(await encode(wreck)).toEqual(refusal)
      }
    expect(found).toBeGreaterThan(2)
  })

  it('is taken whole, in any height, with padding, and with other data behind its end', async () => {
    const whole = await jpeg(noise, options)
    const end = whole.subarray(-2)
    for (const taken of [
      whole,
      Buffer.concat([whole.subarray(0, -2), Buffer.alloc(60), end]),
      Buffer.concat([whole, Buffer.alloc(5000, 1)]),
      await sharp(whole).resize(333, 97, { fit: 'fill' }).jpeg(options).toBuffer(),
      await sharp(whole).resize(7, 5, { fit: 'fill' }).jpeg(options).toBuffer(),
      await sharp(whole).greyscale().jpeg(options).toBuffer(),
    ])
      expect(await inspect(taken)).toMatchObject({ ok: true })
  })
})

/* A head that claims fewer rows than are coded leaves them over in every kind of coding. */

/** As if the picture ended this many rows of pixels earlier. */
function claimingLess(whole: Buffer, rows: number): Buffer {
  const bytes = Buffer.from(whole)
  const frame = bytes.indexOf(marker(0xc0))
  bytes.writeUInt16BE(bytes.readUInt16BE(frame + 5) - rows, frame + 5)
  return bytes
}

const CODINGS: [string, (options: JpegOptions) => Promise<Buffer>][] = [
  ['4:2:0', (options) => jpeg(9, { ...options, chromaSubsampling: '4:2:0' })],
  ['4:4:4', (options) => jpeg(9, { ...options, chromaSubsampling: '4:4:4' })],
  [
    'grey',
    async (options) =>
      sharp(await jpeg(9, options))
        .greyscale()
        .jpeg(options)
        .toBuffer(),
  ],
]

describe.each(CODINGS)('the coded pixels of a JPEG (%s)', (_coding, make) => {
  it('are left over where its head claims a row of blocks less', async () => {
    for (const options of [
      { quality: 100, optimizeCoding: false },
      { quality: 60, optimizeCoding: true },
    ]) {
      const whole = await make(options)
      expect(hasLeftOverScan(whole)).toBe(false)
      expect(hasLeftOverScan(claimingLess(whole, 16))).toBe(true)
    }
  })

  it('are not counted where the head makes no sense', async () => {
    const whole = await make({ quality: 85 })
    const frame = whole.indexOf(marker(0xc0))
    for (const [offset, length] of [
      [5, 2],
      [7, 2],
      [11, 1],
      [14, 1],
      [17, 1],
    ] as const)
      expect(hasLeftOverScan(Buffer.from(whole).fill(0, frame + offset, frame + offset + length))).toBe(false)
    for (const table of [0xc4, 0xda]) {
      const at = whole.indexOf(marker(table))
      hasLeftOverScan(Buffer.from(whole).fill(0xff, at + 4, at + 24))
      expect(hasLeftOverScan(whole.subarray(0, at + 6))).toBe(false)
    }
  })

  itWith(programs('jpegtran'))('are counted by their restart markers where there are any', async () => {
    const whole = await make({ quality: 85 })
    for (const interval of ['1', '7B', '4000B']) {
      const { stdout } = spawnSync('jpegtran', ['-restart', interval], { input: whole })
      expect(hasLeftOverScan(stdout), interval).toBe(false)
      expect(hasLeftOverScan(claimingLess(stdout, 16)), interval).toBe(true)
    }
  })
})
