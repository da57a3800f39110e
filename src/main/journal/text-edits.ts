import type { EarlierText, TextView } from '../../shared/contract/texts.ts'
import type { Job, Translation } from '../../shared/jobs/job.ts'
import type { SidecarText } from '../../shared/jobs/sidecar.ts'
import { MAX_EDITED_BYTES } from '../../shared/recipes/limits.ts'
import { type Db, prepared } from './journal.ts'

/** A person's own words for a picture's content: the alt text, the file name, or both. */
export interface TextEdit {
  languageCode: string
  /** Null: the service's text. With both null, the edit was reverted and the sidecar does not reflect that yet. */
  altText: string | null
  seoFilename: string | null
  /** The part that the sidecar has, or had once: if it differs now, the sidecar is newer. */
  written: Written
  /** Word rules made the alt text of the service's, and no person. */
  byRule: boolean
}

type Written = 'none' | 'all' | 'altText' | 'seoFilename'
/** As the journal's number says it. */
const WRITTEN: readonly Written[] = ['none', 'all', 'altText', 'seoFilename']

export function editsOf(db: Db, sha256: string): TextEdit[] {
  const sql = `SELECT language AS languageCode, alt_text AS altText, seo_filename AS seoFilename, written, by_rule AS byRule
    FROM text_edits WHERE sha256 = ? ORDER BY language`
  const rows = prepared<[string], Omit<TextEdit, 'written' | 'byRule'> & { written: number; byRule: 0 | 1 }>(db, sql)
  return rows.all(sha256).map((row) => ({ ...row, written: WRITTEN[row.written] ?? 'none', byRule: row.byRule === 1 }))
}

/** The bytes that the edits of a picture's content take in a sidecar. */
export function editedBytes(db: Db, sha256: string): number {
  return editsOf(db, sha256).reduce(
    (sum, { altText, seoFilename }) => sum + writtenBytes(altText) + writtenBytes(seoFilename),
    0,
  )
}

export const writtenBytes = (text: string | null): number =>
  text === null ? 0 : MEMBERS_BYTES + Buffer.byteLength(JSON.stringify(text))

/** More than the members around a text take, which limits thousands of short texts too. */
const MEMBERS_BYTES = 500

/** Whether a sidecar has room for edits that take `bytes`. Where they took more before, they may still shrink. */
export const hasRoom = (bytes: number, before: number): boolean => bytes <= MAX_EDITED_BYTES || bytes <= before

const recordIn =
  (column: 'alt_text' | 'seo_filename', other: Written) =>
  (db: Db, sha256: string, languageCode: string, value: string | null, atMs: number): void => {
    // What is not edited now stays written, if it was.
    const left = WRITTEN.indexOf(other)
    const sql = `INSERT INTO text_edits (sha256, language, ${column}, written, at_ms) VALUES (?, ?, ?, ${left}, ?)
       ON CONFLICT (sha256, language) DO UPDATE SET ${column} = excluded.${column},
       written = CASE WHEN written IN (1, ${left}) THEN ${left} ELSE 0 END, at_ms = excluded.at_ms`
    prepared(db, sql).run(sha256, languageCode, value, atMs)
  }

const recordAltText = recordIn('alt_text', 'seoFilename')

/** Records a person's text, or what word rules made; null restores the service's. */
export function recordEdit(
  db: Db,
  sha256: string,
  languageCode: string,
  value: string | null,
  atMs: number,
  { byRule = false }: { byRule?: boolean } = {},
): void {
  recordAltText(db, sha256, languageCode, value, atMs)
  prepared(db, 'UPDATE text_edits SET by_rule = ? WHERE sha256 = ? AND language = ?').run(
    Number(byRule && value !== null),
    sha256,
    languageCode,
  )
}

/**
 * Records what word rules made of a new text of the service; null if they left it. A person's text stays. The first time it counts as
 * written: it gets into the sidecar with the results, where a person's text takes precedence.
 */
export function recordRuled(db: Db, sha256: string, languageCode: string, value: string | null, atMs: number): void {
  const before = editsOf(db, sha256).find((edit) => edit.languageCode === languageCode)
  const isPersons = before !== undefined && before.altText !== null && !before.byRule
  if (isPersons || (value ?? null) === (before?.altText ?? null)) return
  recordEdit(db, sha256, languageCode, value, atMs, { byRule: true })
  if (before !== undefined) return
  prepared(db, 'UPDATE text_edits SET written = 1 WHERE sha256 = ? AND language = ?').run(sha256, languageCode)
}

/** Records a person's file name; null restores the service's. */
export const recordName = recordIn('seo_filename', 'altText')

/** Marks edits as written to the sidecar; one that changed meanwhile remains unwritten. */
export function editsWritten(db: Db, sha256: string, edits: readonly TextEdit[]): void {
  for (const { languageCode, altText, seoFilename } of edits) {
    const which = 'WHERE sha256 = ? AND language = ? AND alt_text IS ? AND seo_filename IS ?'
    const isReverted = altText === null && seoFilename === null
    const sql = isReverted ? `DELETE FROM text_edits ${which}` : `UPDATE text_edits SET written = 1 ${which}`
    prepared(db, sql).run(sha256, languageCode, altText, seoFilename)
  }
}

/** These texts, and blank ones in languages in which only a person wrote. Without texts of the service there are none. */
function withOwn(translations: readonly Translation[], edits: readonly TextEdit[]): readonly Translation[] {
  if (translations.length === 0) return translations
  const isOwn = ({ languageCode, altText, seoFilename, byRule }: TextEdit) =>
    (altText !== null || seoFilename !== null) &&
    !byRule &&
    !translations.some((text) => text.languageCode === languageCode)
  return [...translations, ...edits.filter(isOwn).map(({ languageCode }) => blankText(languageCode))]
}

/** What the service wrote in a language in which it wrote nothing. */
export const blankText = (languageCode: string): Translation => ({ languageCode, seoFilename: '', seoAltText: '' })

const editOf = (edits: readonly TextEdit[], { languageCode }: Translation) =>
  edits.find((edit) => edit.languageCode === languageCode) ?? { altText: null, seoFilename: null, byRule: false }

export function withEdits(translations: readonly Translation[], edits: readonly TextEdit[]): SidecarText[] {
  return withOwn(translations, edits).map((text) => {
    const { altText, seoFilename, byRule } = editOf(edits, text)
    return {
      ...text,
      ...(altText === null ? {} : { seoAltText: altText, edited: true }),
      ...(byRule ? { byRule } : {}),
      ...(seoFilename === null ? {} : { seoFilename, nameEdited: true }),
    }
  })
}

function textViews(translations: readonly Translation[], edits: readonly TextEdit[]): TextView[] {
  return withOwn(translations, edits).map((text) => {
    const { altText, seoFilename, byRule } = editOf(edits, text)
    return {
      languageCode: text.languageCode,
      seoFilename: seoFilename ?? text.seoFilename,
      originalName: seoFilename === null ? null : text.seoFilename,
      altText: altText ?? text.seoAltText,
      original: altText === null ? null : text.seoAltText,
      ...(byRule ? { byRule } : {}),
    }
  })
}

/** Whether a person marked this content as decorative, so that it needs no text. */
interface DecorativeMark {
  decorative: boolean
  /** The sidecar says so too, or did at one time. */
  written: boolean
}

export function decorativeMark(db: Db, sha256: string): DecorativeMark | null {
  const sql = 'SELECT is_decorative AS decorative, written FROM decorative_pictures WHERE sha256 = ?'
  const row = prepared<[string], { decorative: 0 | 1; written: 0 | 1 }>(db, sql).get(sha256)
  return row === undefined ? null : { decorative: row.decorative === 1, written: row.written === 1 }
}

/** What there is to read of a picture, as a person may have edited it. */
export function wordsOf(db: Db, job: Job): { texts: TextView[]; decorative: boolean } {
  const sha256 = job.image?.sha256 ?? ''
  return {
    texts: textViews(job.result?.translations ?? [], editsOf(db, sha256)),
    decorative: decorativeMark(db, sha256)?.decorative ?? job.decorative === true,
  }
}

/** When a person last changed what `wordsOf` tells (Unix ms); 0 for never. */
export function wordsChangedAtMs(db: Db, job: Job): number {
  const sql = `SELECT max(at_ms) FROM (SELECT at_ms FROM text_edits WHERE sha256 = :sha256
    UNION ALL SELECT at_ms FROM decorative_pictures WHERE sha256 = :sha256)`
  const sha256 = job.image?.sha256 ?? ''
  return prepared<[{ sha256: string }], number | null>(db, sql).pluck(true).get({ sha256 }) ?? 0
}

export function isDecorative(db: Db, sha256: string): boolean {
  return decorativeMark(db, sha256)?.decorative === true
}

export function recordDecorative(db: Db, sha256: string, decorative: boolean, atMs: number): void {
  const sql = `INSERT INTO decorative_pictures (sha256, is_decorative, written, at_ms) VALUES (?, ?, 0, ?)
     ON CONFLICT (sha256) DO UPDATE SET is_decorative = excluded.is_decorative, written = 0, at_ms = excluded.at_ms`
  prepared(db, sql).run(sha256, Number(decorative), atMs)
}

/** Records that the sidecar has the mark, unless it changed meanwhile. */
export function decorativeWritten(db: Db, sha256: string, decorative: boolean): void {
  const sql = 'UPDATE decorative_pictures SET written = 1 WHERE sha256 = ? AND is_decorative = ?'
  prepared(db, sql).run(sha256, Number(decorative))
}

/** The content of pictures whose edits or mark some sidecar may lack. */
export const UNWRITTEN = `SELECT sha256 FROM text_edits WHERE written <> 1 UNION SELECT sha256 FROM decorative_pictures WHERE written = 0`

/** Contents with a person's words that some sidecar may lack. */
export function unwrittenContents(db: Db): string[] {
  return prepared<[], string>(db, UNWRITTEN).pluck(true).all()
}

/** What a person wrote about another picture of this one's name. */
export function earlierTexts(db: Db, sha256: string): EarlierText[] {
  const sql = `SELECT language AS languageCode, alt_text AS altText FROM text_drafts WHERE sha256 = ? AND id = 'earlier' ORDER BY language`
  return prepared<[string], EarlierText>(db, sql).all(sha256)
}

/** Null deletes it. */
export function keepEarlierText(
  db: Db,
  { sha256, languageCode }: { sha256: string; languageCode: string },
  altText: string | null,
  atMs: number,
): void {
  const sql =
    altText === null
      ? "DELETE FROM text_drafts WHERE sha256 = ? AND language = ? AND id = 'earlier'"
      : `INSERT INTO text_drafts (sha256, language, id, alt_text, at_ms) VALUES (?, ?, 'earlier', ?, ?)
         ON CONFLICT (sha256, language, id) DO UPDATE SET alt_text = excluded.alt_text, at_ms = excluded.at_ms`
  prepared(db, sql).run(sha256, languageCode, ...(altText === null ? [] : [altText, atMs]))
}
