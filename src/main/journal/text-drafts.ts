import type { DraftKind, TextDraft } from '../../shared/contract/texts.ts'
import { type Db, prepared } from './journal.ts'

/** Which draft of which text of which picture. */
interface DraftKey {
  sha256: string
  languageCode: string
  kind: DraftKind
}

/** The hash of a job's picture, even of a removed job; null if there is no such job or the picture was never read. */
export function contentOf(db: Db, jobId: string): string | null {
  const sql = 'SELECT sha256 FROM jobs WHERE id = ?'
  return prepared<[string], string | null>(db, sql).pluck(true).get(jobId) ?? null
}

/** Unsaved texts for this content; none that was typed before its text was saved. */
export function draftsOf(db: Db, sha256: string): TextDraft[] {
  return prepared<[string], TextDraft>(
    db,
    `SELECT drafts.language AS languageCode, drafts.id AS kind, drafts.alt_text AS altText
     FROM text_drafts AS drafts LEFT JOIN text_edits AS edits USING (sha256, language)
     WHERE drafts.sha256 = ? AND (drafts.id = 'earlier' OR drafts.id = 'typed' AND drafts.at_ms > coalesce(edits.at_ms, 0))
     ORDER BY drafts.language, drafts.id`,
  ).all(sha256)
}

/** Null deletes it. */
export function keepDraft(
  db: Db,
  { sha256, languageCode, kind }: DraftKey,
  altText: string | null,
  atMs: number,
): void {
  if (altText === null)
    prepared(db, 'DELETE FROM text_drafts WHERE sha256 = ? AND language = ? AND id = ?').run(sha256, languageCode, kind)
  else
    prepared(
      db,
      `INSERT INTO text_drafts (sha256, language, id, alt_text, at_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (sha256, language, id) DO UPDATE SET alt_text = excluded.alt_text, at_ms = excluded.at_ms`,
    ).run(sha256, languageCode, kind, altText, atMs)
}
