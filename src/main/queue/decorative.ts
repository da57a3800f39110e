import { type Db, prepared } from './journal.ts'

/** Whether a person marked this content as decorative, so that it needs no text. */
export interface DecorativeMark {
  decorative: boolean
  /** The sidecar says so too, or did at one time. */
  written: boolean
}

/** Null when it was never marked. */
export function decorativeMark(db: Db, sha256: string): DecorativeMark | null {
  const sql = 'SELECT is_decorative, written FROM decorative_pictures WHERE sha256 = ?'
  const row = prepared<[string], { is_decorative: number; written: number }>(db, sql).get(sha256)
  return row === undefined ? null : { decorative: row.is_decorative === 1, written: row.written === 1 }
}

export function isDecorative(db: Db, sha256: string): boolean {
  return decorativeMark(db, sha256)?.decorative === true
}

export function recordDecorative(db: Db, sha256: string, decorative: boolean, atMs: number): void {
  prepared(
    db,
    `INSERT INTO decorative_pictures (sha256, is_decorative, written, at_ms) VALUES (?, ?, 0, ?)
     ON CONFLICT (sha256) DO UPDATE SET is_decorative = excluded.is_decorative, written = 0, at_ms = excluded.at_ms`,
  ).run(sha256, Number(decorative), atMs)
}

/** The sidecar has the mark now; one that was changed meanwhile stays to be written. */
export function decorativeWritten(db: Db, sha256: string, decorative: boolean): void {
  const sql = 'UPDATE decorative_pictures SET written = 1 WHERE sha256 = ? AND is_decorative = ?'
  prepared(db, sql).run(sha256, Number(decorative))
}
