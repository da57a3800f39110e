import type { Job, Output } from '../../shared/jobs/job.ts'
import { type Db, prepared } from './journal.ts'

interface KnownOutput {
  sha256: string
  sourcePath: string
  jobId: string
  state: 'planned' | 'published'
}

export function recordOutput(db: Db, output: Output, sourcePath: string, jobId: string): void {
  const sql = `INSERT INTO outputs (path, sha256, source_path, job_id, role, state) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256, source_path = excluded.source_path,
       job_id = excluded.job_id, role = excluded.role, state = excluded.state`
  prepared(db, sql).run(output.path, output.sha256, sourcePath, jobId, output.role, output.state)
  // Kept separately and for ever: a copy of an older output, anywhere, is still ours.
  if (output.role !== 'sidecar') rememberOutputHash(db, output.sha256)
}

/** From now on a file with this hash is one of Hangar's own outputs, wherever it is. */
export function rememberOutputHash(db: Db, sha256: string): void {
  prepared(db, 'INSERT INTO output_hashes (sha256) VALUES (?) ON CONFLICT DO NOTHING').run(sha256)
}

export function dropOutput(db: Db, path: string): void {
  prepared(db, 'DELETE FROM outputs WHERE path = ?').run(path)
}

export function forgetOutput(db: Db, path: string): void {
  prepared(db, `DELETE FROM outputs WHERE path = ? AND state = 'planned'`).run(path)
}

export function findOutput(db: Db, path: string): KnownOutput | null {
  const sql = 'SELECT sha256, source_path AS sourcePath, job_id AS jobId, state FROM outputs WHERE path = ?'
  return prepared<[string], KnownOutput>(db, sql).get(path) ?? null
}

/**
 * Whether a sidecar of this picture's name, about other content, is about what the picture was before, and not about a picture of
 * that name from another folder. One that the journal does not know is, if results are beside the original.
 */
export function isEarlierSidecar(db: Db, { source, recipe }: Job, path: string): boolean {
  const known = findOutput(db, path)
  return known === null ? recipe.output.kind !== 'folder' : known.sourcePath === source.path
}

/** Whether Hangar wrote bytes with this hash from this journal, anywhere and at any time. */
export function isOutputHash(db: Db, sha256: string): boolean {
  return prepared(db, 'SELECT 1 FROM output_hashes WHERE sha256 = ?').get(sha256) !== undefined
}

/** Where sidecars of a picture were written, beside it and elsewhere. */
export function sidecarPaths(db: Db, sourcePath: string): string[] {
  const sql = `SELECT path FROM outputs WHERE source_path = ? AND role = 'sidecar'`
  return prepared<[string], string>(db, sql).pluck(true).all(sourcePath)
}
