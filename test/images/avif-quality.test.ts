import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import { avifQualityFor } from '../../src/main/images/avif-quality.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { Encoded } from '../../src/main/core/picture-tasks.ts'
import { tempFolder } from '../files/temp-folder.ts'

const sample = (name: string) => readFileSync(new URL(`../../resources/samples/${name}`, import.meta.url))

it('rises with the quality, without steps back, from 1 to 100', () => {
  const all = Array.from({ length: 100 }, (_, n) => avifQualityFor(n + 1))
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect([all[0]! >= 1, all.at(-1)]).toEqual([true, 100])
  expect(all[79]).toBe(63)
})

describeWith(programs('dwebp', 'avifdec', 'ssimulacra_main'))('a picture that is judged by ssimulacra', () => {
  it.each(['red-hangar.jpg', 'above-the-clouds.jpg'])(
    'is as good in AVIF as in WebP, but smaller: %s',
    async (name) => {
      const dir = await tempFolder()
      const original = join(dir, 'original.png')
      const limits = { framePixels: 10_000_000, totalPixels: 10_000_000 }
      const source = await sharp(sample(name)).resize(480).removeAlpha().png().toBuffer()
      writeFileSync(original, source)
      const made = async (format: 'webp' | 'avif') => {
        const options = { format, quality: 80, metadata: 'strip' } as const
        const { bytes } = (await doImageTask({ kind: 'encode', bytes: source, limits, options })) as Encoded
        const file = join(dir, `made.${format}`)
        const decoded = join(dir, `${format}.png`)
        writeFileSync(file, bytes)
        // Decoded by the programs of the formats' own makers.
        if (format === 'webp') execFileSync('dwebp', ['-quiet', file, '-o', decoded])
        else execFileSync('avifdec', ['-d', '8', file, decoded])
        const judged = execFileSync('ssimulacra_main', [original, decoded], { encoding: 'utf8', stdio: 'pipe' })
        const distance = Number(judged)
        return { distance, sizeBytes: bytes.byteLength }
      }
      const [webp, avif] = [await made('webp'), await made('avif')]
      expect(avif.sizeBytes).toBeLessThan(webp.sizeBytes)
      // Drawn pictures, which AVIF renders better: that it is no worse is judged here, that it is no better by the bytes.
      expect(avif.distance / webp.distance).toBeLessThan(1.1)
    },
  )
})
