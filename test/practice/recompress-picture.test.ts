import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readTraits, recompressPicture } from '../../src/practice/picture-work.ts'
import { folderForTest } from '../temp-folder.ts'

const COLOUR = { r: 200, g: 60, b: 40 }
const plain = sharp({ create: { width: 64, height: 48, channels: 3, background: COLOUR } })

async function recompressed(bytes: Buffer): Promise<Buffer> {
  const folder = folderForTest()
  const [upload, target] = [join(folder, 'upload'), join(folder, 'made')]
  await writeFile(upload, bytes)
  const size = await recompressPicture(upload, 'jpeg', target, { stillsOfAnimations: false })
  const made = await readFile(target)
  expect(made.length).toBe(size)
  return made
}

describe('a compressed file of the practice service', () => {
  it('of CMYK is sRGB, without the profile of the inks', async () => {
    const inks = await plain.clone().withIccProfile('cmyk').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect(await sharp(inks).metadata()).toMatchObject({ space: 'cmyk', hasProfile: true })
    const made = await recompressed(inks)
    expect(await sharp(made).metadata()).toMatchObject({ space: 'srgb', hasProfile: false })
    const { dominant } = await sharp(made).stats()
    expect(Math.abs(dominant.r - COLOUR.r) + Math.abs(dominant.g - COLOUR.g)).toBeLessThan(40)
  })

  it('of RGB keeps its profile', async () => {
    const made = await recompressed(await plain.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer())
    expect((await sharp(made).metadata()).hasProfile).toBe(true)
  })

  it('is made, and its picture described, where stray bytes precede a table of the upload', async () => {
    const jpeg = await plain.clone().jpeg({ quality: 100 }).toBuffer()
    const table = jpeg.indexOf(Buffer.from([0xff, 0xc4]))
    const stray = Buffer.concat([jpeg.subarray(0, table), Buffer.alloc(29), jpeg.subarray(table)])
    expect((await recompressed(stray)).length).toBeGreaterThan(0)
    const folder = folderForTest()
    await writeFile(join(folder, 'stray.jpg'), stray)
    await expect(readTraits(join(folder, 'stray.jpg'))).resolves.toBeDefined()
  })
})
