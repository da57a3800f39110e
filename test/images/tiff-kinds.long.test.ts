import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { describeWith, programs } from '../needs.ts'
import { fileOf, judge } from './judges.ts'
import { inspect, SMALL as limits } from './tasks.ts'
import { DEFLATE, tiffOf, type TiffKind } from './tiff-writer.ts'

const [PALETTE, RGB, CMYK, YCBCR] = [3, 2, 5, 6]
const COLOURS: Record<number, number> = { 0: 1, 1: 1, [RGB]: 3, [PALETTE]: 1, [CMYK]: 4, [YCBCR]: 3 }
const COMPRESSIONS = [1, DEFLATE] as const
const SUBSAMPLINGS = [1, 2, 4].flatMap((across) => [1, 2, 4].map((down) => [across, down] as const))

/** Every colour model with every number of bits, with and without one sample more, and in every layout; the plainest also compressed. */
function* everyKind(): Generator<TiffKind> {
  for (const [photometric, colours] of [0, 1, RGB, PALETTE, CMYK, YCBCR].map((of) => [of, COLOURS[of]!] as const))
    for (const samples of [colours, colours + 1])
      for (const bits of [1, 2, 4, 8, 16])
        for (const planes of [1, 2] as const)
          for (const isTiled of [false, true])
            for (const compression of bits === 8 && planes === 1 && !isTiled && samples === colours
              ? COMPRESSIONS
              : [1 as const])
              for (const subsampling of photometric === YCBCR && bits === 8 ? SUBSAMPLINGS : [undefined])
                yield { photometric, bits, samples, planes, isTiled, compression, ...(subsampling && { subsampling }) }
}

const rgbOf = (image: Buffer): Promise<Buffer> => sharp(image).flatten({ background: '#000' }).raw().toBuffer()

async function sent(bytes: Buffer): Promise<Buffer> {
  const copy = await doImageTask({ kind: 'shrink', bytes, limits, type: 'png', maxBytes: 1_000_000 })
  return rgbOf(Buffer.from(copy.ok ? copy.bytes : []))
}

/** As other programs show it, each where it is right: ImageMagick errs with 2 and 4 bits, libtiff with transparent greys and palettes of 16. Ink is compared with the plainest TIFF of it. */
async function judged(bytes: Buffer, { photometric, samples }: TiffKind): Promise<Buffer> {
  const path = fileOf('kind.tif', bytes)
  const convert = (...args: string[]): Buffer => judge('convert', [path, '-depth', '8', ...args]).out
  if (photometric === CMYK) return sent(convert('-compress', 'none', 'tif:-'))
  if ((photometric <= 1 && samples === 2) || photometric === PALETTE)
    return convert('-background', 'black', '-alpha', 'remove', '-alpha', 'off', 'rgb:-')
  const made = fileOf('rgb.tif', bytes)
  judge('tiff2rgba', ['-n', '-c', 'none', path, made])
  return rgbOf(readFileSync(made))
}

/** The greatest of the mean differences of red, green and blue, of 1. */
function difference(one: Buffer, other: Buffer): number {
  const sums = [0, 0, 0]
  for (const [at, value] of one.entries()) sums[at % 3]! += Math.abs(value - other[at]!)
  return Math.max(...sums) / (one.length / 3) / 255
}

async function expectSameLook(bytes: Buffer, kind: TiffKind, name: string): Promise<void> {
  const [one, other] = [await sent(bytes), await judged(bytes, kind)]
  expect(one.length, name).toBe(other.length)
  expect(difference(one, other), name).toBeLessThanOrEqual(0.02)
}

const FAX = ['g3', 'g3:2d', 'g4']
const PLAIN = ['lzw', 'packbits']
const COPIES: [photometric: number, samples: number, bits: number, codecs: string[]][] = [
  [0, 1, 1, FAX],
  [1, 1, 1, FAX],
  [PALETTE, 1, 1, FAX],
  [0, 1, 8, ['jpeg', ...PLAIN]],
  [1, 1, 8, ['jpeg', ...PLAIN]],
  [PALETTE, 1, 8, PLAIN],
  // As YCbCr, and as RGB.
  [RGB, 3, 8, ['jpeg', 'jpeg:r', 'webp:100', ...PLAIN]],
  [RGB, 4, 8, ['jpeg:r', 'webp:100']],
  [CMYK, 4, 8, ['jpeg', ...PLAIN]],
]

describeWith(programs('convert', 'tiff2rgba'))('a TIFF of any kind', () => {
  it('is sent as other programs show it, or is refused by one of its fields', async () => {
    const counts = { taken: 0, refused: 0 }
    for (const kind of everyKind()) {
      const [bytes, name] = [tiffOf(kind), JSON.stringify(kind)]
      const answer = await inspect(bytes)
      if (answer.ok) await expectSameLook(bytes, kind, name)
      else expect(answer, name).toMatchObject({ reason: 'unsupported', detail: { code: 'tiff_kind' } })
      counts[answer.ok ? 'taken' : 'refused'] += 1
    }
    expect(counts).toEqual({ taken: 82, refused: 236 })
  })

  it('is sent as other programs show it when it is compressed in other ways', async () => {
    for (const [photometric, samples, bits, codecs] of COPIES)
      for (const codec of codecs) {
        const kind = { photometric, samples, bits }
        const copy = fileOf('copy.tif', Buffer.alloc(0))
        judge('tiffcp', ['-c', codec, fileOf('kind.tif', tiffOf(kind)), copy])
        const [bytes, name] = [readFileSync(copy), `${JSON.stringify(kind)} ${codec}`]
        expect(await inspect(bytes), name).toMatchObject({ ok: true })
        await expectSameLook(bytes, kind, name)
      }
  })
})
