import type { EarlierText } from '../../shared/contract/texts.ts'
import { type Db, prepared } from './journal.ts'

/** What a person wrote about another picture of this one's name. */
export function earlierTexts(db: Db, sha256: string): EarlierText[] {
  return prepared<[string], EarlierText>(
    db,
    `SELECT language AS languageCode, alt_text AS altText FROM text_drafts WHERE sha256 = ? AND id = 'earlier' ORDER BY language`,
  ).all(sha256)
}

/** Null deletes it. */
export function keepEarlierText(
  db: Db,
  { sha256, languageCode }: { sha256: string; languageCode: string },
  altText: string | null,
  atMs: number,
): void {
  if (altText === null)
    prepared(db, "DELETE FROM text_drafts WHERE sha256 = ? AND language = ? AND id = 'earlier'").run(
      sha256,
      languageCode,
    )
  else
    prepared(
      db,
      `INSERT INTO text_drafts (sha256, language, id, alt_text, at_ms) VALUES (?, ?, 'earlier', ?, ?)
       ON CONFLICT (sha256, language, id) DO UPDATE SET alt_text = excluded.alt_text, at_ms = excluded.at_ms`,
    ).run(sha256, languageCode, altText, atMs)
}
