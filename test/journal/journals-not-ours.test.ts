import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { itWith, LINUX_ROOT, POSIX } from '../needs.ts'
import { type Db, JOURNAL_NAME, openJournal, openJournalForReading } from '../../src/main/journal/journal.ts'
import { JOURNAL_VERSION } from '../../src/main/journal/schema.ts'
import { writeSentMark } from '../../src/main/journal/sent-mark.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { sha256 } from '../files/temp-folder.ts'
import { folderForAll, folderForTest } from '../temp-folder.ts'

const NOBODY = 65_534
const PAGE_BYTES = 4096

const whole = folderForAll()
let dir: string
beforeAll(() => {
  const db = openJournal(whole)
  const documents = new Documents(db)
  // Small enough that none continues on a page of its own, of which only the reader of the row sees that it is zeros.
  for (let made = 0; made < 60; made += 1) documents.put('test', `${made}`, 'x'.repeat(500))
  db.close()
})
beforeEach(() => {
  dir = folderForTest()
  copyFileSync(join(whole, JOURNAL_NAME), path())
})

const path = () => join(dir, JOURNAL_NAME)

function write(at: number, bytes: number[] | Buffer): void {
  const file = openSync(path(), 'r+')
  writeSync(file, Buffer.from(bytes), 0, bytes.length, at)
  closeSync(file)
}

function refusal(open: () => { close(): unknown }): AppError {
  try {
    open().close()
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return error as AppError
  }
  throw new Error('it was opened')
}

/** The refusal of every way to open it, which leaves every byte as it was. */
function refused(): AppError {
  const before = contents()
  const [first, ...others] = [openJournal, openJournalForReading].map((open) => refusal(() => open(dir)))
  for (const other of others) expect(other.message).toBe(first!.message)
  expect(contents()).toEqual(before)
  expect(first!.message).toContain(path())
  return first!
}

function contents(): string[] {
  const files = readdirSync(dir).filter((name) => !name.endsWith('-shm') && statSync(join(dir, name)).isFile())
  const isFilled = (name: string) => statSync(join(dir, name)).size > 0
  return files.filter(isFilled).map((name) => `${name} ${sha256(readFileSync(join(dir, name)))}`)
}

/** Opens it as Hangar does, and puts all that `work` changed into the file itself. */
function change(work: (db: Db) => unknown): void {
  const db = openJournal(dir)
  work(db)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Dispatches as they are in the journal before a request is made. */
function send(db: Db, pictures: number): void {
  for (let n = 0; n < pictures; n += 1) {
    const key = `practice|${n}|analyze||`
    db.prepare(`INSERT INTO payments VALUES (?, 'practice', 'j', 'sending', NULL, NULL, 1)`).run(key)
    db.prepare(
      `INSERT INTO dispatches (paid_key, job_id, service_id, operation, languages, format, at_ms, outcome, repeats, batch_id, account_id)
       VALUES (?, 'j', 'practice', 'analyze', 1, 'webp', 1, 'open', 0, 'b', 'a')`,
    ).run(key)
  }
}

describe('A journal that cannot be used is named and left as it is', () => {
  it.each([
    ['its version is negative', 60, [0x80], 'journal_damaged'],
    ['its version is negative, and near nought', 60, [0xff], 'journal_damaged'],
    ['it has tables and no version', 60, [0, 0, 0, 0], 'journal_damaged'],
    ['it has tables and no application id', 68, [0, 0, 0, 0], 'journal_foreign'],
    ['a newer Hangar wrote it', 60, [0, 0, 0, JOURNAL_VERSION + 1], 'journal_too_new'],
    ['its application id is that of another program', 68, Buffer.from('GPKG'), 'journal_foreign'],
    ['its first bytes are none of a database', 0, Buffer.from('PK\u0003\u0004 not a database'), 'journal_damaged'],
  ] as const)('when %s', (_, at, bytes, code) => {
    write(at, [...bytes])
    expect(refused()).toMatchObject({ code })
  })

  it.each([0, 5, JOURNAL_VERSION])('when it is the database of another program, at version %i', (version) => {
    rmSync(path())
    const theirs = new Database(path())
    theirs.pragma('journal_mode = WAL')
    theirs.exec('CREATE TABLE bookmarks (url TEXT)')
    theirs.pragma(`user_version = ${version}`)
    // As a program that was killed leaves it: most of it is in the WAL.
    const [pages, wal] = [readFileSync(path()), readFileSync(`${path()}-wal`)]
    theirs.close()
    writeFileSync(path(), pages)
    writeFileSync(`${path()}-wal`, wal)
    expect(refused()).toMatchObject({ code: 'journal_foreign' })
  })

  it.each([
    [
      'a trigger that no Hangar made',
      `CREATE TRIGGER loop AFTER UPDATE ON jobs BEGIN UPDATE payments SET state = 'ended'; END`,
    ],
    [
      'a view that no Hangar made',
      'CREATE VIEW deep AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
    ],
    ['a table that no Hangar made', 'CREATE TABLE more (id)'],
    ['a cell with a huge text', `UPDATE documents SET doc = CAST(zeroblob(8000000) AS TEXT) WHERE key = '7'`],
    [
      'a cell with a huge number',
      `INSERT INTO quarantine SELECT 1, 'a', 'b', 'c', '1' || replace(hex(zeroblob(3000000)), '00', '00')`,
    ],
  ])('when it has %s', (_, sql) => {
    change((db) => db.exec(sql))
    expect(refused()).toMatchObject({ code: 'journal_damaged' })
  })

  it('when it is cut short', () => {
    writeFileSync(path(), readFileSync(path()).subarray(0, -(PAGE_BYTES * 3 + 100)))
    expect(refusal(() => openJournal(dir))).toMatchObject({ code: 'journal_damaged' })
  })

  it('when a page of it is zeros', () => {
    for (let page = 2; page <= statSync(path()).size / PAGE_BYTES; page += 1) {
      copyFileSync(join(whole, JOURNAL_NAME), path())
      write((page - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES))
      expect(
        refusal(() => openJournal(dir)),
        `page ${page}`,
      ).toMatchObject({ code: 'journal_damaged' })
    }
  })

  itWith(LINUX_ROOT)('when this user may not read it', () => {
    chmodSync(dir, 0o755)
    chmodSync(path(), 0o600)
    process.seteuid!(NOBODY)
    try {
      const error = refusal(() => openJournal(dir))
      expect(error).toMatchObject({ code: 'journal_unusable' })
      expect(error.message).toMatch(/journal\.db cannot be opened \(EACCES: permission denied/)
    } finally {
      process.seteuid!(0)
    }
  })

  it('when it lacks what was sent with it last', () => {
    change((db) => {
      send(db, 3)
      writeSentMark(path(), db)
    })
    openJournal(dir).close()
    copyFileSync(join(whole, JOURNAL_NAME), path())
    const error = refused()
    expect(error).toMatchObject({ code: 'journal_damaged', sentence: { code: 'journal_behind' } })
    expect(error.message).toContain(`remove ${path()}-sent and start again`)
    // An empty file is no new journal either.
    writeFileSync(path(), '')
    expect(refusal(() => openJournal(dir)).message).toBe(error.message)
    // A person who moved the journal away, and one who removed the mark, go on.
    rmSync(path())
    openJournal(dir).close()
    openJournal(dir).close()
  })

  it('when all of it was in a WAL that is lost', () => {
    rmSync(path())
    const db = openJournal(dir)
    send(db, 3)
    writeSentMark(path(), db)
    const withoutWal = readFileSync(path())
    db.close()
    writeFileSync(path(), withoutWal)
    for (const open of [openJournal, openJournalForReading])
      expect(refusal(() => open(dir))).toMatchObject({ code: 'journal_damaged', sentence: { code: 'journal_behind' } })
  })

  it('when it has a dispatch and no payment for it', () => {
    change((db) => {
      send(db, 1)
      db.exec('DELETE FROM payments')
    })
    expect(refusal(() => openJournal(dir))).toMatchObject({ code: 'journal_damaged' })
  })

  it.each(['payments', 'outputs'])('when %s are in a state that there is not', (table) => {
    change((db) => {
      send(db, 1)
      const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
      const values = columns.map((name) => (name === 'state' ? `'dancing'` : '1'))
      db.pragma('ignore_check_constraints = ON')
      db.exec(`INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()})`)
    })
    expect(refusal(() => openJournal(dir))).toMatchObject({ code: 'journal_damaged' })
  })

  itWith(POSIX)('when a pipe is in the place of it or of one of SQLite’s files', () => {
    for (const file of ['', '-wal', '-shm', '-journal'].map((suffix) => path() + suffix)) {
      const kept = `${dir}/kept`
      if (existsSync(file)) renameSync(file, kept)
      spawnSync('mkfifo', [file])
      for (const open of [openJournal, openJournalForReading])
        expect(refusal(() => open(dir))).toMatchObject({ code: 'journal_unusable' })
      rmSync(file)
      if (existsSync(kept)) renameSync(kept, file)
    }
  })

  itWith(POSIX)('but not when a pipe is in the place of the mark beside it', () => {
    spawnSync('mkfifo', [`${path()}-sent`])
    openJournal(dir).close()
    openJournalForReading(dir).close()
  })

  it('when it is a folder', () => {
    rmSync(path())
    mkdirSync(path())
    expect(refused()).toMatchObject({ code: 'journal_unusable' })
  })
})
