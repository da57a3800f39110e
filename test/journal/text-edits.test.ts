import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { editsOf, recordEdit } from '../../src/main/journal/text-edits.ts'
import { writeEdits } from '../../src/main/queue/write-edits.ts'
import { bench, makeBenchForEachTest } from '../queue/bench-for-each-test.ts'

makeBenchForEachTest()

const SECOND = 1000

const shaOf = (job: Job) => job.image!.sha256
const change = (job: Job, altText: string | null) => recordEdit(bench.db, shaOf(job), 'en', altText, 0)
const inSidecar = (job: Job) => bench.files.sidecars.get(`${job.source.path}.alt.json`)!.translations[0]

describe("a person's text that cannot be written now", () => {
  it('waits in the journal and is written with the next chance', async () => {
    const job = await bench.done('1')
    change(job, 'mine')
    bench.files.fault = 'not_writable'
    await expect(writeEdits(bench.context, job, shaOf(job))).rejects.toMatchObject({ code: 'not_writable' })
    expect(editsOf(bench.db, shaOf(job))).toEqual([
      { languageCode: 'en', altText: 'mine', seoFilename: null, written: 'seoFilename', byRule: false },
    ])
    bench.files.fault = null
    expect(await writeEdits(bench.context, job, shaOf(job))).toBeNull()
    expect(inSidecar(job)).toMatchObject({ seoAltText: 'mine', edited: true })
    expect(editsOf(bench.db, shaOf(job))).toMatchObject([{ written: 'all' }])
  })

  it('is taken back also when the taking back could not be written', async () => {
    const job = await bench.done('1')
    const service = inSidecar(job)!.seoAltText
    change(job, 'mine')
    await writeEdits(bench.context, job, shaOf(job))
    change(job, null)
    bench.files.fault = 'disk_full'
    await expect(writeEdits(bench.context, job, shaOf(job))).rejects.toThrow()
    bench.files.fault = null
    await writeEdits(bench.context, job, shaOf(job))
    expect(inSidecar(job)).toEqual({ ...job.result!.translations[0], seoAltText: service })
    expect(editsOf(bench.db, shaOf(job))).toEqual([])
  })

  it('is not taken for written when it was changed while that was done', async () => {
    const job = await bench.done('1')
    change(job, 'first')
    const { files } = bench
    const write = files.editSidecar.bind(files)
    files.editSidecar = async (...request) => {
      const outcome = await write(...request)
      change(job, 'second')
      return outcome
    }
    await writeEdits(bench.context, job, shaOf(job))
    expect(editsOf(bench.db, shaOf(job))).toMatchObject([{ altText: 'second', written: 'seoFilename' }])
  })
})

it('is part of the first sidecar of a file with the same content', async () => {
  const job = await bench.done('1')
  change(job, 'mine')
  await writeEdits(bench.context, job, shaOf(job))
  const copy = await bench.add('copy', '1')
  await bench.clock.advance(60 * SECOND)
  expect(bench.get(copy).state).toBe('done')
  expect(inSidecar(copy)).toMatchObject({ seoAltText: 'mine', edited: true })
  expect(bench.service.charges).toHaveLength(1)
})
