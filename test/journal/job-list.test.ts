import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import type { JobOrder } from '../../src/shared/jobs/job-list.ts'
import { jobGroups, jobIndex } from '../../src/main/journal/job-index.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal, openJournalForReading, type Db } from '../../src/main/journal/journal.ts'
import { insertBatch } from '../../src/main/journal/batches.ts'
import { makeBatch, makeJob } from '../queue/make-job.ts'
import { folderForTest } from '../temp-folder.ts'

let dir: string
let db: Db
let store: JobStore
let gone: number
let nowMs: number

beforeEach(() => {
  dir = folderForTest()
  db = openJournal(dir)
  gone = 0
  nowMs = 1000
  store = new JobStore(
    db,
    () => nowMs,
    () => undefined,
    (jobs) => (gone += jobs),
  )
})

afterEach(() => {
  db.close()
})

function add(path: string, state: JobState = 'done', more: { batchId?: string; folderId?: string } = {}): string {
  const base = makeJob()
  const job = { ...base, ...more, state, source: { ...base.source, path } }
  store.insert(job)
  return job.id
}

describe('the index of jobs', () => {
  it('groups by the folder that a picture lies in, the one with the newest picture first', () => {
    const [a, b, c, d] = [add('/p/x/1.jpg'), add('/p/y/2.jpg'), add('/p/x/3.jpg'), add('/p/xy/4.jpg')]
    expect(jobIndex(db, {}, 'folder')).toEqual([
      { key: '/p/xy', title: '/p/xy', folderId: null, atMs: null, ids: [d] },
      { key: '/p/x', title: '/p/x', folderId: null, atMs: null, ids: [c, a] },
      { key: '/p/y', title: '/p/y', folderId: null, atMs: null, ids: [b] },
    ])
  })

  it('groups by what was started at once, in the order of the work, and by watched folder, newest first', () => {
    insertBatch(db, makeBatch('B1'), 5000)
    const [one, two] = [add('/p/a/1.jpg', 'done', { batchId: 'B1' }), add('/p/b/2.jpg', 'done', { batchId: 'B1' })]
    const old = add('/w/1.jpg', 'done', { batchId: 'B2', folderId: 'F' })
    const alone = add('/q/1.jpg', 'done', { batchId: 'gone' })
    const late = add('/w/2.jpg', 'done', { batchId: 'B3', folderId: 'F' })
    expect(jobIndex(db, {}, 'batch')).toEqual([
      { key: 'F', title: '/w', folderId: 'F', atMs: null, ids: [late, old] },
      { key: 'gone', title: '/q', folderId: null, atMs: null, ids: [alone] },
      { key: 'B1', title: '/p', folderId: null, atMs: 5000, ids: [one, two] },
    ])
  })

  it('leaves out files that Hangar made itself, which the figures of a group count', () => {
    const done = add('/p/1.jpg', 'done', { batchId: 'B1' })
    const own = makeJob({ batchId: 'B1', state: 'skipped', reason: { code: 'own_output', detail: null } })
    store.insert(own)
    add('/q/2.jpg', 'failed', { batchId: 'B2' })
    expect(jobIndex(db, { batchId: 'B1' }, 'none')[0]?.ids).toEqual([done])
    expect(jobIndex(db, { states: ['skipped'] }, 'none')[0]?.ids).toEqual([own.id])
    expect(jobGroups(db, { states: ['done'] }, 'batch')).toEqual([
      { key: 'B1', counts: { done: 1 }, savedBytes: 0, needsReview: 0, own: 1 },
      { key: 'B2', counts: { failed: 1 }, savedBytes: 0, needsReview: 0, own: 0 },
    ])
    expect(jobGroups(db, { search: '/Q/' }, 'none')).toMatchObject([{ key: '', counts: { failed: 1 } }])
  })

  it('filters by everything at once', () => {
    const wanted = add('/p/Sunny.jpg', 'failed', { batchId: 'B', folderId: 'F' })
    add('/p/sunny.jpg', 'done', { batchId: 'B', folderId: 'F' })
    add('/p/sunny.jpg', 'failed', { batchId: 'C', folderId: 'F' })
    add('/p/sunny.jpg', 'failed', { batchId: 'B' })
    add('/p/rainy.jpg', 'failed', { batchId: 'B', folderId: 'F' })
    const filter = { states: ['failed'] as JobState[], batchId: 'B', folderId: 'F', search: 'SUNNY' }
    expect(jobIndex(db, filter, 'none').flatMap(({ ids }) => ids)).toEqual([wanted])
  })

  it('finds a name whatever its case and however its accents are written', () => {
    const id = add('/p/Tu\u0308r.jpg')
    const other = add('/p/100%_a.jpg')
    for (const search of ['TÜR', 't\u0075\u0308r', 'tür.JPG'])
      expect(jobIndex(db, { search }, 'none').flatMap(({ ids }) => ids)).toEqual([id])
    expect(jobIndex(db, { search: '%_A' }, 'none').flatMap(({ ids }) => ids)).toEqual([other])
  })
})

describe('the order of the list', () => {
  const ids = (by: JobOrder['by'], descending = false, groupBy: 'none' | 'folder' = 'none') =>
    jobIndex(db, {}, groupBy, { by, descending }).flatMap((section) => section.ids)

  function addSized(path: string, sizeBytes: number, afterBytes: number | null): string {
    const base = makeJob()
    const after = { path: `${path}.o`, sha256: 'a', type: 'jpeg', state: 'published', role: 'optimized' } as const
    const outputs = afterBytes === null ? [] : [{ ...after, sizeBytes: afterBytes }]
    const job = { ...base, outputs, source: { ...base.source, path, sizeBytes } }
    store.insert(job)
    return job.id
  }

  it('is by name as people read names, whatever the folder', () => {
    const [ten, two, umlaut, other] = [add('/a/IMG_10.jpg'), add('/z/img_2.jpg'), add('/m/Über.jpg'), add('/b/Uhr.jpg')]
    expect(ids('name')).toEqual([two, ten, umlaut, other])
    expect(ids('name', true)).toEqual([other, umlaut, ten, two])
  })

  it('is by size and by what was saved, with those that have no result last either way', () => {
    const [little, none, much] = [addSized('/1', 100, 90), addSized('/2', 900, null), addSized('/3', 500, 50)]
    expect(ids('size')).toEqual([little, much, none])
    expect(ids('saving', true)).toEqual([much, little, none])
    expect(ids('saving')).toEqual([little, much, none])
  })

  it('follows a job that changes', () => {
    const [one, two] = [addSized('/1', 500, null), addSized('/2', 500, 400)]
    expect(ids('saving', true)).toEqual([two, one])
    const path = '/1.o'
    const output = { path, sha256: 'b', type: 'jpeg', state: 'published', role: 'converted', sizeBytes: 10 } as const
    const job = { ...store.get(one)!, outputs: [output], updatedAtMs: 9000 }
    db.prepare('DELETE FROM jobs WHERE id = ?').run(one)
    store.insert(job)
    expect(ids('saving', true)).toEqual([one, two])
    expect(ids('changed', true)[0]).toBe(one)
  })

  it('is by state with what needs a person first, the newest of a state first', () => {
    const [done, failed, ready, failedToo] = [add('/1'), add('/2', 'failed'), add('/3', 'ready'), add('/4', 'failed')]
    expect(ids('state')).toEqual([failedToo, failed, ready, done])
    expect(ids('added')).toEqual([done, failed, ready, failedToo])
  })

  it('is the order within groups, and the group with the newest picture stays first', () => {
    const [b, a, c] = [add('/x/b.jpg'), add('/x/a.jpg'), add('/y/c.jpg')]
    expect(ids('name', false, 'folder')).toEqual([c, a, b])
  })
})

describe('a job that is removed', () => {
  it('is nowhere any more, and is back as it was when it is put back', () => {
    const [a, b] = [add('/p/1.jpg'), add('/p/2.jpg', 'skipped')]
    const before = { index: jobIndex(db, {}, 'folder'), counts: store.count(), jobs: store.list() }
    expect(store.remove({ ids: [a, b], states: [], kind: 'settled' }, 'undo')).toEqual({ removed: 2, left: {} })
    expect(jobIndex(db, {}, 'none')).toEqual([])
    expect(store.get(a)).toBeNull()
    expect(store.list({ states: ['done', 'skipped'] })).toEqual([])
    expect(store.count()).toMatchObject({ done: 0, skipped: 0 })
    expect(store.putBack({ undoId: 'undo', ids: [] })).toBe(2)
    expect({ index: jobIndex(db, {}, 'folder'), counts: store.count(), jobs: store.list() }).toEqual(before)
  })

  it('was at an end: what still moves or waits stays', () => {
    const ready = add('/p/1.jpg', 'ready')
    const held = add('/p/2.jpg', 'held')
    add('/p/3.jpg', 'done')
    const both = { ids: [ready, held], states: [] }
    for (const kind of ['settled', 'unsettled'] as const)
      expect(store.remove({ ...both, kind }, 'undo')).toEqual({ removed: 0, left: { ready: 1, held: 1 } })
    const byState = { ids: [], states: ['done', 'ready'] as JobState[], kind: 'settled' as const }
    expect(store.remove(byState, 'undo')).toEqual({ removed: 1, left: { ready: 1 } })
  })

  it('never goes together with one that needs a person', () => {
    const [done, failed, unknown] = [add('/p/1.jpg'), add('/p/2.jpg', 'failed'), add('/p/3.jpg', 'unknown')]
    const all = { ids: [done, failed, unknown], states: [] }
    expect(store.remove({ ...all, kind: 'settled' }, 'a')).toEqual({ removed: 1, left: { failed: 1, unknown: 1 } })
    expect(store.count()).toMatchObject({ done: 0, failed: 1, unknown: 1 })
    store.putBack({ undoId: 'a', ids: [] })
    expect(store.remove({ ...all, kind: 'unsettled' }, 'b')).toEqual({ removed: 2, left: { done: 1 } })
    const states = ['done', 'failed', 'unknown'] as JobState[]
    store.putBack({ undoId: null, ids: [] })
    expect(store.remove({ ids: [], states, kind: 'settled' }, 'c')).toEqual({
      removed: 1,
      left: { failed: 1, unknown: 1 },
    })
  })

  it('is found again among the removed, and put back by itself or with the last that were removed', () => {
    const [a, b, c] = [add('/p/1.jpg'), add('/p/2.jpg'), add('/p/3.jpg')]
    store.remove({ ids: [a, b], states: [], kind: 'settled' }, 'first')
    nowMs += 1
    store.remove({ ids: [c], states: [], kind: 'settled' }, 'second')
    expect(jobIndex(db, { removed: true }, 'none')[0]?.ids).toEqual([c, b, a])
    expect(store.list({ removed: true, states: ['done'] }).map(({ id }) => id)).toEqual([a, b, c])
    expect(store.getAny(a)?.id).toBe(a)
    expect(store.putBack({ undoId: null, ids: [] })).toBe(1)
    expect(jobIndex(db, {}, 'none')[0]?.ids).toEqual([c])
    expect(store.putBack({ undoId: null, ids: [a] })).toBe(1)
    expect(jobIndex(db, { removed: true }, 'none')[0]?.ids).toEqual([b])
  })

  it('is not cleared with the others, nor counted among them, and can still be put back', () => {
    const id = add('/p/1.jpg')
    add('/p/2.jpg')
    store.remove({ ids: [id], states: [], kind: 'settled' }, 'undo')
    expect(store.clearSettled(nowMs + 10_000)).toBe(1)
    expect(store.putBack({ undoId: 'undo', ids: [] })).toBe(1)
    expect(store.count()).toMatchObject({ done: 1 })
  })

  it('makes room for another one of its file', () => {
    const id = add('/p/1.jpg', 'failed')
    store.remove({ ids: [id], states: [], kind: 'unsettled' }, 'undo')
    add('/p/1.jpg', 'ready')
    expect(store.putBack({ undoId: 'undo', ids: [] })).toBe(0)
    expect(store.count()).toMatchObject({ ready: 1, failed: 0 })
  })
})

it('is told when a job leaves the list because its file needs nothing or has another one', () => {
  add('/p/1.jpg', 'failed')
  add('/p/1.jpg', 'ready')
  expect(gone).toBe(1)
  add('/p/2.jpg', 'skipped')
  add('/p/2.jpg', 'cancelled')
  store.forgetEnded('/p/2.jpg')
  expect(gone).toBe(3)
})

describe('How many jobs there are in each state', () => {
  it('is kept in step with each change, and counted where only some are asked for or another program writes', () => {
    const job = makeJob()
    store.insert(job)
    expect(store.count()).toMatchObject({ ready: 1, cancelled: 0 })
    store.apply(job.id, { type: 'cancel' })
    expect(store.count()).toMatchObject({ ready: 0, cancelled: 1 })
    expect(store.count({ batchId: job.batchId })).toMatchObject({ ready: 0, cancelled: 1 })
    expect(store.count({ batchId: 'another' })).toMatchObject({ cancelled: 0 })
    const reader = openJournalForReading(dir)
    const reading = new JobStore(reader, () => nowMs)
    expect(reading.count()).toMatchObject({ cancelled: 1 })
    store.insert(makeJob())
    expect(reading.count()).toMatchObject({ ready: 1, cancelled: 1 })
    reader.close()
  })

  it('is right after jobs were taken off the list, purged and put back', () => {
    const counting = new JobStore(db, () => nowMs)
    const [a, b, c] = [add('/a.jpg', 'skipped'), add('/b.jpg'), add('/c.jpg', 'skipped')]
    const listed = () => counting.list({ states: ['skipped'] }).map(({ id }) => id)
    expect(listed()).toEqual([a, c])
    counting.remove({ ids: [a, b], states: [], kind: 'settled' }, 'first')
    nowMs += 1000
    counting.remove({ ids: [c], states: [], kind: 'settled' }, 'second')
    expect(listed()).toEqual([])
    while (counting.purge(nowMs));
    expect(counting.putBack({ undoId: 'first', ids: [] })).toBe(0)
    expect(counting.putBack({ undoId: 'second', ids: [] })).toBe(1)
    expect(listed()).toEqual([c])
    expect(counting.purge(nowMs + 1)).toBe(false)
  })
})
