import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { MetadataPolicy } from '../../src/shared/recipes/recipe.ts'
import { heicMemory } from '../../src/main/images/decode-heic.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { describeWith, itWith, programs } from '../needs.ts'
import { liveJpeg } from './extra-pictures.ts'
import { heicOf, quarters, quartersIn, turnedHeic, withMainPicture } from './heic-pictures.ts'
import { fieldsOf, scratch, withFields } from './metadata/judges.ts'
import { encoded, inspect, LIMITS } from './tasks.ts'

const LIBHEIF = programs('heif-enc')

const webp = async (bytes: Buffer, metadata: MetadataPolicy = 'keep-without-location'): Promise<Buffer> =>
  (await encoded(bytes, { quality: 90, metadata })).bytes
const jpeg = () => quarters(160, 120).jpeg({ quality: 95 }).toBuffer()

describeWith(LIBHEIF)('a HEIC', () => {
  it.each([
    [0, [160, 120], ['red', 'green', 'blue', 'grey']],
    [1, [120, 160], ['green', 'grey', 'red', 'blue']],
    [2, [160, 120], ['grey', 'blue', 'green', 'red']],
    [3, [120, 160], ['blue', 'red', 'grey', 'green']],
  ] as const)('is upright exactly once, turned by %i quarters by its boxes', async (turns, size, colours) => {
    // What EXIF calls the same turn, which cameras write besides.
    const orientation = [1, 8, 3, 6][turns]!
    const plain = heicOf([await quarters(160, 120).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()])
    const bytes = turns === 0 ? plain : turnedHeic(plain, turns)
    expect(await inspect(bytes)).toMatchObject({ ok: true, type: 'heic', width: size[0], height: size[1] })
    const copies = [
      await doImageTask({ kind: 'shrink', bytes, limits: LIMITS, type: 'jpeg', maxBytes: 1e6 }),
      await doImageTask({ kind: 'thumbnail', bytes, limits: LIMITS, px: 1000 }),
    ]
    const made = copies.map((one) => (one.ok ? Buffer.from(one.bytes) : Buffer.alloc(0)))
    for (const result of [await webp(bytes), ...made]) {
      const { width, height, orientation: told = 1 } = await sharp(result).metadata()
      expect([width, height, told]).toEqual([...size, 1])
      expect(await quartersIn(result)).toEqual(colours)
    }
  })

  it('is its main picture, whichever of several that is', async () => {
    const both = heicOf([await jpeg(), await quarters(200, 80).png().toBuffer()])
    const sizes = [{ width: 160, height: 120 } as const, { width: 200, height: 80 } as const]
    for (const [nth, size] of sizes.entries()) {
      const seen = await inspect(withMainPicture(both, nth))
      expect(seen).toMatchObject({ ok: true, ...size, extras: ['other_views'] })
    }
  })

  it('keeps its profile and its transparency, and 10 bits become 8', async () => {
    const wide = await webp(heicOf([await quarters(160, 120).withIccProfile('p3').jpeg().toBuffer()]))
    const { icc } = await sharp(wide).metadata()
    expect(icc?.includes(Buffer.from('P\u00003', 'latin1')) || icc?.includes('P3', 0, 'latin1')).toBe(true)
    const glass = heicOf([await quarters(160, 120, 60).png().toBuffer()])
    expect(await inspect(glass)).toMatchObject({ ok: true, transparent: true })
    const { data } = await sharp(await webp(glass))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(Math.abs(data[3]! - 60)).toBeLessThan(3)
    expect(await inspect(heicOf([await jpeg()]))).toMatchObject({ ok: true, transparent: false })
    const deep = heicOf([await quarters(160, 120).toColourspace('rgb16').png().toBuffer()], ['-b', '10'])
    expect(await quartersIn(await webp(deep))).toEqual(['red', 'green', 'blue', 'grey'])
    const grey = heicOf([await quarters(160, 120).greyscale().png().toBuffer()])
    expect(await inspect(grey)).toMatchObject({ ok: true, width: 160 })
  })

  it('says what of it no result has', async () => {
    const glass = heicOf([await quarters(160, 120, 60).png().toBuffer()])
    const extras = async (bytes: Buffer) => (await inspect(bytes)) as { extras?: string[] }
    expect((await extras(glass)).extras).toEqual([])
    // Its second picture says how far away things are, instead of what lies behind them.
    const auxiliary = glass.indexOf('auxid:1', 0, 'latin1') + 6
    const deep = Buffer.from(glass)
    deep[auxiliary] = '2'.charCodeAt(0)
    expect((await extras(deep)).extras).toEqual(['depth'])
    expect((await extras(heicOf([await liveJpeg()]))).extras).toEqual(['live_photo'])
    const video = Buffer.from('\0\0\0\x10mpvdvideo...', 'latin1')
    expect((await extras(Buffer.concat([glass, video]))).extras).toEqual(['motion'])
    expect((await extras(Buffer.concat([glass, Buffer.from('---------- behind it')]))).extras).toEqual(['other_data'])
  })

  itWith(programs('exiftool'))('has its metadata in the results by each policy', async () => {
    const dir = scratch()
    const turned = heicOf([await quarters(160, 120).withMetadata({ orientation: 6 }).jpeg().toBuffer()])
    const fields = [
      '-IFD0:Artist=Ann Lee',
      '-IFD0:Make=Apple',
      '-ExifIFD:DateTimeOriginal=2026:03:02 10:11:12',
      '-ExifIFD:SubjectArea=40 60 10 20',
      '-XMP-dc:Description=A heron',
      '-GPS:GPSLatitude=47.3',
      '-GPS:GPSLatitudeRef=N',
    ]
    const [[, bytes]] = withFields(dir, [['plain.heic', turnedHeic(turned, 3)]], fields) as [[string, Buffer]]
    expect(await inspect(bytes)).toMatchObject({ takenAt: '2026-03-02T10:11:12' })
    const all = fieldsOf(dir, 'all.webp', await webp(bytes, 'keep-all'))
    expect(all).toMatchObject({ 'IFD0:Artist': 'Ann Lee', 'IFD0:Make': 'Apple', 'GPS:GPSLatitude': `47 deg 18' 0.00"` })
    expect(all['XMP-dc:Description']).toBe('A heron')
    // It counts the pixels as they were before its boxes turned them.
    expect(all['ExifIFD:SubjectArea']).toBeUndefined()
    expect(all['IFD0:Orientation']).toBe('Horizontal (normal)')
    const placeless = fieldsOf(dir, 'placeless.webp', await webp(bytes))
    expect(placeless).toMatchObject({ 'IFD0:Make': 'Apple', 'XMP-dc:Creator': 'Ann Lee' })
    expect(Object.keys(placeless).filter((tag) => tag.startsWith('GPS:'))).toEqual([])
    const none = fieldsOf(dir, 'none.webp', await webp(bytes, 'strip'))
    expect(Object.keys(none).filter((tag) => /^(?:IFD0|ExifIFD|GPS|XMP)/.test(tag))).toEqual([])
  })

  it('that is cut off anywhere is refused by its boxes', async () => {
    const whole = heicOf([await jpeg()])
    const reasons = new Set<string>()
    for (let length = 12; length < whole.length; length += 1) {
      const answer = heicMemory(whole.subarray(0, length), LIMITS)
      reasons.add(typeof answer === 'number' ? 'ok' : answer.reason)
    }
    expect(reasons).toEqual(new Set(['cut_off']))
    expect(heicMemory(whole, LIMITS)).toBe(160 * 120 * 32)
    expect(heicMemory(whole, { ...LIMITS, framePixels: 1000 })).toMatchObject({ reason: 'too_many_pixels' })
  })

  it('whose boxes are changed in any one byte ends in an answer', async () => {
    const whole = heicOf([await jpeg()])
    const end = whole.indexOf('mdat')
    for (let at = 0; at < end; at += 1)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = value
        expect(['number', 'object']).toContain(typeof heicMemory(changed, LIMITS))
      }
  })

  it('whose boxes or pixels are damaged is decoded, or refused as damaged', async () => {
    const whole = heicOf([await jpeg()])
    const reasons = new Set<string>()
    for (let at = 24; at < whole.length; at += 37) {
      const bytes = Buffer.from(whole)
      bytes.fill(0xa5, at, at + 8)
      const answer = await inspect(bytes)
      reasons.add(answer.ok ? 'ok' : answer.reason)
    }
    const known = new Set(['ok', 'damaged', 'cut_off', 'other_type', 'too_many_pixels'])
    expect([...reasons].filter((reason) => !known.has(reason))).toEqual([])
    expect(reasons).toContain('damaged')
  })
})

describe('a HEIC whose boxes declare more than the file holds', () => {
  const box = (type: string, ...parts: (Buffer | readonly number[])[]): Buffer => {
    const data = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data])
  }
  const heic = (iloc: Buffer, ...more: Buffer[]) => {
    const item = box('infe', [2, 0, 0, 0, 0, 1, 0, 0], Buffer.from('hvc1\0'))
    const known = [box('pitm', [0, 0, 0, 0, 0, 1]), box('iinf', [0, 0, 0, 0, 0, 1], item)]
    const meta = box('meta', [0, 0, 0, 0], ...known, iloc, ...more)
    return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0heic')), meta])
  }
  const entry = (id: number, extents: number) => [id >> 8, id & 255, 0, 0, extents >> 8, extents & 255]
  const located = (ids: number, extents: number) => {
    const entries = Array.from({ length: ids }, (_, n) => entry(n + 1, extents))
    return box('iloc', [0, 0, 0, 0, 0, 0, ids >> 8, ids & 255], ...entries)
  }

  it('is damaged: each picture in thousands of places that take no bytes to name', () => {
    expect(heicMemory(heic(located(1, 1)), LIMITS)).toBe(0)
    expect(heicMemory(heic(located(50, 65_535)), LIMITS)).toMatchObject({ ok: false, reason: 'damaged' })
  })

  it('is damaged: nothing but the heads of boxes', () => {
    const heads = (count: number) =>
      heic(located(1, 1), Buffer.concat(Array.from({ length: count }, () => box('free'))))
    expect(heicMemory(heads(1000), LIMITS)).toBe(0)
    expect(heicMemory(heads(200_000), LIMITS)).toMatchObject({ ok: false, reason: 'damaged' })
  })
})
