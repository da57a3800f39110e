import type { Job } from '../../shared/jobs/job.ts'
import { type Db, prepared } from './journal.ts'
import { findOutput } from './outputs.ts'

/* Results that carry alt texts and do not have the newest yet. */

export interface StaleText {
  path: string
  job_id: string
  planned_sha256: string | null
}

/** The files of these jobs lack the newest texts. Runs in the transaction of their change. */
export function markStale(db: Db, jobs: readonly Job[]): void {
  const sql =
    'INSERT INTO stale_texts (path, job_id) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET job_id = excluded.job_id'
  for (const job of jobs)
    for (const { path, texts } of job.outputs)
      // The last job that wrote a file is responsible for it.
      if (texts !== undefined && findOutput(db, path)?.jobId === job.id) prepared(db, sql).run(path, job.id)
}

export function anyStale(db: Db): boolean {
  return prepared<[], unknown>(db, 'SELECT 1 FROM stale_texts LIMIT 1').get() !== undefined
}

export function staleTexts(db: Db): StaleText[] {
  return prepared<[], StaleText>(db, 'SELECT * FROM stale_texts ORDER BY path').all()
}

/** The file that is about to take the place of the one at this path; null once it has, or will not. */
export function planFresh(db: Db, path: string, plannedSha256: string | null): void {
  prepared(db, 'UPDATE stale_texts SET planned_sha256 = ? WHERE path = ?').run(plannedSha256, path)
}

export function moveStale(db: Db, from: string, to: string): void {
  prepared(db, 'UPDATE OR REPLACE stale_texts SET path = ? WHERE path = ?').run(to, from)
}

export function forgetStale(db: Db, path: string): void {
  prepared(db, 'DELETE FROM stale_texts WHERE path = ?').run(path)
}
