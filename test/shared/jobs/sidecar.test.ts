import { expect, it } from 'vitest'
import { Sidecar } from '../../../src/shared/jobs/sidecar.ts'
import { makeSidecar } from '../../files/make-sidecar.ts'
import { mergeSidecar } from '../../../src/main/files/merge-sidecar.ts'

const SHA = 'a'.repeat(64)

const SIDECAR = makeSidecar({
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
