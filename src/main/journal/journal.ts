import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { refusePlantedDatabase } from './check-data-folder.ts'
import { checkCells, checkJournal, checkPages } from './check-journal.ts'
import { journalTrouble, refuseOtherThanFiles } from './journal-trouble.ts'
import { JOURNAL_APPLICATION_ID, JOURNAL_SCHEMA, JOURNAL_VERSION } from './schema.ts'
import { behind, checkSent, forgetSentMark, readSentMark } from './sent-mark.ts'

export type Db = Database.Database

export const JOURNAL_NAME = 'journal.db'

const BUSY_TIMEOUT_MS = 5000
const BUSY_RETRY_MS = 10

/**
 * Opens the journal in the data folder, or creates it. WAL: ordinary commits survive a killed process, `durably` ones a power cut.
 * Throws `data_folder_in_use` when another process keeps it locked for longer than `busyMs`, `data_folder_unusable` for a planted one,
 * and `journal_too_new`, `journal_foreign`, `journal_damaged`, `journal_unusable` or `disk_full`; then it is left as it is.
 */
export function openJournal(dir: string, { busyMs = BUSY_TIMEOUT_MS } = {}): Db {
  return open(dir, (path) => openForWriting(path, busyMs))
}

/** A view of the journal, which another process may be using. One that does not exist yet reads as empty. Throws as `openJournal`. */
export function openJournalForReading(dir: string): Db {
  return open(dir, openReadOnly)
}

function open(dir: string, how: (path: string) => Db): Db {
  const path = join(dir, JOURNAL_NAME)
  try {
    refusePlantedDatabase(path)
    refuseOtherThanFiles(path)
    return how(path)
  } catch (error) {
    if (isBusy(error)) throw new AppError('data_folder_in_use', say('journal_busy'), { cause: error })
    throw journalTrouble(error, path) ?? error
  }
}

function openReadOnly(path: string): Db {
  if (isEmpty(path)) return openScratchJournal()
  const sent = readSentMark(path)
  let isNew = false
  const db = opened(new Database(path, { readonly: true, fileMustExist: true }), BUSY_TIMEOUT_MS, (opening) => {
    isNew = checkJournal(opening, path) === 'empty'
    if (isNew) return checkNew(path)
    checkSent(opening, path, sent)
    checkCells(opening, path)
  })
  if (!isNew) return db
  db.close()
  return openScratchJournal()
}

function openForWriting(path: string, busyMs: number): Db {
  const sent = readSentMark(path)
  // A connection that may write would fold the WAL of a foreign or damaged database into it when it is closed.
  const isKnown = isEmpty(path) ? beginAnew(path, sent) : lookFirst(path, busyMs, sent)
  closeSync(openSync(path, 'a', 0o600))
  return opened(new Database(path), busyMs, (db) => {
    if (isKnown) checkJournal(db, path)
    else checkContents(db, path, sent)
    db.pragma('foreign_keys = ON')
    switchToWal(db, busyMs)
    db.pragma('synchronous = NORMAL')
    db.pragma('fullfsync = ON')
    makeTables(db)
    clearRecoveredIndex(db)
  })
}

/** A person who moved the journal away begins a new one; nobody leaves an empty file after something was sent. */
function beginAnew(path: string, sent: number): true {
  if (sent > 0 && existsSync(path)) throw behind(path)
  forgetSentMark(path)
  return true
}

/** False for what a killed process left half done: only a connection that may write can recover and read it. */
function lookFirst(path: string, busyMs: number, sent: number): boolean {
  try {
    opened(new Database(path, { readonly: true, fileMustExist: true }), busyMs, (db) => {
      checkContents(db, path, sent)
    }).close()
    return true
  } catch (error) {
    if (!needsRecovery(error)) throw error
    return false
  }
}

function checkContents(db: Db, path: string, sent: number): void {
  if (checkJournal(db, path) === 'empty') return checkNew(path)
  checkSent(db, path, sent)
  checkCells(db, path)
  checkPages(db, path)
}

/** An empty journal is being created by another process, which has removed the mark first; or all of it was in its WAL, which is lost. */
function checkNew(path: string): void {
  if (readSentMark(path) > 0) throw behind(path)
}

/** Prepares a connection, and closes it if that fails. */
function opened(db: Db, busyMs: number, prepare: (db: Db) => void): Db {
  try {
    db.pragma(`busy_timeout = ${busyMs}`)
    // Nothing in the file may run functions, and cells are checked before they are read.
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    addFunctions(db)
    prepare(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Text as a search compares it: SQLite folds the case of ASCII only. */
export const foldedText = (text: string) => text.normalize('NFC').toLowerCase()

function addFunctions(db: Db): void {
  db.function('folder_of', { deterministic: true }, dirname as (path: unknown) => string)
  db.function('folded_text', { deterministic: true }, foldedText as (text: unknown) => string)
}

function isEmpty(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined || stats.size === 0
}

function needsRecovery(error: unknown): boolean {
  return ['SQLITE_READONLY_ROLLBACK', 'SQLITE_READONLY_RECOVERY'].includes(errorCode(error))
}

export function openScratchJournal(): Db {
  const db = new Database(':memory:')
  db.pragma('foreign_keys = ON')
  addFunctions(db)
  makeTables(db)
  return db
}

/** While another process does the same, SQLite answers SQLITE_BUSY at once, whatever the busy time-out. */
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
 * A first write into the WAL. When SQLite finds a WAL without a whole frame, as a kill can leave it, it writes uncleared memory into
 * the `-shm` file (`walIndexRecover`): even a key would stay on the disk until the next write.
 */
function clearRecoveredIndex(db: Db): void {
  transact(db, () => db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`))
}

/** Whether SQLite failed because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error))
}

/** In one transaction: a crash leaves the journal empty or whole. */
function makeTables(db: Db): void {
  transact(db, () => {
    // Read under the write lock: another process may make them at the same time.
    if (db.pragma('user_version', { simple: true }) !== 0) return
    db.exec(JOURNAL_SCHEMA)
    db.pragma(`application_id = ${JOURNAL_APPLICATION_ID}`)
    db.pragma(`user_version = ${JOURNAL_VERSION}`)
  })
}

/** One write transaction. It takes the write lock first: one that begins by reading fails at once if another process wrote in between. */
export function transact<Result>(db: Db, change: () => Result): Result {
  return db.transaction(change).immediate()
}

/** One transaction that is on the disk when this returns: for intents, job ids and published results. */
export function durably<Result>(db: Db, change: () => Result): Result {
  db.pragma('synchronous = FULL')
  try {
    return transact(db, change)
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

const statements = new WeakMap<Db, Map<string, Database.Statement<unknown[], unknown>>>()

/** The statement, prepared once per connection. */
export function prepared<Values extends unknown[], Row>(db: Db, sql: string): Database.Statement<Values, Row> {
  let known = statements.get(db)
  if (known === undefined) statements.set(db, (known = new Map<string, Database.Statement<unknown[], unknown>>()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = db.prepare<unknown[], unknown>(sql)))
  return statement as unknown as Database.Statement<Values, Row>
}
