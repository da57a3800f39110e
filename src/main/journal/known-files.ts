import type { FileAt } from '../core/source-read.ts'
import { pathsBelow } from './job-query.ts'
import { type Db, prepared } from './journal.ts'

/* Files as they were when they were taken in. While one is unchanged, nothing has to be decided again. */

export type KnownFileVerdict = 'job' | 'own_output' | 'already_done' | 'ignored'

export function* knownFilesBelow(db: Db, rootDir: string): Iterable<FileAt> {
  const sql = `SELECT path, size_bytes AS sizeBytes, mtime_ns AS mtimeNs, ctime_ns AS ctimeNs, ino
    FROM known_files WHERE path > ? AND path < ?`
  yield* prepared<[string, string], FileAt>(db, sql).iterate(...pathsBelow(rootDir))
}

/** `sha256` is null if the file was judged without reading all of it. */
export function recordKnownFile(db: Db, file: FileAt & { sha256: string | null }, verdict: KnownFileVerdict): void {
  const sql = `INSERT INTO known_files (path, size_bytes, mtime_ns, ctime_ns, ino, sha256, verdict) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns,
       ctime_ns = excluded.ctime_ns, ino = excluded.ino, sha256 = excluded.sha256, verdict = excluded.verdict`
  prepared(db, sql).run(file.path, file.sizeBytes, file.mtimeNs, file.ctimeNs, file.ino, file.sha256, verdict)
}

/** The content by which a file was judged, if only its ctime has changed since. */
export function contentBefore(db: Db, { path, sizeBytes, mtimeNs, ino }: FileAt): string | null {
  const sql = `SELECT sha256 FROM known_files WHERE path = ? AND size_bytes = ? AND mtime_ns = ? AND ino = ? AND sha256 IS NOT NULL`
  return prepared<unknown[], string>(db, sql).pluck(true).get(path, sizeBytes, mtimeNs, ino) ?? null
}

/** The content of a file is still what it was judged by. */
export function recordSameContent(db: Db, { path, ctimeNs }: Pick<FileAt, 'path' | 'ctimeNs'>): void {
  prepared(db, 'UPDATE known_files SET ctime_ns = ? WHERE path = ?').run(ctimeNs, path)
}

/** Records a file that is to stay as it is, unless it is already known as it is now. */
export function recordLeftFile(db: Db, file: FileAt): void {
  const sql = `INSERT INTO known_files (path, size_bytes, mtime_ns, ctime_ns, ino, verdict) VALUES (?, ?, ?, ?, ?, 'ignored')
     ON CONFLICT (path) DO UPDATE SET size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns,
       ctime_ns = excluded.ctime_ns, ino = excluded.ino, sha256 = NULL, verdict = excluded.verdict
     WHERE size_bytes <> excluded.size_bytes OR mtime_ns <> excluded.mtime_ns OR ino <> excluded.ino`
  prepared(db, sql).run(file.path, file.sizeBytes, file.mtimeNs, file.ctimeNs, file.ino)
}

export function isLeftFile(db: Db, path: string): boolean {
  return prepared(db, `SELECT 1 FROM known_files WHERE path = ? AND verdict = 'ignored'`).get(path) !== undefined
}

/** Whether a file is to stay as it is. A new ctime alone, as of another permission, changes nothing: a person said not to pay for it. */
export function isLeftAsItIs(
  db: Db,
  { path, sizeBytes, mtimeNs }: Pick<FileAt, 'path' | 'sizeBytes' | 'mtimeNs'>,
): boolean {
  const sql = `SELECT 1 FROM known_files WHERE path = ? AND verdict = 'ignored' AND size_bytes = ? AND mtime_ns = ?`
  return prepared(db, sql).get(path, sizeBytes, mtimeNs) !== undefined
}

/** For a file that is gone or left out by a pattern; one that is to stay as it is stays so when it comes back. */
export function forgetGoneFile(db: Db, path: string): void {
  prepared(db, `DELETE FROM known_files WHERE path = ? AND verdict <> 'ignored'`).run(path)
}

/** Moves what is known about a file to its new path, with the metadata it has there. */
export function moveKnownFile(db: Db, from: string, to: FileAt): void {
  const sql =
    'UPDATE OR REPLACE known_files SET path = ?, size_bytes = ?, mtime_ns = ?, ctime_ns = ?, ino = ? WHERE path = ?'
  prepared(db, sql).run(to.path, to.sizeBytes, to.mtimeNs, to.ctimeNs, to.ino, from)
}

export function forgetKnownFile(db: Db, path: string): void {
  prepared(db, 'DELETE FROM known_files WHERE path = ?').run(path)
}
