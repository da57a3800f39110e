import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { WordRules } from '../../src/shared/recipes/word-rules.ts'
import { editsOf, recordEdit, wordsOf } from '../../src/main/journal/text-edits.ts'
import { writeEdits } from '../../src/main/queue/write-edits.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

makeBenchForEachTest()

const SECOND = 1000
/** The service of the bench calls every picture "b". */
const HERON = WordRules.parse([{ kind: 'replace', from: 'b', to: 'A heron' }])

const done = (rules = HERON) => bench.done('1', '1', { recipe: { rules } })

const shaOf = (job: Job) => job.image!.sha256
const inSidecar = (job: Job) => bench.files.sidecars.get(`${job.source.path}.alt.json`)!.translations[0]

describe('a text that comes from the service', () => {
  it('is changed by the rules of the recipe, and the service’s own is kept', async () => {
    const job = await done()
    expect(job.result!.translations).toEqual([{ languageCode: 'en', seoFilename: 'a', seoAltText: 'b' }])
    expect(wordsOf(bench.db, job).texts).toMatchObject([{ altText: 'A heron', original: 'b', byRule: true }])
    expect(inSidecar(job)).toMatchObject({ seoAltText: 'A heron', edited: true, byRule: true })
    expect(job.notes).toContainEqual({ code: 'words_changed', detail: 'en' })
    expect(editsOf(bench.db, shaOf(job))).toMatchObject([{ written: 'all' }])
  })

  it('is only reported where a rule flags it', async () => {
    const rules = WordRules.parse([{ kind: 'never', words: 'b' }])
    const job = await done(rules)
    expect(wordsOf(bench.db, job).texts).toMatchObject([{ altText: 'b', original: null }])
    expect(inSidecar(job)).toEqual(job.result!.translations[0])
    expect(job.notes.filter(({ code }) => code !== 'converted_larger')).toEqual([
      { code: 'words_flagged', detail: 'b (en)' },
    ])
  })
})

describe('a text of a person', () => {
  it('stays when the picture is sent again, whatever the rules', async () => {
    const job = await done([])
    recordEdit(bench.db, shaOf(job), 'en', 'mine', 0)
    const again = await bench.add('1', '1', { recipe: { rules: HERON }, force: true, batchId: 'again' })
    await bench.clock.advance(60 * SECOND)
    expect(bench.get(again).state).toBe('done')
    expect(wordsOf(bench.db, bench.get(again)).texts).toMatchObject([{ altText: 'mine' }])
    expect(wordsOf(bench.db, bench.get(again)).texts[0]).not.toHaveProperty('byRule')
    expect(inSidecar(job)).toMatchObject({ seoAltText: 'mine', edited: true })
    expect(inSidecar(job)?.byRule).toBeUndefined()
  })

  it('takes the place of what a rule made, and is no rule’s any more', async () => {
    const job = await done()
    recordEdit(bench.db, shaOf(job), 'en', 'mine', 0)
    await writeEdits(bench.context, job, shaOf(job))
    expect(inSidecar(job)).toEqual({ languageCode: 'en', seoFilename: 'a', seoAltText: 'mine', edited: true })
  })
})

describe('changed rules', () => {
  it('make no picture be paid again, and no finished picture be done again', async () => {
    const job = await done([])
    expect(bench.service.charges).toHaveLength(1)
    await expect(bench.add('1', '1', { recipe: { rules: HERON } })).rejects.toThrow('taken in as')
    // Another recipe in other respects too: its files are made again for free, and the texts stay until a person says otherwise.
    const other = await bench.add('1', '1', { recipe: { rules: HERON, quality: 50 } })
    expect(other.paidKey).toBe(job.paidKey)
    await bench.clock.advance(60 * SECOND)
    expect(bench.get(other).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
    expect(wordsOf(bench.db, bench.get(other)).texts).toMatchObject([{ altText: 'b', original: null }])
  })

  it('change what earlier rules made when the service gives a new text', async () => {
    const job = await done()
    const rules = WordRules.parse([{ kind: 'replace', from: 'b', to: 'A crane' }])
    const again = await bench.add('1', '1', { recipe: { rules }, force: true, batchId: 'again' })
    await bench.clock.advance(60 * SECOND)
    expect(wordsOf(bench.db, bench.get(again)).texts).toMatchObject([{ altText: 'A crane', byRule: true }])
    expect(inSidecar(job)).toMatchObject({ seoAltText: 'A crane', edited: true, byRule: true })
  })

  it.each([
    ['that change nothing', WordRules.parse([{ kind: 'never', words: 'c' }])],
    ['that are none', []],
  ])('%s leave nothing of what earlier rules made when the service gives a new text', async (_, rules) => {
    const job = await done()
    const without = await bench.add('1', '1', { recipe: { rules }, force: true, batchId: 'again' })
    await bench.clock.advance(60 * SECOND)
    expect(wordsOf(bench.db, bench.get(without)).texts).toMatchObject([{ altText: 'b', original: null }])
    expect(inSidecar(job)).not.toHaveProperty('edited')
  })
})
