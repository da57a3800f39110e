import sharp from 'sharp'
import { readApng, type Canvas, type Frame } from './apng.ts'
import { openInColour, type ColouredPicture } from './colours.ts'
import type { PixelLimits } from '../core/picture-tasks.ts'
import type { OpenedImage } from './open-image.ts'
import { withProfile } from './put-back.ts'

/**
 * An animated PNG as a lossless animated WebP of every frame as it is seen, since the library only knows the first frame of a PNG.
 * Null for anything else. The colours are those of the picture's plan. Throws where a frame is damaged.
 */
export async function drawAnimation(
  picture: ColouredPicture,
  { type, frames }: OpenedImage,
  limits: PixelLimits,
): Promise<ColouredPicture | null> {
  if (type !== 'png' || frames === 1) return null
  const apng = readApng(picture.bytes)
  const decode = (nth: number): Promise<Buffer> => pixelsOf({ ...picture, bytes: apng.pngOfFrame(nth) }, limits)
  const pixels = await composeFrames(apng.canvas, apng.frames, decode)
  const { width, height } = apng.canvas
  const raw = { width, height: height * frames, channels: 4, pageHeight: height } as const
  const delay = wholeDelays(apng.frames.map(({ delayMs }) => delayMs))
  const drawn = await sharp(pixels, { raw, limitInputPixels: false })
    .webp({ lossless: true, effort: 0, delay, loop: apng.plays })
    .toBuffer()
  const profile = picture.plan === 'keep' ? picture.metadata.icc : undefined
  const bytes = profile === undefined ? drawn : withProfile(drawn, 'webp', profile)
  const metadata = await sharp(bytes, { pages: -1, limitInputPixels: false }).metadata()
  return { bytes, metadata, plan: 'keep', gamma: null }
}

/** What is visible during each frame on a canvas that is clear at first, one below the other. `decode` returns the RGBA of the nth frame alone. */
async function composeFrames(
  canvas: Canvas,
  frames: readonly Frame[],
  decode: (nth: number) => Promise<Buffer>,
): Promise<Buffer> {
  const all: Buffer[] = []
  let shown: Buffer = Buffer.alloc(canvas.width * canvas.height * 4)
  for (const [nth, frame] of frames.entries()) {
    const { left, top, width, height, blend, dispose } = frame
    const under = blend === 'replace' ? cleared(shown, canvas, frame) : shown
    const input = await decode(nth)
    const drawn = await sharp(under, { raw: { ...canvas, channels: 4 }, limitInputPixels: false })
      .composite([{ input, raw: { width, height, channels: 4 }, left, top, limitInputPixels: false }])
      .raw()
      .toBuffer()
    all.push(drawn)
    if (dispose !== 'restore') shown = dispose === 'clear' ? cleared(drawn, canvas, frame) : drawn
  }
  return Buffer.concat(all)
}

function cleared(shown: Buffer, canvas: Canvas, { left, top, width, height }: Frame): Buffer {
  const made = Buffer.from(shown)
  for (let y = top; y < top + height; y++) {
    const at = (y * canvas.width + left) * 4
    made.fill(0, at, at + width * 4)
  }
  return made
}

/** Decodes each frame of an animated PNG once, and keeps none. Throws where one is damaged. */
export async function checkApngFrames(bytes: Buffer, limits: PixelLimits): Promise<void> {
  const apng = readApng(bytes)
  const metadata = await sharp(bytes).metadata()
  for (let nth = 0; nth < apng.frames.length; nth++)
    await pixelsOf({ bytes: apng.pngOfFrame(nth), metadata, plan: 'ignore', gamma: null }, limits)
}

function pixelsOf(picture: ColouredPicture, limits: PixelLimits): Promise<Buffer> {
  return openInColour(picture, { failOn: 'error', limitInputPixels: limits.framePixels })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
}

/** Rounded so that each frame starts at most half a millisecond off, however many come before it. */
function wholeDelays(delaysMs: readonly number[]): number[] {
  let [exact, rounded] = [0, 0]
  return delaysMs.map((delayMs) => {
    exact += delayMs
    const whole = Math.round(exact) - rounded
    rounded += whole
    return whole
  })
}
