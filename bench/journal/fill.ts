import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import { SERVICE, seedJournal } from '../ui/seed-journal.ts'

/** Fills an empty data folder with jobs as they are after months of use, and with all that was written along with them. */
export async function fillJournal(dataDir: string, jobs: number, nowMs: number): Promise<void> {
  await seedJournal(dataDir, '/home/ada/Pictures', jobs, nowMs)
  const db = openJournal(dataDir)
  db.pragma('synchronous = OFF')
  addTheRest(db)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function addTheRest(db: Db): void {
  const run = (sql: string): unknown => db.prepare(sql).run()
  db.transaction(() => {
    // A third in a watched folder.
    run(`UPDATE jobs SET folder_id = 'F', doc = json_set(doc, '$.folderId', 'F') WHERE rowid % 3 = 0`)
    run(
      `INSERT INTO reviews SELECT id, CASE WHEN rowid % 2 THEN 'needed' ELSE 'reviewed' END FROM jobs WHERE state = 'done'`,
    )
    // What a picture leaves on its way: sent, accepted, ended, written.
    for (const event of ['sent', 'accepted', 'completed', 'published'])
      run(
        `INSERT INTO job_events SELECT id, updated_at_ms, '${event}', state, NULL, NULL FROM jobs WHERE state = 'done'`,
      )
    run(`INSERT INTO payments SELECT paid_key, service_id, id, 'paid', id, doc ->> 'result', updated_at_ms FROM jobs
           WHERE state = 'done'`)
    run(`INSERT INTO dispatches (paid_key, job_id, folder_id, service_id, operation, languages, format, at_ms, outcome,
             repeats, batch_id, account_id)
           SELECT paid_key, id, folder_id, '${SERVICE}', 'process', 3, 'webp', updated_at_ms, 'accepted', 0, batch_id, 'a'
           FROM jobs WHERE state = 'done'`)
    for (const [n, role] of ['optimized', 'converted'].entries()) {
      run(`INSERT INTO outputs SELECT doc ->> '$.outputs[${n}].path', sha256 || '${n}', path, id, '${role}', 'published'
             FROM jobs WHERE state = 'done'`)
      run(`INSERT INTO output_hashes SELECT sha256 || '${n}' FROM jobs WHERE state = 'done'`)
    }
    run(`INSERT INTO known_files SELECT path, size_bytes, '1700000000123456789', rowid, 'job', id, '1700000000123456789',
           sha256 FROM jobs`)
  })()
}
