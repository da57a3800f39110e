import sharp from 'sharp'
import { seededRandom } from '../../src/practice/seeded-random.ts'

/** A small picture that no other number gives, and that the service can make smaller. */
export async function pictureNumber(nth: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> {
  const random = seededRandom(nth + 1)
  const [width, height] = [48 + (nth % 16), 48]
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)))
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
  return format === 'jpeg'
    ? picture.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
    : picture.png({ compressionLevel: 0 }).toBuffer()
}
