import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { viewOf } from '../../src/main/engine/calls/job-view.ts'
import { findBatch } from '../../src/main/journal/batches.ts'
import { jobIndex } from '../../src/main/journal/job-index.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { type Db, JOURNAL_VERSION, openJournal } from '../../src/main/journal/journal.ts'
import { outputHash } from '../../src/main/journal/outputs.ts'
import { findPayment, paymentFor } from '../../src/main/journal/payments.ts'
import { countToReview } from '../../src/main/journal/reviews.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import { makeJob, SOME_RESULT } from '../queue/make-job.ts'
import { backTo } from './earlier-versions.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-migration-'))
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

function openedOnce<Result>(at: string, read: (db: Db) => Result): Result {
  const db = openJournal(at)
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** A journal as the first version left it. */
function firstJournal(): { withTexts: string; without: string } {
  const db = openJournal(dir)
  const store = new JobStore(db, () => 1)
  const [withTexts, without] = [makeJob({ state: 'done', result: SOME_RESULT }), makeJob()]
  for (const job of [withTexts, without]) store.insert(job)
  const broken = makeJob()
  store.insert(broken)
  db.prepare(`UPDATE jobs SET doc = '{' WHERE id = ?`).run(broken.id)
  backTo(db, 1)
  db.close()
  return { withTexts: withTexts.id, without: without.id }
}

it('brings a journal of the first version along: texts that are there are to be looked at', () => {
  const ids = firstJournal()
  const db = openJournal(dir)
  const store = new JobStore(db, () => 1)
  expect(viewOf(db, store.get(ids.withTexts)!).review).toBe('needed')
  expect(viewOf(db, store.get(ids.without)!).review).toBe('none')
  expect(countToReview(db)).toBe(1)
  db.close()
})

it('can sort the jobs of an earlier version by what it did not note for them', () => {
  const db = openJournal(dir)
  const store = new JobStore(db, () => 1)
  const output = { path: '/o', sha256: 'a', type: 'jpeg', state: 'published' } as const
  const jobs = (['optimized', 'converted', 'sidecar'] as const).map((role, n) => {
    const base = makeJob()
    const source = { ...base.source, path: `/p/IMG_${10 - n}.jpg`, sizeBytes: 1000 }
    const outputs = [
      { ...output, role, sizeBytes: 100 * (n + 1) },
      { ...output, role: 'converted' as const, sizeBytes: 5, state: 'planned' as const },
    ]
    const job = { ...base, source, outputs }
    store.insert(job)
    return job.id
  })
  const read = () =>
    openedOnce(dir, (journal) =>
      (['name', 'size', 'saving'] as const).map((by) =>
        jobIndex(journal, {}, 'none', { by, descending: false }).flatMap(({ ids }) => ids),
      ),
    )
  const before = read()
  expect(before[0]).toEqual(jobs.toReversed())
  expect(before[2]).toEqual([jobs[1], jobs[0], jobs[2]])
  backTo(db, 10)
  db.close()
  expect(read()).toEqual(before)
})

it('reads a journal of the first version without changing it', () => {
  const ids = firstJournal()
  const db = openJournal(dir, { readonly: true })
  const store = new JobStore(db, () => 1)
  expect(store.count()).toMatchObject({ done: 1, ready: 2 })
  expect(findBatch(db, 'no such batch')).toBeNull()
  expect(viewOf(db, store.get(ids.withTexts)!).state).toBe('done')
  expect(db.pragma('user_version', { simple: true })).toBe(1)
  db.close()
})

/** Opens the journal in a process of its own, at once with others: when it is told to on its standard input. */
const OPENING = `
  const { openJournal } = await import(${JSON.stringify(new URL('../../src/main/journal/journal.ts', import.meta.url).href)})
  process.stdin.once('data', () => {
    const db = openJournal(process.argv[1])
    console.log(db.pragma('user_version', { simple: true }))
    db.close()
    process.exit()
  })
  console.log('ready')
`

async function openAtOnce(processes: number): Promise<string[]> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', OPENING, dir], { stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  const said = children.map(() => '')
  const listen = children.map(async (child, n) => {
    for await (const chunk of child.stdout) said[n] += String(chunk)
  })
  children.forEach((child, n) => child.stderr.on('data', (chunk: Buffer) => (said[n] += chunk.toString())))
  await Promise.all(children.map((child) => once(child.stdout, 'readable')))
  for (const child of children) child.stdin.write('go\n')
  await Promise.all(listen)
  return said.map((text) => text.replace('ready', '').trim())
}

it.each([
  ['brings a journal of the first version along', firstJournal],
  ['makes a journal', () => undefined],
])(
  '%s once when several processes open it at once',
  async (_what, prepare) => {
    prepare()
    expect(await openAtOnce(5)).toEqual(Array.from({ length: 5 }, () => String(JOURNAL_VERSION)))
  },
  60_000,
)

it('removes from a journal of the second version what sidecars put there, as far as that is known', () => {
  const db = openJournal(dir)
  const store = new JobStore(db, () => 1)
  const [sent, told, hash] = ['sent', 'told', (letter: string) => letter.repeat(64)] as const
  const written = { role: 'converted', path: '/p/1.webp', sizeBytes: 1, type: 'webp', state: 'published' } as const
  const held = makeJob({ paidKey: told, state: 'held', resume: 'ready', reason: { code: 'key_missing', detail: null } })
  const done = makeJob({ state: 'done', outputs: [{ ...written, sha256: hash('a') }] })
  for (const job of [held, done]) store.insert(job)
  const payment = db.prepare(
    `INSERT INTO payments (paid_key, service_id, job_id, state, remote_job_id, result, at_ms) VALUES (?, 's', '', 'paid', 'r', ?, 1)`,
  )
  for (const key of [sent, told]) payment.run(key, JSON.stringify(SOME_RESULT))
  db.prepare(
    `INSERT INTO dispatches (paid_key, job_id, service_id, operation, languages, format, at_ms, outcome, ordered, batch_id)
     VALUES (?, 'j', 's', 'process', 1, 'webp', 1, 'accepted', 0, 'b')`,
  ).run(sent)
  db.prepare(`INSERT INTO outputs VALUES ('/p/2.webp', ?, '/p/2.jpg', 'j', 'converted', 'published')`).run(hash('b'))
  for (const letter of ['a', 'b', 'c'])
    db.prepare('INSERT INTO output_hashes (sha256, written) VALUES (?, 1)').run(hash(letter))
  backTo(db, 2)
  db.close()

  const after = openJournal(dir)
  expect(findPayment(after, sent)?.state).toBe('paid')
  expect(findPayment(after, told)).toBeNull()
  // What waited to use it still costs nothing.
  const waiting = new JobStore(after, () => 1).get(held.id)!
  expect(paymentFor(after, waiting)).toMatchObject({ state: 'paid', remoteJobId: 'r', result: SOME_RESULT })
  expect(['a', 'b', 'c'].map((letter) => outputHash(after, hash(letter)))).toEqual(['written', 'written', 'unclear'])
  after.close()
})

it('keeps the deadline of a download that is not there yet', () => {
  const db = openJournal(dir)
  const store = new JobStore(db, () => 1)
  const [waits, ordered, never] = [1, 2, 3].map(() => makeJob({ state: 'fetching', result: SOME_RESULT })) as [
    Job,
    Job,
    Job,
  ]
  for (const job of [waits, ordered, never]) store.insert(job)
  const happened = db.prepare(
    `INSERT INTO job_events (job_id, at_ms, event, state, reason, detail) VALUES (?, ?, ?, 'fetching', 'backoff', ?)`,
  )
  const missing = 'the service says that the file is not there yet'
  // A job that failed once for it, was paid for again, and waits for its new file.
  happened.run(waits.id, 100, 'later', missing)
  happened.run(waits.id, 900_000, 'completed', null)
  happened.run(waits.id, 900_500, 'later', missing)
  happened.run(waits.id, 901_000, 'later', 'reset')
  happened.run(waits.id, 901_500, 'later', missing)
  happened.run(ordered.id, 100, 'later', missing)
  happened.run(ordered.id, 900_000, 'fetchAgain', null)
  backTo(db, 6)
  db.close()
  const migrated = openJournal(dir)
  const after = new JobStore(migrated, () => 1)
  expect([waits, ordered, never].map(({ id }) => after.get(id)!.missingSinceMs)).toEqual([900_500, null, null])
  migrated.close()
})
