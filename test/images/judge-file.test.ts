import sharp, { type Sharp } from 'sharp'
import { expect, it } from 'vitest'
import { pngChunks, pngOf } from '../../src/main/images/png-chunks.ts'
import { asPng, flat, noise } from './pictures.ts'
import { deepGrey, photo } from './served-files.ts'
import { judged as judge } from './tasks.ts'

const refused = (code: string) => ({ fits: false, why: { code } })
const AS_IT_IS = { ok: true, fits: true, bytes: null, losses: [] }

const jpeg = (seed: number, orientation = 1): Promise<Buffer> =>
  photo(seed)().withMetadata({ orientation }).jpeg({ quality: 90 }).toBuffer()
const poor = (seed: number): Promise<Buffer> => photo(seed)().jpeg({ quality: 25 }).toBuffer()

async function moving(type: 'gif' | 'webp', seeds: readonly number[]): Promise<Buffer> {
  const frames = seeds.map((seed) => photo(seed)().resize(120, 90).png().toBuffer())
  const joined = sharp(await Promise.all(frames), { join: { animated: true } })
  return joined.toFormat(type, { effort: 1 }).toBuffer()
}

it('knows a picture that was compressed hard', async () => {
  expect(await judge(await poor(1), await jpeg(1))).toEqual(AS_IT_IS)
  const drawing = await photo(2)().png().toBuffer()
  expect(await judge(await sharp(drawing).png({ palette: true, colours: 16 }).toBuffer(), drawing)).toEqual(AS_IT_IS)
  const deep = deepGrey()
  expect(await judge(await sharp(deep).toColourspace('b-w').png().toBuffer(), deep)).toMatchObject({
    fits: true,
    losses: ['fine_shades'],
  })
  // The same 8 bits twice.
  const shallow = await asPng(sharp(await asPng(photo(3)().greyscale())).toColourspace('grey16'))
  expect((await sharp(shallow).metadata()).depth).toBe('ushort')
  expect(await judge(await sharp(shallow).toColourspace('b-w').png().toBuffer(), shallow)).toEqual(AS_IT_IS)
})

/** Each pixel another colour, the same ones each time. */
function confetti(side: number, change: (colour: number[]) => number[] = (colour) => colour) {
  let state = 7
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) % 6
  const cells = Array.from({ length: side * side }, () => change([next() * 51, next() * 51, next() * 51])).flat()
  return sharp(Buffer.from(cells), { raw: { width: side, height: side, channels: 3 } })
}

it('takes few colours for the many that they stand for, and for no others', async () => {
  const few = (image: ReturnType<typeof sharp>): Promise<Buffer> =>
    image.png({ palette: true, colours: 16, dither: 0 }).toBuffer()
  for (const side of [10, 12]) {
    const original = await confetti(side).png().toBuffer()
    const again = () => sharp(original)
    expect(await judge(await few(again()), original), `${side}`).toEqual(AS_IT_IS)
    for (const other of [
      again().flop(),
      again().rotate(180),
      again().greyscale(),
      again().modulate({ hue: 90 }),
      again().modulate({ brightness: 1.4 }),
      confetti(side, ([red = 0, green = 0, blue = 0]) => [blue, green, red]),
    ])
      expect(await judge(await few(other), original)).toMatchObject(refused('served_other_picture'))
  }
})

it('knows one that was turned upright, and one whose tag says it twice', async () => {
  const original = await jpeg(1, 6)
  const upright = await sharp(original).autoOrient().jpeg().toBuffer()
  expect(await judge(upright, original)).toEqual(AS_IT_IS)
  const twice = await sharp(upright).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const judged = await judge(twice, original)
  expect(judged).toMatchObject({ fits: true, losses: [] })
  const { orientation, width, height } = await sharp(Buffer.from((judged as { bytes: Uint8Array }).bytes)).metadata()
  expect({ orientation, width, height }).toEqual({ orientation: 1, width: 240, height: 320 })
})

it.each([2, 3, 4, 5, 6, 7, 8])('gives orientation %i back, and leaves pixels and other metadata', async (turned) => {
  for (const type of ['jpeg', 'png'] as const) {
    const square = photo(1)().resize(240, 240, { fit: 'fill' })
    const original = await square.clone().withMetadata({ orientation: turned })[type]().toBuffer()
    const credited = square.clone().withExif({ IFD0: { Artist: 'Ann Lee' } })
    const dropped = await credited.toFormat(type).toBuffer()
    const { bytes } = (await judge(dropped, original)) as { bytes: Uint8Array }
    const made = await sharp(Buffer.from(bytes)).metadata()
    expect(made.orientation).toBe(turned)
    expect(made.exif?.includes('Ann Lee')).toBe(true)
    const [before, after] = await Promise.all([dropped, Buffer.from(bytes)].map((one) => sharp(one).raw().toBuffer()))
    expect(after!.equals(before!)).toBe(true)
  }
})

it.each(['jpeg', 'png', 'webp'] as const)('gives a profile back to a %s, and leaves its pixels', async (type) => {
  const original = await photo(4)().withIccProfile('p3')[type]({ quality: 95 }).toBuffer()
  const dropped = await sharp(original, { ignoreIcc: true })[type]({ quality: 60 }).toBuffer()
  const { bytes, losses } = (await judge(dropped, original)) as { bytes: Uint8Array; losses: string[] }
  expect(losses).toEqual([])
  const wanted = (await sharp(original).metadata()).icc
  expect((await sharp(Buffer.from(bytes)).metadata()).icc).toEqual(wanted)
  const numbers = (of: Uint8Array): Promise<Buffer> => sharp(Buffer.from(of), { ignoreIcc: true }).raw().toBuffer()
  expect((await numbers(bytes)).equals(await numbers(dropped))).toBe(true)
  expect(await judge(await sharp(original)[type]().toBuffer(), original)).toEqual(AS_IT_IS)
})

it('takes a PNG that was brought to sRGB, also where its primaries cannot be read', async () => {
  const plain = await photo(4)().png().toBuffer()
  const [header, ...rest] = [...pngChunks(plain)]
  const gamma = { name: 'gAMA', data: Buffer.from([0, 1, 0x86, 0xa0]) }
  const original = pngOf([header!, gamma, { name: 'cHRM', data: Buffer.alloc(31, 1) }, ...rest])
  const curve = Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * (value / 255) ** (1 / 2.2)))
  const { data, info } = await sharp(plain).raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: 3 } as const
  const served = await asPng(sharp(Buffer.from(data.map((value) => curve[value]!)), { raw }))
  expect(await judge(served, original)).toEqual(AS_IT_IS)
  expect(await judge(served, plain)).toMatchObject(refused('served_other_picture'))
})

it('asks for the size of the smaller copy where one was sent', async () => {
  const original = await jpeg(1)
  const half = await photo(1)().resize(160, 120).jpeg().toBuffer()
  expect(await judge(half, original)).toMatchObject(refused('served_size'))
  expect(await judge(half, original, { size: { width: 160, height: 120 } })).toEqual(AS_IT_IS)
  expect(await judge(half, original, { size: null })).toEqual(AS_IT_IS)
  expect(await judge(half, original, { size: { width: 200, height: 150 } })).toMatchObject(refused('served_size'))
  const squeezed = await photo(1)().resize(160, 110, { fit: 'fill' }).jpeg().toBuffer()
  expect(await judge(squeezed, original, { size: null })).toMatchObject(refused('served_size'))
})

it.each(['gif', 'webp'] as const)('compares the first and the last frame of a %s, and counts them', async (type) => {
  const original = await moving(type, [1, 2, 3])
  expect(await judge(original, original)).toEqual(AS_IT_IS)
  expect(await judge(await moving(type, [1, 2, 4]), original)).toMatchObject(refused('served_other_picture'))
  expect(await judge(await moving(type, [1, 2, 3, 4]), original)).toMatchObject(refused('served_frames'))
  // Fewer are a matter of their own: the rest of the job goes on.
  expect(await judge(await moving(type, [1, 2]), original)).toEqual(AS_IT_IS)
})

it('tells dark pictures and flat ones apart', async () => {
  const dark = (seed: number) => photo(seed)().linear(0.08, 2).jpeg({ quality: 90 }).toBuffer()
  expect(await judge(await dark(2), await dark(1))).toMatchObject(refused('served_other_picture'))
  const plain = (background: string, quality: number) => flat(300, 200, background).jpeg({ quality }).toBuffer()
  expect(await judge(await plain('#808080', 30), await plain('#808080', 95))).toEqual(AS_IT_IS)
  expect(await judge(await plain('#8a8080', 90), await plain('#808080', 95))).toMatchObject(
    refused('served_other_picture'),
  )
})

it('takes printing inks that were converted in another way', async () => {
  const inks = await photo(1)().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer()
  expect(await judge(await sharp(inks).toColourspace('srgb').jpeg({ quality: 76 }).toBuffer(), inks)).toMatchObject({
    fits: true,
  })
  expect(await judge(await jpeg(2), inks)).toMatchObject(refused('served_other_picture'))
})

/** Stripes of 4 pixels in two strong colours, 80 by 8, by `cjpeg -sample 4x1`: one colour for four pixels. */
const STRIPES =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i' +
  'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
  'Y2NjY2NjY2P/wAARCAAIAFADAUEAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAWEAEBAQAAAAAAAAAAAAAAAAAAA0H/' +
  'xAAWAQEBAQAAAAAAAAAAAAAAAAAEAAX/xAAhEQAABAUFAAAAAAAAAAAAAAAAA0LDAQKBgrIEBTIzkf/aAAwDAQACEQMRAD8AgrhX' +
  'CuFcIMVVwLJRayFcK4VwriMVVwRKLWQrhXAD1vP3KYaW2dUbcJR//9k='

it('knows strong colours in a JPEG that stores one colour for many pixels', async () => {
  const original = Buffer.from(STRIPES, 'base64')
  const judged = async (change: Sharp) => judge(await change.jpeg({ quality: 76, mozjpeg: true }).toBuffer(), original)
  expect(await judged(sharp(original))).toEqual(AS_IT_IS)
  for (const other of [sharp(original).greyscale(), sharp(original).modulate({ hue: 90 })])
    expect(await judged(other)).toMatchObject(refused('served_other_picture'))
})

it('knows noise whose averages compression moved', async () => {
  const original = await noise(200, 200).extractChannel(0).threshold(200).jpeg({ quality: 95 }).toBuffer()
  for (const quality of [50, 76]) {
    const served = await sharp(original).jpeg({ quality, mozjpeg: true }).toBuffer()
    expect(await judge(served, original)).toEqual(AS_IT_IS)
  }
})
