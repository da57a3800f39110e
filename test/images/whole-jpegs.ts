import sharp from 'sharp'
import type { Encoded, ImageFailure, Inspected } from '../../src/main/core/picture-tasks.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { seededRandom } from './pictures.ts'

const limits = { framePixels: 1_000_000, totalPixels: 1_000_000 }
export const inspect = (bytes: Buffer, leavesJpegPixels = false) =>
  doImageTask({ kind: 'inspect', bytes, limits, leavesJpegPixels }) as Promise<Inspected | ImageFailure>
const options = { format: 'webp', quality: 80, metadata: 'keep-all' } as const
export const encode = (bytes: Buffer) =>
  doImageTask({ kind: 'encode', bytes, limits, options }) as Promise<Encoded | ImageFailure>

export const EOI = Buffer.from([0xff, 0xd9])
export const marker = (code: number): Buffer => Buffer.from([0xff, code])

/** Whole ones of each kind, to be damaged. */
export async function wholeJpegs(): Promise<Record<'baseline' | 'progressive' | 'grey', Buffer>> {
  const random = seededRandom(3)
  const cells = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => Math.floor(random() * 256)))
  /** As most programs begin a JPEG. */
  const JFIF = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  const jfif = (jpeg: Buffer): Buffer => Buffer.concat([jpeg.subarray(0, 2), JFIF, jpeg.subarray(2)])
  const picture = () => sharp(cells, { raw: { width: 40, height: 30, channels: 3 } }).resize(160, 120)
  return {
    baseline: jfif(await picture().jpeg({ quality: 85 }).toBuffer()),
    progressive: jfif(await picture().jpeg({ quality: 85, progressive: true }).toBuffer()),
    grey: jfif(await picture().greyscale().jpeg().toBuffer()),
  }
}

/** Where its pixels begin. */
export const scanOf = (jpeg: Buffer): number => jpeg.indexOf(marker(0xda))
