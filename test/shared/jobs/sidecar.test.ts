import { describe, expect, it } from 'vitest'
import { Sidecar } from '../../../src/shared/jobs/sidecar.ts'
import { makeSidecar } from '../../files/make-sidecar.ts'
import { mergeSidecar } from '../../../src/main/files/merge-sidecar.ts'

const made = { metadata: 'keep-without-location', quality: 80, longEdge: 1600 } as const
const SIDECAR = makeSidecar({
  outputs: [{ role: 'converted', name: 'photo.webp', sha256: 'a'.repeat(64), sizeBytes: 400, type: 'webp', made }],
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

describe('texts that word rules made, when the picture is done again', () => {
  const text = (seoAltText: string, marks: object = {}) => ({
    languageCode: 'en',
    seoFilename: 'n',
    seoAltText,
    ...marks,
  })
  const [byRule, persons] = [{ edited: true, byRule: true }, { edited: true }]
  const after = (there: object, made: object, of = SIDECAR.source) =>
    mergeSidecar(
      { ...SIDECAR, translations: [text('there', there)] },
      { ...SIDECAR, source: of, translations: [text('made', made)] },
    )

  it('stay as what they are, as those of a person do, and never pass for those', () => {
    expect(after(byRule, {}).translations).toEqual([text('there', byRule)])
    expect(after(persons, byRule).translations).toEqual([text('there', persons)])
    expect(after({}, byRule).translations).toEqual([text('made', byRule)])
  })

  it('are not kept as the words of a person when other content has the name', () => {
    const other = { ...SIDECAR.source, sha256: 'b'.repeat(64) }
    expect(after(byRule, {}, other).earlier).toBeUndefined()
    expect(after(persons, {}, other).earlier).toMatchObject([{ translations: [text('there', persons)] }])
  })
})
