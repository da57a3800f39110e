import { expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../needs.ts'
import { compare } from '../pictures/compare-pixels.ts'
import type { Pixels } from '../pictures/programs.ts'
import { fieldsOf, run, scratch, withFields, written } from './metadata/judges.ts'
import { applied, encoded, judged } from './tasks.ts'

/** Strong colours and greys in large areas, whose numbers mean other colours in Adobe RGB. */
function patches(): Buffer {
  const [width, height] = [96, 64]
  const colours = ['c82828', '28b43c', '283cc8', '808080', 'e6c83c', '3cb4be'].map((hex) => Buffer.from(hex, 'hex'))
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at += 1) {
    const nth = Math.floor((at % width) / 32) + 3 * Math.floor(at / width / 32)
    for (const [channel, value] of colours[nth]!.entries()) pixels[at * 3 + channel] = value
  }
  return pixels
}
const raw = { width: 96, height: 64, channels: 3 } as const
const plain = (): Promise<Buffer> =>
  sharp(patches(), { raw }).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()

const WIDE = ['-EXIF:ColorSpace#=65535', '-EXIF:InteropIndex=R03']
const declared = (dir: string, picture: Buffer, fields = WIDE): Buffer =>
  withFields(dir, [['declared.jpg', picture]], fields)[0]![1]

/** What vips shows of a file by the profile in it, in sRGB. */
function shown(dir: string, name: string, bytes: Uint8Array): Pixels {
  const [from, to] = [written(dir, name, bytes), `${dir}/shown.png`]
  run('vips', ['icc_transform', from, to, 'srgb', '--embedded', '--intent', 'relative'])
  const data = run('convert', [to, '-depth', '8', 'rgb:-'])
  return { ...raw, data: new Uint8Array(data) }
}

/** Adobe RGB's numbers as sRGB's, by the definitions of both (IEC 61966-2-1; Adobe RGB (1998), 4.3). */
function wanted(): Pixels {
  const light = Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.199_218_75)
  const srgb = (share: number): number => {
    const clipped = Math.min(1, Math.max(0, share))
    return Math.round(255 * (clipped <= 0.003_130_8 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055))
  }
  const data = new Uint8Array(patches())
  for (let at = 0; at < data.length; at += 3) {
    const [r, g, b] = [light[data[at]!]!, light[data[at + 1]!]!, light[data[at + 2]!]!]
    // Both have the same white, and the same red and blue but for how much light that is.
    data[at] = srgb(1.398_28 * r - 0.398_28 * g)
    data[at + 1] = srgb(g)
    data[at + 2] = srgb(-0.042_94 * g + 1.042_94 * b)
  }
  return { ...raw, data }
}

const made95 = async (bytes: Buffer, format: 'webp' | 'avif') => (await encoded(bytes, { format, quality: 95 })).bytes

describeWith(programs('exiftool', 'vips', 'convert'))('Adobe RGB that only EXIF declares', () => {
  it('is shown as such by a program that knows profiles, from every result', async () => {
    const dir = scratch()
    const original = declared(dir, await plain())
    const made = await made95(original, 'webp')
    expect(compare(shown(dir, 'made.webp', made), wanted()).shift).toBeLessThan(2)
    // What it would look like without the profile: far off.
    expect(compare({ ...raw, data: new Uint8Array(patches()) }, wanted()).shift).toBeGreaterThan(6)
    const { icc } = await sharp(await made95(original, 'avif')).metadata()
    expect(icc?.equals((await sharp(made).metadata()).icc!)).toBe(true)

    const served = await plain()
    const verdict = await judged(served, original)
    expect(verdict).toMatchObject({ fits: true })
    const kept = Buffer.from((verdict as { bytes: Uint8Array }).bytes)
    expect(compare(shown(dir, 'kept.jpg', kept), wanted()).shift).toBeLessThan(2)
    const { bytes } = await applied(kept, original, 'keep-all')
    expect(fieldsOf(dir, 'kept.jpg', bytes)).toMatchObject({
      'ICC-header:ColorSpaceData': 'RGB ',
      'InteropIFD:InteropIndex': 'R03 - DCF option file (Adobe RGB)',
    })
  })

  it('is said no more of a file that the service converted to sRGB', async () => {
    const dir = scratch()
    const original = declared(dir, await plain())
    const converted = await sharp(Buffer.from(wanted().data), { raw }).jpeg({ quality: 95 }).toBuffer()
    expect(await judged(converted, original)).toMatchObject({ fits: true, bytes: null })
    for (const metadata of ['keep-all', 'keep-without-location'] as const) {
      const made = await applied(converted, original, metadata)
      const read = fieldsOf(dir, 'converted.jpg', made.bytes)
      expect(read).toMatchObject({ 'ExifIFD:ColorSpace': 'sRGB' })
      expect(read['InteropIFD:InteropIndex'] ?? '').not.toMatch(/R03/)
      expect((await sharp(made.bytes).metadata()).icc).toBeUndefined()
    }
  })

  it('is not taken from pictures that declare sRGB, or have a profile of their own', async () => {
    const dir = scratch()
    const plainFields = ['-EXIF:ColorSpace#=1', '-EXIF:InteropIndex=R98']
    for (const fields of [plainFields, ['-EXIF:ColorSpace#=65535']]) {
      const made = await made95(declared(dir, await plain(), fields), 'webp')
      expect((await sharp(made).metadata()).icc).toBeUndefined()
    }
    const p3 = await sharp(patches(), { raw }).withIccProfile('p3').jpeg().toBuffer()
    const own = (await sharp(p3).metadata()).icc!
    expect((await sharp(await made95(declared(dir, p3), 'webp')).metadata()).icc?.equals(own)).toBe(true)
  })
})
