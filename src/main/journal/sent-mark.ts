import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/**
 * A file beside the journal with the number of the last dispatch that it had on the disk. A journal that has fewer is a backup that was
 * put back, or has lost its WAL. Reading and writing the mark never fails: it is a second check.
 */
const markOf = (journal: string) => `${journal}-sent`

const MAX_BYTES = 64
/** Follows no link and waits for no pipe; Windows has neither flag. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** 0 when nothing is known. Read it before the journal, which another process may be writing to. */
export function readSentMark(journal: string): number {
  return withMark(journal, constants.O_RDONLY, (file) => {
    const bytes = Buffer.alloc(MAX_BYTES)
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, MAX_BYTES, 0))
    return Number(/^(\d{1,15}) \1\n/.exec(text)?.[1] ?? 0)
  })
}

/** After the dispatch is in the journal, synced, and before its request is made. */
export function writeSentMark(journal: string, db: Database.Database): void {
  const last = lastIn(db)
  withMark(journal, constants.O_WRONLY | constants.O_CREAT, (file) => writeSync(file, `${last} ${last}\n`, 0))
}

/** For a journal that is not there: what was sent with an earlier one does not concern the next. */
export function forgetSentMark(journal: string): void {
  rmSync(markOf(journal), { force: true })
}

/** Throws `journal_damaged` for a journal that lacks what was sent last. */
export function checkSent(db: Database.Database, journal: string, sent: number): void {
  if (sent > lastIn(db)) throw behind(journal)
}

export function behind(journal: string): AppError {
  return new AppError('journal_damaged', say('journal_behind', { path: journal, mark: markOf(journal) }))
}

function lastIn(db: Database.Database): number {
  return db.prepare<[], number | null>('SELECT max(id) FROM dispatches').pluck().get() ?? 0
}

function withMark(journal: string, flags: number, use: (file: number) => number): number {
  let file: number | null = null
  try {
    file = openSync(markOf(journal), flags | CAREFULLY, 0o600)
    return fstatSync(file).isFile() ? use(file) : 0
  } catch {
    return 0
  } finally {
    if (file !== null) closeSync(file)
  }
}
