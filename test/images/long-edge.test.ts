import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { scaledSize } from '../../src/shared/recipes/scaled-size.ts'
import { asPng, exifBlock, flat, jpegWithExif, noise } from './pictures.ts'
import { encoded } from './tasks.ts'
import { tempFolder } from '../files/temp-folder.ts'

let dir: string

beforeEach(async () => {
  dir = await tempFolder()
})

/** What ImageMagick says: the size of each frame. */
async function sizes(bytes: Buffer, format: 'webp' | 'avif', longEdge?: number): Promise<string[]> {
  const made = await encoded(bytes, { format, ...(longEdge && { longEdge }) })
  const path = join(dir, `made.${format}`)
  writeFileSync(path, made.bytes)
  const told = execFileSync('identify', ['-format', '%wx%h\n', path], { encoding: 'utf8' }).trim().split('\n')
  expect(told[0]).toBe(`${made.width}x${made.height}`)
  return told
}

it('scales WebP and AVIF down to the longer side, and nothing up', async () => {
  const source = await noise(120, 80).jpeg().toBuffer()
  for (const format of ['webp', 'avif'] as const) {
    expect(await sizes(source, format, 60)).toEqual(['60x40'])
    expect(await sizes(source, format, 120)).toEqual(['120x80'])
    expect(await sizes(source, format, 4000)).toEqual(['120x80'])
    expect(await sizes(source, format)).toEqual(['120x80'])
  }
})

it('means the longer side as it is shown, after the orientation', async () => {
  const turned = jpegWithExif(await noise(120, 80).jpeg().toBuffer(), exifBlock(6, 'II'))
  expect(await sizes(turned, 'webp', 60)).toEqual(['40x60'])
})

const HALVES = [14, 28, 25, 36, 18, 31, 20, 40, 29, 7, 70, 45]

it('is foretold by the size that HTML gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 16, max: 100 }),
      async (width, height, longEdge) => {
        const source = await asPng(flat(width, height, 'red'))
        const { info } = await sharp(source)
          .resize({ width: longEdge, height: longEdge, fit: 'inside', withoutEnlargement: true })
          .raw()
          .toBuffer({ resolveWithObject: true })
        expect(scaledSize({ width, height }, longEdge)).toEqual({ width: info.width, height: info.height })
      },
    ),
    // Halves that come out otherwise when multiplied first, or divided once.
    { numRuns: 60, examples: [0, 3, 6, 9].map((at) => HALVES.slice(at, at + 3) as [number, number, number]) },
  )
})
