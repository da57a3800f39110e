import { expect, it } from 'vitest'
import { Documents } from '../../src/main/journal/documents.ts'
import { recordName } from '../../src/main/journal/text-edits.ts'
import { renameResults } from '../../src/main/queue/rename-results.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

makeBenchForEachTest()

const plans = () => bench.db.prepare(`SELECT key FROM documents WHERE kind = 'rename'`).pluck().all()
const listed = () => bench.files.sidecars.get('/pictures/1.jpg.alt.json')!.outputs.map(({ name }) => name)
const known = () => bench.db.prepare(`SELECT path FROM outputs WHERE role <> 'sidecar'`).pluck().all()

it('results have their new names planned, in the journal and in the sidecar, before they are renamed', async () => {
  const job = await bench.done('1', '1', { recipe: { naming: 'seo' } })
  const [names, paths] = [listed(), known()]
  recordName(bench.db, job.image!.sha256, 'en', 'heron', 0)
  const { files } = bench
  let checked = 0
  files.rename = async ({ dir, name, sha256 }, nth, onPlanned) => {
    const [from, to] = [`${dir}/${name}`, `${dir}/${nth(1, 255)}`]
    await onPlanned(to)
    expect(plans()).toEqual([from])
    const planned = bench.db.prepare('SELECT sha256, state FROM outputs WHERE path = ?').get(to)
    expect(planned).toEqual({ sha256, state: 'planned' })
    expect(listed()).toEqual(expect.arrayContaining([name, nth(1, 255)]))
    checked += 1
    throw new Error('it cannot be renamed')
  }
  files.finishRename = () => Promise.resolve(false)
  const documents = new Documents(bench.db)
  await expect(renameResults(bench.context, documents, job.id, { back: false })).rejects.toThrow('cannot be renamed')
  expect(checked).toBe(1)
  // And then all is as it was.
  expect([plans(), listed().toSorted(), known()]).toEqual([[], names.toSorted(), paths])
})

it('results of one picture keep their way back when another picture is asked to go back', async () => {
  const [one, other] = [await bench.done('1', '1'), await bench.done('2', '2')]
  const documents = new Documents(bench.db)
  documents.put('renamed', 'last', { jobId: one.id, files: [] })
  await renameResults(bench.context, documents, other.id, { back: true })
  expect(bench.db.prepare(`SELECT count(*) FROM documents WHERE kind = 'renamed'`).pluck().get()).toBe(1)
})
