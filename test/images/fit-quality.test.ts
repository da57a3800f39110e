import { expect, it } from 'vitest'
import { fitQuality, MIN_QUALITY, MAX_ENCODINGS } from '../../src/main/images/fit-quality.ts'

/** A file of ten bytes for each step of quality. */
function encoder() {
  const tried: number[] = []
  const at = async (quality: number) => {
    tried.push(quality)
    return { quality, bytes: new Uint8Array(quality * 10) }
  }
  return { tried, at }
}

it('finds the highest quality that fits, whichever that is', async () => {
  for (let fits = MIN_QUALITY; fits < 100; fits += 1) {
    const { at, tried } = encoder()
    expect(await fitQuality(at, 100, fits * 10 + 5)).toMatchObject({ quality: fits })
    expect(new Set(tried).size).toBe(tried.length)
    expect(tried.length).toBeLessThan(MAX_ENCODINGS)
  }
})

it('gives the smallest that is used where none fits, and nothing where none is left to try', async () => {
  expect(await fitQuality(encoder().at, 100, 1)).toMatchObject({ quality: MIN_QUALITY })
  expect(await fitQuality(encoder().at, 100, -5)).toMatchObject({ quality: MIN_QUALITY })
  expect(await fitQuality(encoder().at, MIN_QUALITY, 1)).toBeNull()
})

it('never gives a file that is too large where it saw one that fits, even if sizes jump about', async () => {
  for (let below = MIN_QUALITY + 2; below <= 100; below += 1) {
    const seen: number[] = []
    const at = async (quality: number) => {
      seen.push(quality % 3 === 0 ? 10 : 1000)
      return { bytes: new Uint8Array(seen.at(-1)!) }
    }
    const file = await fitQuality(at, below, 500)
    expect(file!.bytes.byteLength <= 500).toBe(seen.some((bytes) => bytes <= 500))
  }
})
