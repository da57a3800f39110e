import { js2xliff, xliff2js } from 'xliff'
import { describe, expect, it } from 'vitest'
import { readXliff } from '../../src/main/core/read-xliff.ts'
import { exportTexts } from '../../src/main/page/export-texts.ts'
import { oddJobs } from './odd-exports.ts'

// `xliff` is a reader and a writer of its own. What it writes lacks the paths of the files, their states and our marks of white space.
describe('a document for translators, in the hands of another program', () => {
  const document = exportTexts(oddJobs(), { format: 'xliff', from: 'en', to: 'de' }, false).text

  it('has for it what it has for us', async () => {
    const { resources, sourceLanguage, targetLanguage } = await xliff2js(document)
    expect([sourceLanguage, targetLanguage]).toEqual(['en', 'de'])
    const theirs = Object.values(resources).map(({ alt, seo_name: name }) => [alt?.target, name?.target])
    // A copy of the source says nothing as long as a segment is new, and these are not.
    const ours = readXliff(document).texts.map(({ altText, seoFilename }) => [altText, seoFilename])
    expect(ours.length).toBeGreaterThan(14)
    expect(theirs.map((pair) => pair.map((words) => words?.trim()))).toEqual(ours)
  })

  it('comes back from it with each translation at its picture', async () => {
    const read = await xliff2js(document)
    for (const units of Object.values(read.resources))
      for (const unit of Object.values(units)) unit.target = `Übersetzt: ${unit.source}`
    const written = await js2xliff(read)
    expect(written).not.toContain('original=')
    const [before, after] = [readXliff(document).texts, readXliff(written).texts]
    expect(after.map(({ path }) => path)).toEqual(before.map(({ path }) => path))
    expect(after[0]).toEqual({
      path: '/pictures/0/plain.jpg',
      sha256: before[0]?.sha256,
      languageCode: 'de',
      altText: 'Übersetzt: A red hangar',
      seoFilename: 'Übersetzt: A red hangar',
    })
    expect(after.map(({ sha256 }) => sha256?.length)).toEqual(before.map(() => 64))
    expect(after.map(({ path }) => path)).toContain('/pictures/5/ü_%2e🛩.jpg')
    for (const { altText } of after) expect(altText).toMatch(/^Übersetzt: /)
  })
})
