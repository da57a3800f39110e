import { expect, it } from 'vitest'
import { z } from 'zod'
import { Sidecar } from '../../../src/shared/jobs/sidecar.ts'
import { mergeSidecar } from '../../../src/main/files/merge-sidecar.ts'

const SHA = 'a'.repeat(64)

const SIDECAR: Sidecar = {
  hangar: 1,
  source: { name: 'photo.jpg', sha256: SHA, sizeBytes: 1000 },
  service: { id: 'practice', jobId: null, imageId: null },
  recipe: {
    operation: 'process',
    sent: 'process',
    languages: ['en'],
    format: 'webp',
    naming: 'original',
    longEdge: 1600,
    quality: 80,
    metadata: 'keep-without-location',
    minSavingPercent: 0,
  },
  translations: [],
  outputs: [
    {
      role: 'converted',
      name: 'photo.webp',
      sha256: SHA,
      sizeBytes: 400,
      type: 'webp',
      made: { metadata: 'keep-without-location', quality: 80, longEdge: 1600 },
    },
  ],
  notes: [],
  madeAt: '2026-01-01T00:00:00.000Z',
}

/** What the first versions read a sidecar with: what they refuse, they pay for again. Never changed. */
const FIRST = z.looseObject({
  hangar: z.literal(1),
  source: z.object({ name: z.string().min(1).max(1000), sha256: z.string(), sizeBytes: z.number().int().positive() }),
  service: z.object({
    id: z.string().max(300),
    jobId: z.string().max(200).nullable(),
    imageId: z.string().max(200).nullable(),
  }),
  recipe: z.object({
    operation: z.enum(['process', 'analyze', 'optimize', 'convert']),
    sent: z.enum(['process', 'analyze', 'optimize', 'convert']).nullable(),
    languages: z.array(z.string().max(20)).max(100),
    format: z.enum(['webp', 'avif']),
    naming: z.enum(['original', 'seo']),
  }),
  translations: z.array(z.unknown()),
  outputs: z.array(
    z.object({
      role: z.enum(['optimized', 'converted']),
      name: z.string().min(1).max(1000),
      sha256: z.string(),
      sizeBytes: z.number().int().nonnegative(),
      type: z.enum(['jpeg', 'png', 'gif', 'webp', 'avif']),
    }),
  ),
  notes: z.array(z.string().max(500)).max(50),
  madeAt: z.string().max(40),
})

it('is read by earlier versions, and read again after they wrote it', () => {
  const rewritten = FIRST.parse(JSON.parse(JSON.stringify(Sidecar.parse(SIDECAR))))
  expect(Sidecar.parse(rewritten).outputs[0]).toMatchObject({ name: 'photo.webp', sha256: SHA })
})

it('of a later version is read for what is known, and keeps the rest when it is written again', () => {
  const [output] = SIDECAR.outputs
  const made = { metadata: 'keep-faces', quality: 80, longEdge: 1600, grain: 'fine' }
  const later = Sidecar.parse({ ...SIDECAR, outputs: [{ ...output, name: 'other.webp', made, wide: true }] })
  const merged = mergeSidecar(later, SIDECAR)
  expect(merged.outputs.find(({ name }) => name === 'other.webp')).toMatchObject({ made, wide: true })
})

it('with a shape that makes no sense is read without it', () => {
  const [output] = SIDECAR.outputs
  for (const made of [7, { metadata: 7 }, { quality: 'much' }, null])
    expect(Sidecar.parse({ ...SIDECAR, outputs: [{ ...output, made }] }).outputs[0]?.made).toBeUndefined()
})
