import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { nameKey } from '../core/name-key.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { sentenceBefore10 } from './migrations/sentences-before-10.ts'

export type Db = Database.Database

export const JOURNAL_VERSION = MIGRATIONS.length

export const JOURNAL_NAME = 'journal.db'

/** How long to wait for another process's lock. */
const BUSY_TIMEOUT_MS = 5000
const BUSY_RETRY_MS = 10

/**
 * Opens the journal in the data folder, creating or migrating it. With `readonly` nothing is created or changed.
 * An earlier version is read as it is. WAL; ordinary commits survive a killed process, `durably` ones a power cut. Throws
 * `journal_too_new` for a journal of a later Hangar, `not_found` for a missing one that may not be created, and
 * `data_folder_in_use` when another process keeps it locked for longer than `busyMs`.
 */
export function openJournal(dir: string, options: { readonly?: boolean; busyMs?: number } = {}): Db {
  const db = openFile(join(dir, JOURNAL_NAME), options.readonly ?? false)
  try {
    const { busyMs = BUSY_TIMEOUT_MS } = options
    db.pragma(`busy_timeout = ${busyMs}`)
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > JOURNAL_VERSION)
      throw new AppError('journal_too_new', say('journal_too_new', { version, known: JOURNAL_VERSION }))
    db.pragma('foreign_keys = ON')
    addFunctions(db)
    if (options.readonly === true) {
      // Another process is creating it at this moment.
      if (version === 0) throw noJournal()
      for (const { standIn } of MIGRATIONS.slice(version)) if (standIn !== undefined) db.exec(standIn)
      return db
    }
    switchToWal(db, busyMs)
    db.pragma('synchronous = NORMAL')
    db.pragma('fullfsync = ON')
    migrate(db)
    clearRecoveredIndex(db)
    return db
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new AppError('data_folder_in_use', say('journal_busy'), {
      cause: error,
    })
  }
}

/**
 * A read-only view of the journal, which another process may be using; nothing is created or changed. An earlier version is
 * read from a migrated copy in memory; a journal that does not exist yet is empty. Throws as `openJournal`.
 */
export function openJournalForReading(dir: string): Db {
  let db: Db
  try {
    db = openJournal(dir, { readonly: true })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return openScratchJournal()
    throw error
  }
  if (db.pragma('user_version', { simple: true }) === JOURNAL_VERSION) return db
  try {
    const copy = db.serialize()
    // Bytes 18 and 19 of a database say that it has a WAL (SQLite, "Database File Format", 1.3.3); in memory there is none.
    copy.fill(1, 18, 20)
    return openScratchJournal(copy)
  } finally {
    db.close()
  }
}

/** A journal in memory, empty or from a serialised copy of any version. */
export function openScratchJournal(copy?: Buffer): Db {
  const db = copy === undefined ? new Database(':memory:') : new Database(copy)
  db.pragma('foreign_keys = ON')
  addFunctions(db)
  migrate(db)
  return db
}

/** The SQL functions that the migrations to versions 10 and 11 call. */
function addFunctions(db: Db): void {
  db.function('sentence_before_10', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? JSON.stringify(sentenceBefore10(text)) : null,
  )
  db.function('name_key', { deterministic: true }, (path: unknown) => nameKey(String(path)))
}

/** While another process makes the same switch, SQLite answers SQLITE_BUSY at once, whatever the busy time-out. */
function switchToWal(db: Db, busyMs: number): void {
  const untilMs = performance.now() + busyMs
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
    }
  }
}

/**
 * A first write into the WAL. When SQLite finds a WAL without a whole frame, as a kill can leave it, it fills the `-shm`
 * file with a block of memory that it did not clear (`walIndexRecover`): anything this process had in it, even a key,
 * would stay on the disk until the next write.
 */
function clearRecoveredIndex(db: Db): void {
  // Writes the version that is there now: a later Hangar may have migrated the journal a moment ago.
  transact(db, () => db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`))
}

/** Whether SQLite failed because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
}

const noJournal = (cause?: unknown) => new AppError('not_found', say('journal_missing'), { cause })

function openFile(path: string, readonly: boolean): Db {
  try {
    return new Database(path, { readonly, fileMustExist: readonly })
  } catch (cause) {
    if (readonly) throw noJournal(cause)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('data_folder_unusable', say('journal_unreadable', { why: raw(why) }), { cause })
  }
}

/** One transaction per version: a crash leaves the journal at the version before or after, never between. */
function migrate(db: Db): void {
  const versionNow = () => db.pragma('user_version', { simple: true }) as number
  const step = db.transaction(() => {
    // Read again under the write lock: another process may have migrated meanwhile.
    const version = versionNow()
    const migration = MIGRATIONS[version]
    if (migration === undefined) return
    db.exec(migration.sql)
    db.pragma(`user_version = ${version + 1}`)
  })
  while (versionNow() < JOURNAL_VERSION) step.immediate()
}

/**
 * Runs one write transaction. The write lock is taken first: a transaction that begins by reading fails at once with
 * SQLITE_BUSY_SNAPSHOT if another process wrote in between, whatever the busy time-out.
 */
export function transact<Result>(db: Db, change: () => Result): Result {
  return db.transaction(change).immediate()
}

/** Runs one transaction that is on the disk when this returns: for intents, job ids and published results. */
export function durably<Result>(db: Db, change: () => Result): Result {
  db.pragma('synchronous = FULL')
  try {
    return transact(db, change)
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

const statements = new WeakMap<Db, Map<string, Database.Statement<unknown[], unknown>>>()

/** The prepared statement for this text, made once per connection: preparing costs more than most statements do. */
export function prepared<Values extends unknown[], Row>(db: Db, sql: string): Database.Statement<Values, Row> {
  let known = statements.get(db)
  if (known === undefined) statements.set(db, (known = new Map<string, Database.Statement<unknown[], unknown>>()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = db.prepare<unknown[], unknown>(sql)))
  return statement as unknown as Database.Statement<Values, Row>
}
