import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { lockDataFolder } from '../../src/main/journal/data-folder.ts'
import { JobStore, type JobChange } from '../../src/main/journal/job-store.ts'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import { findOutput, isOutputHash } from '../../src/main/journal/outputs.ts'
import {
  AlreadyDispatched,
  dispatchCount,
  findPayment,
  lostInARow,
  paymentFor,
} from '../../src/main/journal/payments.ts'
import { makeJob, SOME_RESULT } from '../queue/make-job.ts'
import { folderForTest } from '../temp-folder.ts'

let dir: string
let db: Db
let changes: JobChange[]
let store: JobStore

const open = () => {
  db = openJournal(dir)
  changes = []
  store = new JobStore(
    db,
    () => 5000,
    (change) => changes.push(change),
  )
}

beforeEach(() => {
  dir = folderForTest()
  open()
})

afterEach(() => {
  db.close()
})

function added(changes: Parameters<typeof makeJob>[0] = {}): Job {
  const job = makeJob(changes)
  store.insert(job)
  return job
}

const dispatch = (id: string) => store.apply(id, { type: 'dispatch', accountId: 'A' })
const accept = (id: string, remoteJobId = 'R1') => store.apply(id, { type: 'accepted', remoteJobId })
const complete = (id: string) => store.apply(id, { type: 'completed', result: SOME_RESULT, download: true })

const reopen = () => {
  db.close()
  open()
}

describe('the journal', () => {
  it('gives back every job as it was after it was closed and opened again', () => {
    const job = added()
    dispatch(job.id)
    reopen()
    expect(store.get(job.id)).toEqual({ ...job, state: 'sending', accountId: 'A', sentAtMs: 5000, updatedAtMs: 5000 })
  })

  it('keeps a job whose service said more than a row may hold', () => {
    const job = added()
    dispatch(job.id)
    const detail = `422: ${'no '.repeat(400)}`
    store.apply(job.id, { type: 'fail', reason: { code: 'rejected_by_service', detail: { raw: detail } } })
    reopen()
    expect(store.get(job.id)?.reason).toEqual({ code: 'rejected_by_service', detail: { raw: detail.slice(0, 500) } })
  })

  it('tells of a change only after it is written', () => {
    const job = added()
    const other = new Database(join(dir, 'journal.db'), { readonly: true })
    const seen: unknown[] = []
    store = new JobStore(
      db,
      () => 5000,
      ({ job: changed }) => seen.push(other.prepare('SELECT state FROM jobs WHERE id = ?').pluck().get(changed.id)),
    )
    store.apply(job.id, { type: 'cancel' })
    expect(seen).toEqual(['cancelled'])
    other.close()
  })

  it('puts rows that no longer parse into quarantine and goes on with the others', () => {
    const [broken, odd, good] = [added(), added(), added()]
    db.prepare(`UPDATE jobs SET doc = '{"half' WHERE id = ?`).run(broken.id)
    db.prepare(`UPDATE jobs SET doc = json_set(doc, '$.state', 'dancing') WHERE id = ?`).run(odd.id)
    expect(store.list().map(({ id }) => id)).toEqual([good.id])
    expect(db.prepare('SELECT key FROM quarantine ORDER BY key').pluck().all()).toEqual([broken.id, odd.id])
    expect(store.list()).toHaveLength(1)
  })

  it('puts rows with the document of another job, or of another time, into quarantine', () => {
    const [another, older, moved, good] = [added(), added(), added(), added()]
    db.prepare(`UPDATE jobs SET path = '/elsewhere' WHERE id = ?`).run(moved.id)
    db.prepare('UPDATE jobs SET doc = (SELECT doc FROM jobs WHERE id = ?) WHERE id = ?').run(good.id, another.id)
    db.prepare(`UPDATE jobs SET doc = json_set(doc, '$.state', 'done') WHERE id = ?`).run(older.id)
    expect(store.list().map(({ id }) => id)).toEqual([good.id])
    const odd = [another, older, moved].map(({ id }) => id)
    expect(db.prepare('SELECT key FROM quarantine').pluck().all().toSorted()).toEqual(odd.toSorted())
  })

  it('is used by one engine at a time, and free again when that one is gone', () => {
    const lock = lockDataFolder(dir)
    expect(() => lockDataFolder(dir)).toThrow(/Another Hangar/)
    lock.release()
    lockDataFolder(dir).release()
  })
})

describe('jobs that wait for a service', () => {
  const waiting = () => store.waitingAt(makeJob().serviceId).map(({ id }) => id)
  const sent = (remoteJobId: string) => {
    const { id } = added({ paidKey: `key of ${remoteJobId}` })
    dispatch(id)
    accept(id, remoteJobId)
    return id
  }

  it('are given as they are now, oldest first, whenever they came', () => {
    expect(waiting()).toEqual([])
    const late = added({ paidKey: 'key of late' })
    const [a, b] = [sent('R1'), sent('R2')]
    expect(waiting()).toEqual([a, b])
    dispatch(late.id)
    accept(late.id, 'R3')
    expect(waiting()).toEqual([late.id, a, b])
    store.apply(a, { type: 'notYet', atMs: 4000 })
    expect(store.waitingAt(makeJob().serviceId)).toEqual(store.list({ states: ['waiting'] }))
    complete(a)
    expect(waiting()).toEqual([late.id, b])
    expect(store.waitingAt('https://another.example')).toEqual([])
    reopen()
    expect(waiting()).toEqual([late.id, b])
  })

  it('are read again after something else changed them, or when a row turns out to be broken', () => {
    const [a, b] = [sent('R1'), sent('R2')]
    expect(waiting()).toEqual([a, b])
    db.prepare(`UPDATE jobs SET doc = json_set(doc, '$.polls', 7) WHERE id = ?`).run(a)
    store.readAgain()
    expect(store.waitingAt(makeJob().serviceId)[0]?.polls).toBe(7)
    db.prepare(`UPDATE jobs SET doc = '{"half' WHERE id = ?`).run(a)
    expect(store.get(a)).toBeNull()
    expect(waiting()).toEqual([b])
  })
})

it('reading each job gives what a list gives, in either order, also where a whole page is broken', () => {
  for (let nth = 0; nth < 1_100; nth += 1) store.insert({ ...makeJob(), batchId: nth % 2 === 0 ? 'even' : 'odd' })
  for (const query of [{}, { batchId: 'odd' }, { newestFirst: true }, { newestFirst: true, batchId: 'even' }])
    expect([...store.each(query)].map(({ id }) => id)).toEqual(store.list(query).map(({ id }) => id))
  const ids = store.list().map(({ id }) => id)
  db.prepare(`UPDATE jobs SET doc = '{"half' WHERE id < ?`).run(ids[600])
  expect([...store.each()].map(({ id }) => id)).toEqual(ids.slice(600))
})

describe('payments', () => {
  it('lets nothing send the same content a second time, under whatever job', () => {
    const first = added()
    const twin = added({ paidKey: first.paidKey })
    dispatch(first.id)
    expect(() => dispatch(twin.id)).toThrow(AlreadyDispatched)
    accept(first.id)
    expect(() => dispatch(twin.id)).toThrow(AlreadyDispatched)
    complete(first.id)
    expect(() => dispatch(twin.id)).toThrow(AlreadyDispatched)
    expect(store.get(twin.id)?.state).toBe('ready')
    expect(findPayment(db, first.paidKey!)).toMatchObject({ state: 'paid', result: SOME_RESULT })
    expect(dispatchCount(db, first.paidKey!)).toBe(1)
  })

  it('keeps a doubt through a restart, through dropping the job and through clearing the list', () => {
    const job = added()
    dispatch(job.id)
    reopen()
    store.apply(job.id, { type: 'restart' })
    store.apply(job.id, { type: 'drop' })
    expect(store.clearSettled(6000)).toBe(1)
    const again = added({ paidKey: job.paidKey })
    expect(() => dispatch(again.id)).toThrow(AlreadyDispatched)
  })

  it('allows the one resend that a person orders, and keeps the doubt if it never left', () => {
    const job = added()
    dispatch(job.id)
    store.apply(job.id, { type: 'unknown', reason: { code: 'unclear_answer', detail: null } })
    store.apply(job.id, { type: 'resend' })
    dispatch(job.id)
    store.apply(job.id, { type: 'notSent', reason: null, notBeforeMs: null, countsAsAttempt: false })
    expect(findPayment(db, job.paidKey!)?.state).toBe('unknown')
    dispatch(job.id)
    accept(job.id, 'R2')
    expect(dispatchCount(db, job.paidKey!)).toBe(2)
  })

  it('takes a retry of what is held for no order to send again what another job of that content sent meanwhile', () => {
    const sent = added({ force: true })
    const paidKey = sent.paidKey!
    const held = added({ force: true, paidKey })
    store.apply(held.id, { type: 'hold', reason: { code: 'credits_short', detail: null } })
    dispatch(sent.id)
    accept(sent.id)
    complete(sent.id)
    store.apply(held.id, { type: 'retry' })
    expect(() => dispatch(held.id)).toThrow(AlreadyDispatched)
    expect(dispatchCount(db, paidKey)).toBe(1)
  })

  it('counts what was lost in a row in the order in which it left, also after the clock was set back', () => {
    let nowMs = 9000
    store = new JobStore(db, () => nowMs)
    for (const event of ['accepted', 'unknown', 'unknown'] as const) {
      const job = added()
      dispatch(job.id)
      if (event === 'accepted') store.apply(job.id, { type: event, remoteJobId: 'R1' })
      else store.apply(job.id, { type: event, reason: { code: 'unclear_answer', detail: null } })
      nowMs -= 1000
    }
    const { serviceId } = makeJob()
    expect(['A', 'B'].map((account) => lostInARow(db, serviceId, account))).toEqual([2, 0])
  })

  it('forgets a dispatch that certainly did not happen', () => {
    const job = added()
    dispatch(job.id)
    store.apply(job.id, { type: 'notSent', reason: null, notBeforeMs: null, countsAsAttempt: false })
    expect(findPayment(db, job.paidKey!)).toBeNull()
    dispatch(job.id)
  })
})

describe('a result that only a sidecar lists', () => {
  const paidKey = 'service|content|process'
  const other = { ...SOME_RESULT, imageId: 'NOT-HERE' }

  /** A job that lives on a sidecar's word, and one with the same content that this journal has paid for. */
  function toldAndPaid() {
    const told = added({ paidKey, result: other, remoteJobId: 'R-TOLD' })
    const paid = added({ paidKey })
    store.apply(told.id, { type: 'reuse', result: other, remoteJobId: 'R-TOLD', download: true })
    dispatch(paid.id)
    accept(paid.id)
    complete(paid.id)
    return { told, paid }
  }

  it('changes nothing about what was paid for here, whatever the service does with it', () => {
    const { told } = toldAndPaid()
    const before = findPayment(db, paidKey)
    store.apply(told.id, { type: 'fail', reason: { code: 'download_gone', detail: null } })
    expect(findPayment(db, paidKey)).toEqual(before)
    store.apply(told.id, { type: 'pollAgain' })
    store.apply(told.id, { type: 'completed', result: other, download: true })
    expect(findPayment(db, paidKey)).toEqual(before)
    store.apply(told.id, { type: 'fail', reason: { code: 'download_gone', detail: null } })
    store.apply(told.id, { type: 'pollAgain' })
    store.apply(told.id, { type: 'unknown', reason: { code: 'unclear_answer', detail: null } })
    expect(findPayment(db, paidKey)).toEqual(before)
  })

  it('is not used again once the service no longer has it and a person has it tried again', () => {
    const told = added({ paidKey, result: other, remoteJobId: 'R-TOLD' })
    expect(paymentFor(db, told)).toMatchObject({ state: 'paid', result: other })
    store.apply(told.id, { type: 'reuse', result: other, remoteJobId: 'R-TOLD', download: true })
    expect(findPayment(db, paidKey)).toBeNull()
    store.apply(told.id, { type: 'cancel' })
    expect(paymentFor(db, store.apply(told.id, { type: 'retry' }))).toMatchObject({ state: 'paid', result: other })
    store.apply(told.id, { type: 'fail', reason: { code: 'download_gone', detail: null } })
    expect(paymentFor(db, store.apply(told.id, { type: 'retry' }))).toBeNull()
  })
})

it('outputs are known by their hash from before their name is taken, and for good', () => {
  const job = added({ paidKey: null })
  store.apply(job.id, { type: 'workHere' })
  const output = {
    role: 'converted',
    path: '/pictures/1.webp',
    sha256: 'f'.repeat(64),
    sizeBytes: 5,
    type: 'webp',
    state: 'planned',
  } as const
  store.apply(job.id, { type: 'planned', output })
  reopen()
  expect(findOutput(db, output.path)).toMatchObject({ sha256: output.sha256, state: 'planned' })
  store.apply(job.id, { type: 'published', outputs: [{ ...output, state: 'published' }], notes: [] })
  store.clearSettled(6000)
  expect(isOutputHash(db, output.sha256)).toBe(true)
})

it('the counts are what they were after a change that could not be written', () => {
  const [failed, other] = [makeJob(), makeJob()]
  store.insert(failed)
  store.apply(failed.id, { type: 'fail', reason: { code: 'encode_failed', detail: null } })
  expect(store.count()).toMatchObject({ failed: 1, ready: 0 })
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'full'); END`)
  expect(() => store.insert({ ...other, source: failed.source })).toThrow('full')
  db.exec('DROP TRIGGER full')
  expect(store.count()).toMatchObject({ failed: 1, ready: 0 })
  expect(store.list({ states: ['failed'] }).map(({ id }) => id)).toEqual([failed.id])
})

it('clearing the list takes only ended jobs that are old enough', () => {
  const [running, ended] = [added(), added({ paidKey: null })]
  store.apply(ended.id, { type: 'cancel' })
  expect(store.clearSettled(5000)).toBe(0)
  expect(store.clearSettled(5001)).toBe(1)
  expect(store.list().map(({ id }) => id)).toEqual([running.id])
})
