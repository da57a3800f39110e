import type { TextDraft } from '../../shared/contract/texts.ts'
import { type Db, prepared } from './journal.ts'

/** Which text of which picture. */
interface TextKey {
  sha256: string
  languageCode: string
}

/** The hash of a job's picture, even of a removed job; null if there is no such job or the picture was never read. */
export function contentOf(db: Db, jobId: string): string | null {
  const sql = 'SELECT sha256 FROM jobs WHERE id = ?'
  return prepared<[string], string | null>(db, sql).pluck(true).get(jobId) ?? null
}

/** Unsaved texts for this content, newest first. */
export function draftsOf(db: Db, sha256: string): TextDraft[] {
  const rows = prepared<[string], { language: string; id: string; alt_text: string; at_ms: number; newer: number }>(
    db,
    `SELECT drafts.language, drafts.id, drafts.alt_text, drafts.at_ms, drafts.at_ms > coalesce(edits.at_ms, 0) AS newer
     FROM text_drafts AS drafts LEFT JOIN text_edits AS edits USING (sha256, language)
     WHERE drafts.sha256 = ? ORDER BY drafts.at_ms DESC, drafts.id DESC`,
  ).all(sha256)
  return rows.map(({ language, id, alt_text: altText, at_ms: atMs, newer }) => {
    return { languageCode: language, id, altText, atMs, newer: newer === 1 }
  })
}

/** Replaces this draft and those in `replaces`. */
export function keepDraft(
  db: Db,
  { sha256, languageCode }: TextKey,
  draft: { id: string; altText: string; replaces: readonly string[] },
  atMs: number,
): void {
  dropDrafts(db, { sha256, languageCode }, draft.replaces)
  prepared(
    db,
    `INSERT INTO text_drafts (sha256, language, id, alt_text, at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (sha256, language, id) DO UPDATE SET alt_text = excluded.alt_text, at_ms = excluded.at_ms`,
  ).run(sha256, languageCode, draft.id, draft.altText, atMs)
}

export function dropDrafts(db: Db, { sha256, languageCode }: TextKey, ids: readonly string[]): void {
  const drop = prepared(db, 'DELETE FROM text_drafts WHERE sha256 = ? AND language = ? AND id = ?')
  for (const id of ids) drop.run(sha256, languageCode, id)
}
