import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { asPng } from './pictures.ts'
import { photo } from './served-files.ts'
import { encoded } from './tasks.ts'
import { tempFolder } from '../files/temp-folder.ts'

let dir: string

beforeEach(async () => {
  dir = await tempFolder()
})

const toWebp = async (bytes: Buffer) => (await encoded(bytes)).bytes

/** What libwebp's own program says of a file: `Format: Lossless (2)` or `Lossy (1)`, and the frames. */
function webpInfo(bytes: Buffer): string {
  const path = join(dir, 'made.webp')
  writeFileSync(path, bytes)
  return execFileSync('webpinfo', [path], { encoding: 'utf8' })
}

/** Bars and lettering as a program draws them: few colours and hard edges. */
const drawing = sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="240"><rect width="400" height="240" fill="#fff"/>' +
      Array.from(
        { length: 40 },
        (_, n) => `<rect x="${n * 10}" y="${(n * 37) % 90}" width="4" height="150" fill="#${n % 2 ? '159' : 'd53'}"/>`,
      ).join('') +
      '</svg>',
  ),
)

it('makes lossless WebP of a flat graphic, smaller than the lossy one and than the PNG, with its very pixels', async () => {
  const source = await drawing.clone().png().toBuffer()
  const lossy = await sharp(source).webp({ quality: 80 }).toBuffer()
  const made = await toWebp(source)
  expect(made.length).toBeLessThan(Math.min(lossy.length, source.length))
  expect(webpInfo(made)).toMatch(/Format: Lossless/)
  execFileSync('dwebp', ['-quiet', join(dir, 'made.webp'), '-o', join(dir, 'made.png')])
  const pixels = (input: Buffer | string) => sharp(input).removeAlpha().raw().toBuffer()
  expect((await pixels(join(dir, 'made.png'))).equals(await pixels(source))).toBe(true)
})

it('makes lossy WebP of a photograph, also where it is a PNG', async () => {
  expect(webpInfo(await toWebp(await asPng(photo(1)())))).toMatch(/Format: Lossy/)
})

it('makes lossy WebP of a JPEG whatever it shows', async () => {
  expect(webpInfo(await toWebp(await drawing.clone().jpeg({ quality: 95 }).toBuffer()))).toMatch(/Format: Lossy/)
})

it('makes an animated graphic smaller than the GIF, frame for frame', async () => {
  const frames = Array.from({ length: 6 }, (_, n) => {
    const white = drawing.clone().affine([1, 0, 0, 1], { background: '#fff' })
    return asPng(white.extract({ left: n * 10, top: 0, width: 300, height: 240 }))
  })
  const joined = sharp(await Promise.all(frames), { join: { animated: true } })
  const source = await joined.gif({ delay: [80, 80, 80, 80, 80, 80] }).toBuffer()
  const lossy = await sharp(source, { pages: -1 }).webp({ quality: 80 }).toBuffer()
  const made = await toWebp(source)
  expect(made.length).toBeLessThan(Math.min(lossy.length, source.length))
  const { pages, delay } = await sharp(made, { pages: -1 }).metadata()
  expect([pages, delay]).toEqual([6, [80, 80, 80, 80, 80, 80]])
  expect(webpInfo(made).match(/Format: Lossless/g)).toHaveLength(6)
})
