import type { TextView } from '../../shared/contract/texts.ts'
import type { Translation } from '../../shared/job.ts'
import type { SidecarText } from '../../shared/sidecar.ts'
import { type Db, prepared } from './journal.ts'

/** A person's own alt text for a picture's content. */
export interface TextEdit {
  languageCode: string
  /** Null: reverted to the service's text, and the sidecar does not have that yet. */
  altText: string | null
  /** The sidecar has the edit, or had it once: if it differs now, the sidecar is newer. */
  written: boolean
}

export function editsOf(db: Db, sha256: string): TextEdit[] {
  const rows = prepared<[string], { language: string; alt_text: string | null; written: number }>(
    db,
    'SELECT language, alt_text, written FROM text_edits WHERE sha256 = ? ORDER BY language',
  ).all(sha256)
  return rows.map((row) => ({ languageCode: row.language, altText: row.alt_text, written: row.written === 1 }))
}

/** Records a person's text, or with null a return to the service's text. */
export function recordEdit(db: Db, sha256: string, languageCode: string, altText: string | null, atMs: number): void {
  prepared(
    db,
    `INSERT INTO text_edits (sha256, language, alt_text, written, at_ms) VALUES (?, ?, ?, 0, ?)
     ON CONFLICT (sha256, language) DO UPDATE SET alt_text = excluded.alt_text, written = 0, at_ms = excluded.at_ms`,
  ).run(sha256, languageCode, altText, atMs)
}

/** Marks edits as written to the sidecar; one that changed meanwhile remains unwritten. */
export function editsWritten(db: Db, sha256: string, edits: readonly TextEdit[]): void {
  for (const { languageCode, altText } of edits) {
    const which = 'WHERE sha256 = ? AND language = ? AND alt_text IS ?'
    if (altText === null) prepared(db, `DELETE FROM text_edits ${which}`).run(sha256, languageCode, null)
    else prepared(db, `UPDATE text_edits SET written = 1 ${which}`).run(sha256, languageCode, altText)
  }
}

const editOf = (edits: readonly TextEdit[], { languageCode }: Translation) =>
  edits.find((edit) => edit.languageCode === languageCode)?.altText ?? null

/** The texts for the sidecar. */
export function withEdits(translations: readonly Translation[], edits: readonly TextEdit[]): SidecarText[] {
  return translations.map((text) => {
    const altText = editOf(edits, text)
    return altText === null ? { ...text } : { ...text, seoAltText: altText, edited: true }
  })
}

/** The texts for display. */
export function textViews(translations: readonly Translation[], edits: readonly TextEdit[]): TextView[] {
  return translations.map((text) => {
    const altText = editOf(edits, text)
    const { languageCode, seoFilename, seoAltText } = text
    return { languageCode, seoFilename, altText: altText ?? seoAltText, original: altText === null ? null : seoAltText }
  })
}

/** Whether a person marked this content as decorative, so that it needs no text. */
interface DecorativeMark {
  decorative: boolean
  /** The sidecar says so too, or did at one time. */
  written: boolean
}

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

/** Records that the sidecar has the mark, unless it changed meanwhile. */
export function decorativeWritten(db: Db, sha256: string, decorative: boolean): void {
  const sql = 'UPDATE decorative_pictures SET written = 1 WHERE sha256 = ? AND is_decorative = ?'
  prepared(db, sql).run(sha256, Number(decorative))
}
