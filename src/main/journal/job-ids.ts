import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { type Db, prepared } from './journal.ts'
import { UNWRITTEN } from './text-edits.ts'

const idsBy = (sql: string) =>
  function (db: Db, ...values: (string | number)[]): string[] {
    return prepared<unknown[], string>(db, sql)
      .pluck(true)
      .all(...values)
  }

export const allJobIds: (db: Db) => string[] = idsBy('SELECT id FROM jobs')

/** Every job of a picture with this content, newest first. */
export const jobsWithContent: (db: Db, sha256: string) => string[] = idsBy(
  'SELECT id FROM jobs WHERE sha256 = ? ORDER BY id DESC',
)

/** Jobs that were writing or could not write, whose sidecars or files may lack edits, or that were being renamed. */
export const jobsAtWork: (db: Db) => string[] = idsBy(`SELECT id FROM jobs WHERE state IN ('fetching', 'writing')
  UNION SELECT id FROM jobs WHERE state = 'held' AND reason IN ('disk_full', 'target_not_writable', 'too_few_files', 'not_replaceable')
  UNION SELECT id FROM jobs WHERE sha256 IN (${UNWRITTEN})
  UNION SELECT job_id FROM stale_texts
  UNION SELECT doc ->> 'jobId' FROM documents WHERE kind = 'rename' AND json_valid(doc)
  -- A kill may have come between a cancel and the end of its work.
  UNION SELECT id FROM jobs WHERE state IN ('done', 'skipped', 'cancelled') AND updated_at_ms >=
    (SELECT max(updated_at_ms) FROM jobs WHERE state IN ('done', 'skipped', 'cancelled')) - 60000`)

/** Jobs for this content that a service was or would be paid for, newest first. */
export function paidJobsWithContent(db: Db, serviceId: ServiceId, sha256: string, most: number): string[] {
  const content = `${serviceId}|${sha256}`
  // After the hash a paid key continues with "|" or "+", and "}" sorts after both.
  return paidBetween(db, content, `${content}}`, most)
}

const paidBetween = idsBy('SELECT id FROM jobs WHERE paid_key >= ? AND paid_key < ? ORDER BY id DESC LIMIT ?')

export function hasJobAt(db: Db, path: string): boolean {
  return prepared<[string], unknown>(db, 'SELECT 1 FROM jobs WHERE path = ? LIMIT 1').get(path) !== undefined
}

/** The earliest end of a stored wait after this time (Unix ms). */
export function nextWaitMs(db: Db, nowMs: number): number | null {
  const sql = `SELECT min(not_before_ms) FROM jobs WHERE not_before_ms > ? AND +state IN ('ready', 'waiting', 'fetching', 'writing')`
  return prepared<[number], number | null>(db, sql).pluck(true).get(nowMs) ?? null
}

/** Services that have pictures, or had them when they were held. */
export function servicesInFlight(db: Db): ServiceId[] {
  const sql = `SELECT DISTINCT service_id FROM jobs WHERE paid_key IS NOT NULL AND state IN ('waiting', 'fetching', 'held')`
  return prepared<[], ServiceId>(db, sql).pluck(true).all()
}
