import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readTraits, recompressPicture } from '../../src/practice/picture-work.ts'
import { animation } from '../images/pictures.ts'
import { folderForTest } from '../temp-folder.ts'

const COLOUR = { r: 200, g: 60, b: 40 }
const plain = sharp({ create: { width: 64, height: 48, channels: 3, background: COLOUR } })

async function recompressed(bytes: Buffer, type: 'jpeg' | 'gif', stillsOfAnimations = false): Promise<Buffer> {
  const folder = folderForTest()
  const [upload, target] = [join(folder, 'upload'), join(folder, 'made')]
  await writeFile(upload, bytes)
  const size = await recompressPicture(upload, type, target, { stillsOfAnimations })
  const made = await readFile(target)
  expect(made.length).toBe(size)
  return made
}

describe('a compressed file of the practice service', () => {
  it('of CMYK is sRGB, without the profile of the inks', async () => {
    const inks = await plain.clone().withIccProfile('cmyk').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect(await sharp(inks).metadata()).toMatchObject({ space: 'cmyk', hasProfile: true })
    const made = await recompressed(inks, 'jpeg')
    expect(await sharp(made).metadata()).toMatchObject({ space: 'srgb', hasProfile: false })
    const { dominant } = await sharp(made).stats()
    expect(Math.abs(dominant.r - COLOUR.r) + Math.abs(dominant.g - COLOUR.g)).toBeLessThan(40)
  })

  it('of RGB keeps its profile', async () => {
    const made = await recompressed(await plain.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(), 'jpeg')
    expect((await sharp(made).metadata()).hasProfile).toBe(true)
  })

  it('of an animation has all its frames, or one where it is asked to make a still', async () => {
    const moving = await animation('gif', 4)
    const framesOf = async (made: Buffer) => (await sharp(made).metadata()).pages ?? 1
    expect(await framesOf(await recompressed(moving, 'gif'))).toBe(4)
    expect(await framesOf(await recompressed(moving, 'gif', true))).toBe(1)
  })

  it('is made, and its picture described, where stray bytes precede a table of the upload', async () => {
    const jpeg = await plain.clone().jpeg({ quality: 100 }).toBuffer()
    const table = jpeg.indexOf(Buffer.from([0xff, 0xc4]))
    const stray = Buffer.concat([jpeg.subarray(0, table), Buffer.alloc(29), jpeg.subarray(table)])
    expect((await recompressed(stray, 'jpeg')).length).toBeGreaterThan(0)
    const folder = folderForTest()
    await writeFile(join(folder, 'stray.jpg'), stray)
    await expect(readTraits(join(folder, 'stray.jpg'))).resolves.toBeDefined()
  })
})
