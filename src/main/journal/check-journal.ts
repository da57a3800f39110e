import Database from 'better-sqlite3'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { damaged, foreign } from './journal-trouble.ts'
import { JOURNAL_APPLICATION_ID, JOURNAL_SCHEMA, JOURNAL_VERSION } from './schema.ts'

/** Journals up to this size are checked page by page at each start, which takes some tenths of a second. */
const CHECKED_BYTES = 64 * 2 ** 20

/**
 * Whether this database is empty, or a journal with exactly the tables, indexes and triggers of this Hangar. Throws
 * `journal_too_new`, `journal_foreign` and `journal_damaged`.
 */
export function checkJournal(db: Database.Database, path: string): 'whole' | 'empty' {
  return db.transaction(() => {
    const application = db.pragma('application_id', { simple: true })
    const version = db.pragma('user_version', { simple: true }) as number
    const there = schemaOf(db)
    if (application === 0 && version === 0 && there.size === 0) return 'empty'
    if (application !== JOURNAL_APPLICATION_ID) throw foreign(path)
    const known = JOURNAL_VERSION
    if (version > known) throw new AppError('journal_too_new', say('journal_too_new', { path, version, known }))
    if (version < known) throw damaged(path, `user_version ${version}`)
    if (!same(there, (ours ??= ourSchema()))) throw damaged(path, 'sqlite_schema')
    return 'whole'
  })()
}

/** Far above what Hangar writes. */
const MAX_CELL_BYTES = 4 * 2 ** 20

/** More than a job takes, with its history and payments. */
const MAX_JOB_BYTES = 64 * 2 ** 10

/**
 * Throws `journal_damaged` for a cell that is too large to be read into memory. Looks only at a journal that is larger than its
 * jobs explain, and only at the lengths of cells.
 */
export function checkCells(db: Database.Database, path: string): void {
  const enough = Math.ceil((bytesOf(db) - MAX_CELL_BYTES) / MAX_JOB_BYTES)
  const jobs = 'SELECT count(*) FROM (SELECT 1 FROM jobs LIMIT ?)'
  if (enough <= 0 || (db.prepare<[number], number>(jobs).pluck().get(enough) ?? 0) === enough) return
  for (const { name: table } of tablesOf(db)) {
    const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
    const sizes = columns.map((column) => `coalesce(octet_length(${column}), 0)`)
    const largest = db
      .prepare<[], number | null>(`SELECT max(max(0, ${sizes.join(', ')})) FROM ${table}`)
      .pluck()
      .get()
    if (largest != null && largest > MAX_CELL_BYTES) throw damaged(path, `${table}: ${largest} bytes`)
  }
}

const tablesOf = (db: Database.Database) =>
  db.prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).all()

/** Throws `journal_damaged` for a damaged page, in a journal that is not too large for that, and for a dispatch without its payment. */
export function checkPages(db: Database.Database, path: string): void {
  if (bytesOf(db) > CHECKED_BYTES) return
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw damaged(path, String(found))
  checkWords(db, path)
  const unpaid = `SELECT id FROM dispatches WHERE outcome IN ('open', 'accepted', 'unknown')
    AND paid_key NOT IN (SELECT paid_key FROM payments) LIMIT 1`
  const id = db.prepare<[], number>(unpaid).pluck().get()
  if (id !== undefined) throw damaged(path, `payments: ${id}`)
}

/** Checks what `quick_check` leaves out on a connection for reading: the CHECK constraints. */
function checkWords(db: Database.Database, path: string): void {
  for (const { name, sql } of tablesOf(db))
    for (const [, rule] of sql.matchAll(/CHECK \((\w+ IN \([^)]*\))\)/g))
      if (db.prepare(`SELECT 1 FROM ${name} WHERE NOT (${rule}) LIMIT 1`).get() !== undefined)
        throw damaged(path, `${name}: ${rule}`)
}

function bytesOf(db: Database.Database): number {
  const figure = (name: string) => db.pragma(name, { simple: true }) as number
  return figure('page_count') * figure('page_size')
}

/** Definitions by name, without white space. */
type Schema = ReadonlyMap<string, string>

function schemaOf(db: Database.Database): Schema {
  const rows = db
    .prepare<[], { type: string; name: string; sql: string | null }>('SELECT type, name, sql FROM sqlite_schema')
    .all()
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replace(/\s+/g, '')]))
}

let ours: Schema | null = null

function ourSchema(): Schema {
  const db = new Database(':memory:')
  try {
    db.exec(JOURNAL_SCHEMA)
    return schemaOf(db)
  } finally {
    db.close()
  }
}

const same = (one: Schema, other: Schema) =>
  one.size === other.size && [...one].every(([name, sql]) => other.get(name) === sql)
