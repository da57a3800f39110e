import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { Encoded, ImageFailure } from '../../src/main/core/picture-tasks.ts'
import { createUploadCopies } from '../../src/main/images/upload-copies.ts'
import { exifBlock, jpegWithExif, noise } from './pictures.ts'
import { inspect, SMALL as limits } from './tasks.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const tryShrink = (bytes: Buffer, maxBytes: number) =>
  doImageTask({ kind: 'shrink', bytes, limits, maxBytes }) as Promise<Encoded | ImageFailure>

async function shrink(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const copy = await tryShrink(bytes, maxBytes)
  if (!copy.ok) throw new Error(englishText(copy.detail))
  expect(copy.bytes.length).toBeLessThanOrEqual(maxBytes)
  const { width, height } = await sharp(copy.bytes).metadata()
  expect({ width, height }).toEqual({ width: copy.width, height: copy.height })
  return Buffer.from(copy.bytes)
}

describe('a smaller copy', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)('of a %s is a whole one of that type and shape', async (type) => {
    const whole = await noise(400, 300).toFormat(type).toBuffer()
    const copy = await shrink(whole, Math.floor(whole.length / 5))
    const { format, width, height } = await sharp(copy, { failOn: 'warning' }).metadata()
    expect(format).toBe(type)
    expect(width).toBeLessThan(400)
    expect(width / height).toBeCloseTo(4 / 3, 1)
    const expected = { ok: true, type, animated: false }
    expect(await inspect(copy)).toMatchObject(expected)
  })

  it('keeps its width and height where re-encoding it is enough', async () => {
    const whole = await noise(200, 150).jpeg({ quality: 100 }).toBuffer()
    const { width, height } = await sharp(await shrink(whole, whole.length - 1)).metadata()
    expect([width, height]).toEqual([200, 150])
  })

  it('is turned as the original is shown, and has its colour profile and no other metadata', async () => {
    const plain = await noise(200, 100).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer()
    const copy = await shrink(jpegWithExif(plain, exifBlock(6, 'II')), 12_000)
    const { width, height, orientation, icc, exif } = await sharp(copy).metadata()
    expect(width).toBeLessThan(height)
    expect(orientation).toBeUndefined()
    expect(icc).toEqual((await sharp(plain).metadata()).icc)
    expect(exif).toBeUndefined()
  })

  it('keeps what is transparent', async () => {
    const glass = await noise(200, 150).ensureAlpha(0.5).png().toBuffer()
    expect((await sharp(await shrink(glass, 30_000)).metadata()).hasAlpha).toBe(true)
  })

  it('is not made where nothing is small enough', async () => {
    expect(await tryShrink(await noise(40, 30).jpeg().toBuffer(), 20)).toMatchObject({ ok: false, reason: 'too_large' })
  })
})

describe('copies that were made', () => {
  const worker = () => {
    const made: number[] = []
    return {
      made,
      shrink: async ({ bytes }: { bytes: Uint8Array }): Promise<Encoded> => {
        made.push(bytes.length)
        return { ok: true, bytes: bytes.subarray(1), width: 1, height: 1 }
      },
    }
  }
  const source = (length: number) => ({ bytes: new Uint8Array(length), sha256: `${length}` })

  it('are made once while a picture waits to be sent, and forgotten after a few others', async () => {
    const work = worker()
    const copyOf = createUploadCopies(work)
    const first = await copyOf(source(9), { maxBytes: 8 })
    expect(await copyOf(source(9), { maxBytes: 8 })).toEqual(first)
    expect(work.made).toEqual([9])
    for (const length of [1, 2, 3, 4]) await copyOf(source(length), { maxBytes: 8 })
    await copyOf(source(9), { maxBytes: 8 })
    expect(work.made).toEqual([9, 1, 2, 3, 4, 9])
  })
})
