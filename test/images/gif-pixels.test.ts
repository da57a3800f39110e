import sharp from 'sharp'
import { expect, it } from 'vitest'
import { hasPrograms } from '../needs.ts'
import { shortGifFrame } from '../../src/main/images/gif-pixels.ts'
import { fileOf, judge } from './judges.ts'
import { animation, noise } from './pictures.ts'

/** Of several encoders, in several sizes and numbers of colours. */
async function gifs(): Promise<Record<string, Buffer>> {
  const made: Record<string, Buffer> = { moving: await animation('gif') }
  for (const colours of [2, 3, 16, 256])
    for (const [width, height] of [
      [1, 1],
      [61, 43],
      [300, 200],
    ] as const)
      made[`${colours} colours, ${width} × ${height}`] = await noise(width, height).gif({ colours }).toBuffer()
  const flat = sharp({ create: { width: 700, height: 500, channels: 3, background: 'teal' } })
  made['flat'] = await flat.gif().toBuffer()
  made['interlaced'] = await noise(90, 70).gif({ progressive: true }).toBuffer()
  if (hasPrograms('convert')) {
    const png = fileOf('a.png', await noise(120, 90).png().toBuffer())
    made['of ImageMagick'] = judge('convert', [png, 'gif:-']).out
    made['without compression'] = judge('convert', [png, '-compress', 'None', 'gif:-']).out
  }
  return made
}

it('finds every pixel of a whole GIF, whichever encoder made it', async () => {
  for (const [name, bytes] of Object.entries(await gifs())) expect(shortGifFrame(bytes), name).toBeNull()
})

it('finds that pixels are missing where the data of a frame is cut', async () => {
  for (const [name, bytes] of Object.entries(await gifs())) {
    const cut = Buffer.concat([bytes.subarray(0, lastBlockOf(bytes)), Buffer.from([0, 0x3b])])
    expect(shortGifFrame(cut), name).not.toBeNull()
  }
})

it('finds a frame that has no width', async () => {
  const whole = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()
  const frame = Buffer.from('2c0000000000000400000207' + '8451' + '00', 'hex')
  const bytes = Buffer.concat([whole.subarray(0, -1), frame, Buffer.from([0x3b])])
  expect(shortGifFrame(bytes)).toEqual({ pixels: 0, wanted: 0 })
})

/** Where the last block of the last frame's data begins. */
function lastBlockOf(bytes: Buffer): number {
  const table = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  let last = 0
  for (let at = 13 + table(bytes[10]!); bytes[at] !== 0x3b; at += 1) {
    const isFrame = bytes[at] === 0x2c
    at += isFrame ? 11 + table(bytes[at + 9]!) : 2
    for (; bytes[at] !== 0; at += 1 + bytes[at]!) if (isFrame) last = at
  }
  return last
}
