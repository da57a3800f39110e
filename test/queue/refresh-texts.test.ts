import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { isOutputHash } from '../../src/main/journal/outputs.ts'
import { markStale } from '../../src/main/journal/stale-texts.ts'
import { refreshTexts } from '../../src/main/queue/refresh-texts.ts'
import { recordEdit } from '../../src/main/journal/text-edits.ts'
import { hashOf } from '../simulation/memory-files.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

makeBenchForEachTest()

const SECOND = 1000
const RECIPE = { recipe: { embedTexts: true } }
const OPTIMIZED = '/pictures/1-optimized.jpg'
const CONVERTED = '/pictures/1.webp'

const done = () => bench.done('1', '1', RECIPE)

function edit(job: Job, altText: string): void {
  markStale(bench.db, [job])
  recordEdit(bench.db, job.image!.sha256, 'en', altText, 0)
}

/** The process ends each time that a file has its new bytes. */
function crashAfterExchange(): void {
  const exchange = bench.files.exchange.bind(bench.files)
  bench.files.exchange = async (...request) => {
    await exchange(...request)
    throw new Error('the process ends here')
  }
}

const textIn = (path: string): string => bench.files.disk.get(path)!.bytes.toString().split(' texts:')[1] ?? ''
const stale = () => bench.db.prepare('SELECT path, planned_sha256 FROM stale_texts ORDER BY path').all()

/** The journal, the job and the sidecar know each file as it is. */
function expectInStep(job: Job, altText: string): void {
  expect(stale()).toEqual([])
  for (const path of [OPTIMIZED, CONVERTED]) {
    expect(textIn(path), path).toContain(altText)
    const sha256 = hashOf(bench.files.disk.get(path)!.bytes)
    expect(bench.get(job).outputs.find((output) => output.path === path)).toMatchObject({ sha256, state: 'published' })
    expect(bench.db.prepare('SELECT sha256 FROM outputs WHERE path = ?').pluck().get(path)).toBe(sha256)
    const listed = bench.files.sidecars.get('/pictures/1.jpg.alt.json')!.outputs
    expect(listed.filter(({ name }) => path.endsWith(`/${name}`)).map((output) => output.sha256)).toEqual([sha256])
  }
}

describe('files whose texts were edited', () => {
  it('have their new bytes known, and noted in the sidecar beside the earlier ones, before these make way', async () => {
    const job = await done()
    edit(job, 'A heron')
    const { files } = bench
    const exchange = files.exchange.bind(files)
    let checked = 0
    files.exchange = (place, staged, recorded, onPlanned) =>
      exchange(place, staged, recorded, async () => {
        await onPlanned()
        expect(isOutputHash(bench.db, staged.sha256)).toBe(true)
        expect(isOutputHash(bench.db, recorded)).toBe(true)
        const hashes = files.sidecars.get('/pictures/1.jpg.alt.json')!.outputs.map(({ sha256 }) => sha256)
        expect(hashes).toEqual(expect.arrayContaining([recorded, staged.sha256]))
        checked += 1
      })
    expect(await refreshTexts(bench.context)).toEqual([])
    expect(checked).toBe(2)
    expectInStep(job, 'A heron')
  })

  it('are found as done where a crash came between their new bytes and the journal', async () => {
    const job = await done()
    edit(job, 'A heron')
    crashAfterExchange()
    expect(await refreshTexts(bench.context)).toMatchObject([{ why: 'failed' }, { why: 'failed' }])
    bench.files.exchange = () => Promise.reject(new Error('nothing is left to be exchanged'))
    expect(await refreshTexts(bench.context)).toEqual([])
    expectInStep(job, 'A heron')
    bench.problems.length = 0
  })

  it('get a text that is edited again while the one before is on its way', async () => {
    const job = await done()
    edit(job, 'A heron')
    const { files } = bench
    const exchange = files.exchange.bind(files)
    const again: Promise<unknown>[] = []
    files.exchange = async (...request) => {
      const outcome = await exchange(...request)
      if (again.length === 0) {
        edit(job, 'A grey heron')
        again.push(refreshTexts(bench.context))
      }
      return outcome
    }
    await refreshTexts(bench.context)
    await Promise.all(again)
    expectInStep(job, 'A grey heron')
  })

  it('get a text that is edited after a crash before what was begun is ended', async () => {
    const job = await done()
    edit(job, 'A heron')
    const exchange = bench.files.exchange.bind(bench.files)
    crashAfterExchange()
    await refreshTexts(bench.context)
    bench.files.exchange = exchange
    edit(job, 'A grey heron')
    expect(await refreshTexts(bench.context)).toEqual([])
    expectInStep(job, 'A grey heron')
    bench.problems.length = 0
  })

  it('wait while the disk is full, and while their drive is away', async () => {
    const job = await done()
    edit(job, 'A heron')
    const { files } = bench
    files.fault = 'disk_full'
    expect(await refreshTexts(bench.context)).toEqual([
      { name: '1-optimized.jpg', why: 'failed' },
      { name: '1.webp', why: 'failed' },
    ])
    files.fault = null
    const kept = files.disk.get(CONVERTED)!
    files.disk.delete(CONVERTED)
    files.isFolder = async () => false
    expect(await refreshTexts(bench.context)).toEqual([{ name: '1.webp', why: 'away' }])
    files.disk.set(CONVERTED, kept)
    expect(await refreshTexts(bench.context)).toEqual([])
    expectInStep(job, 'A heron')
    bench.problems.length = 0
  })

  it('get a text that was edited while the picture was being written', async () => {
    const job = await bench.add('1', '1', RECIPE)
    const { files } = bench
    const publish = files.publish.bind(files)
    files.publish = (...request) => {
      edit(bench.get(job), 'A heron')
      return publish(...request)
    }
    await bench.run(60 * SECOND)
    expect(bench.get(job).state).toBe('done')
    expectInStep(job, 'A heron')
  })

  it('are left to the job that is writing them again', async () => {
    const job = await done()
    const forced = await bench.add('1', '1', { ...RECIPE, force: true, batchId: 'again' })
    const { files } = bench
    const publish = files.publish.bind(files)
    files.publish = async (...request) => {
      edit(bench.get(job), 'A heron')
      expect(await refreshTexts(bench.context)).toEqual([])
      return publish(...request)
    }
    await bench.clock.advance(60 * SECOND)
    expect(bench.get(forced).state).toBe('done')
    expectInStep(forced, 'A heron')
  })
})
