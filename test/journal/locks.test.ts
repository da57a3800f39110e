import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, it } from 'vitest'
import { lockDataFolder, prepareDataFolder } from '../../src/main/journal/data-folder.ts'
import { JOURNAL_NAME, openJournal, openJournalForReading, transact } from '../../src/main/journal/journal.ts'
import { PATIENCE_MS } from '../until.ts'
import { folderForTest } from '../temp-folder.ts'

const WAL_HEADER_BYTES = 32

let dir: string
beforeEach(() => (dir = folderForTest()))

/** Resolves once another process holds the lock; it lets go 300 ms later, whatever happens here. */
async function heldElsewhere(name: string, sql: string): Promise<{ ended: Promise<unknown> }> {
  const child = fork(join(import.meta.dirname, 'hold-lock.ts'), [join(dir, name), sql], { execArgv: [] })
  const ended = once(child, 'exit')
  await once(child, 'message')
  return { ended }
}

it('A fresh journal is opened as soon as another process lets go of its write lock', async () => {
  const { ended } = await heldElsewhere(JOURNAL_NAME, 'BEGIN IMMEDIATE')
  // It blocks this process until the other lets go, which a busy machine may delay.
  const db = openJournal(dir, { busyMs: PATIENCE_MS })
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  db.close()
  await ended
})

it('A journal that another process is creating reads as none, and is opened', () => {
  const db = new Database(join(dir, JOURNAL_NAME))
  db.pragma('journal_mode = WAL')
  db.close()
  const seen = openJournalForReading(dir)
  expect(seen.prepare('SELECT count(*) FROM documents').pluck().get()).toBe(0)
  seen.close()
  openJournal(dir).close()
})

it('A transaction that reads first keeps other processes from writing before it does', () => {
  const [one, other] = [openJournal(dir), openJournal(dir)]
  other.pragma('busy_timeout = 0')
  const put = `INSERT INTO documents (kind, key, doc) VALUES ('test', ?, '{}')`
  transact(one, () => {
    one.prepare('SELECT count(*) FROM documents').get()
    expect(() => other.prepare(put).run('other')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    one.prepare(put).run('one')
  })
  expect(one.prepare('SELECT key FROM documents').pluck().all()).toEqual(['one'])
  for (const db of [one, other]) db.close()
})

it('A journal that was killed before its first whole write leaves none of this process’s memory on the disk', () => {
  openJournal(dir).close()
  const killed = openJournal(dir)
  transact(killed, () => killed.exec(`INSERT INTO documents (kind, key, doc) VALUES ('test', 'one', '{}')`))
  const [file, wal] = [join(dir, JOURNAL_NAME), join(dir, `${JOURNAL_NAME}-wal`)]
  const [pages, frames] = [readFileSync(file), readFileSync(wal)]
  killed.close()
  writeFileSync(file, pages)
  writeFileSync(wal, frames.subarray(0, WAL_HEADER_BYTES + 1000))
  fillMemoryWith('canary-key-')
  const db = openJournal(dir)
  expect(readFileSync(`${file}-shm`).includes('canary-key-')).toBe(false)
  db.close()
})

/** Leaves memory that SQLite has used and given back full of this text. */
function fillMemoryWith(text: string): void {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE filled (text)')
  for (let row = 0; row < 50; row++) db.prepare('INSERT INTO filled VALUES (?)').run(text.repeat(3000))
  db.prepare('SELECT group_concat(text) FROM filled').get()
  db.close()
}

it('A look at the lock by another process does not keep an engine out', async () => {
  new Database(join(dir, 'lock.db')).exec('CREATE TABLE held (id)').close()
  const { ended } = await heldElsewhere('lock.db', 'BEGIN; SELECT * FROM held')
  lockDataFolder(dir, PATIENCE_MS).release()
  await ended
})

it('Many that make the same nested data folder at once all find it there', async () => {
  const made = Array.from({ length: 20 }, () => prepareDataFolder(join(dir, 'a', 'b', 'c', 'd')))
  await expect(Promise.all(made)).resolves.toHaveLength(20)
})

/** Opens the journal in a process of its own, at once with others: when it is told to on its standard input. */
const OPENING = `
  const { openJournal } = await import(${JSON.stringify(new URL('../../src/main/journal/journal.ts', import.meta.url).href)})
  process.stdin.once('data', () => {
    const db = openJournal(process.argv[1])
    console.log(db.prepare('SELECT count(*) FROM jobs').pluck().get())
    db.close()
    process.exit()
  })
  console.log('ready')
`

it('A journal is made once when several processes open it at once', async () => {
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', OPENING, dir], { stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  const said = children.map(() => '')
  const listen = children.map(async (child, n) => {
    for await (const chunk of child.stdout) said[n] += String(chunk)
  })
  children.forEach((child, n) => child.stderr.on('data', (chunk: Buffer) => (said[n] += chunk.toString())))
  await Promise.all(children.map((child) => once(child.stdout, 'readable')))
  for (const child of children) child.stdin.write('go\n')
  await Promise.all(listen)
  expect(said.map((text) => text.replace('ready', '').trim())).toEqual(Array(5).fill('0'))
})
