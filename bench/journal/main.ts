/**
 * What a page asks of a journal with a hundred thousand jobs: their ids by filter and search, counts, and taking them off
 * the list and back. Run: node bench/journal/main.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jobIndex } from '../../src/main/journal/job-index.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import { countToReview } from '../../src/main/journal/reviews.ts'
import { nameKey } from '../../src/main/core/name-key.ts'
import { makeJob } from '../../test/queue/make-job.ts'

const JOBS = 100_000
const ROUNDS = 5

/** Every tenth failed, every third in a watched folder, every second with texts to look at; 300 to a folder. */
function fill(db: Db): void {
  const insert = db.prepare(
    `INSERT INTO jobs (id, batch_id, folder_id, path, signature, service_id, state, created_at_ms, updated_at_ms, doc,
       name_key, size_bytes)
     VALUES (?, ?, ?, ?, '', '', ?, 0, 0, ?, ?, 1)`,
  )
  const review = db.prepare(`INSERT INTO reviews VALUES (?, 'needed')`)
  // As long as the document of a finished job with three languages.
  const doc = JSON.stringify({ ...makeJob(), padding: 'x'.repeat(1500) })
  db.transaction(() => {
    for (let n = 0; n < JOBS; n += 1) {
      const id = `01J${String(n).padStart(23, '0')}`
      const path = `/home/ada/Pictures/2026/album ${Math.floor(n / 300)}/IMG_${n}.jpg`
      const state = n % 10 === 0 ? 'failed' : 'done'
      insert.run(id, `batch ${Math.floor(n / 500)}`, n % 3 === 0 ? 'F' : null, path, state, doc, nameKey(path))
      if (n % 2 === 0) review.run(id)
    }
  })()
}

function medianMs(work: () => unknown): number {
  work()
  const runs = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now()
    work()
    return performance.now() - startMs
  })
  return runs.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
}

const dir = mkdtempSync(join(tmpdir(), 'hangar-journal-bench-'))
const db = openJournal(dir)
try {
  fill(db)
  const store = new JobStore(
    db,
    () => 1000,
    () => undefined,
    () => undefined,
  )
  const questions: [string, () => unknown][] = [
    ['ids of all', () => jobIndex(db, {}, 'none')],
    ['… by batch', () => jobIndex(db, {}, 'batch')],
    ['… by folder', () => jobIndex(db, {}, 'folder')],
    ['… failed', () => jobIndex(db, { states: ['failed'] }, 'none')],
    ['… of one batch', () => jobIndex(db, { batchId: 'batch 7' }, 'none')],
    ['… with texts to review', () => jobIndex(db, { needsReview: true }, 'none')],
    ['… by search', () => jobIndex(db, { search: 'img_4711' }, 'none')],
    ['… by search beyond ASCII', () => jobIndex(db, { search: 'ü' }, 'none')],
    ['count with texts to review', () => countToReview(db)],
    [
      'all off the list and back',
      () => {
        store.remove({ ids: [], states: ['done'], kind: 'settled' }, 'undo')
        store.putBack({ undoId: 'undo', ids: [] })
      },
    ],
  ]
  console.log(`${JOBS} jobs, median of ${ROUNDS}\n\n| question | ms |\n| --- | --- |`)
  for (const [what, work] of questions) console.log(`| ${what} | ${medianMs(work).toFixed(1)} |`)
} finally {
  db.close()
  rmSync(dir, { recursive: true, force: true })
}
