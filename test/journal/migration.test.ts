import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { type Db, JOURNAL_NAME, openJournal, openJournalForReading } from '../../src/main/journal/journal.ts'
import { MIGRATIONS } from '../../src/main/journal/migrations.ts'
import { withNextVersion } from '../next-version.ts'
import { makeJob } from '../queue/make-job.ts'
import { folderForTest } from '../temp-folder.ts'

/** A column with what is already known of each job, and a table. */
const NEXT = `
  ALTER TABLE jobs ADD COLUMN folder_name TEXT NOT NULL DEFAULT '';
  UPDATE jobs SET folder_name = substr(path, 1, 3);
  CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;
`

let dir: string

beforeEach(() => {
  dir = folderForTest()
})

const versionOf = (db: Db) => db.pragma('user_version', { simple: true })

function used<Result>(db: Db, use: (db: Db) => Result): Result {
  try {
    return use(db)
  } finally {
    db.close()
  }
}

function journalWithJobs(): void {
  used(openJournal(dir), (db) => {
    const store = new JobStore(db, () => 1)
    for (const job of [makeJob(), makeJob({ state: 'done' })]) store.insert(job)
  })
}

const bytes = () => readFileSync(join(dir, JOURNAL_NAME))

describe('a journal of the version before', () => {
  it('is brought along with its jobs', async () => {
    journalWithJobs()
    await withNextVersion(MIGRATIONS, NEXT, () =>
      used(openJournal(dir), (db) => {
        expect(versionOf(db)).toBe(2)
        expect(new JobStore(db, () => 1).count()).toMatchObject({ done: 1, ready: 1 })
        expect(db.prepare('SELECT DISTINCT length(folder_name) FROM jobs').pluck().all()).toEqual([3])
        expect(db.prepare('SELECT count(*) FROM more').pluck().get()).toBe(0)
      }),
    )
  })

  it('is read as it would be then, with nothing changed on the disk', async () => {
    journalWithJobs()
    const before = bytes()
    await withNextVersion(MIGRATIONS, NEXT, () =>
      used(openJournalForReading(dir), (db) => {
        expect(versionOf(db)).toBe(2)
        expect(new JobStore(db, () => 1).count()).toMatchObject({ done: 1, ready: 1 })
      }),
    )
    expect(bytes().equals(before)).toBe(true)
  })

  it('stays at its version when the step fails', async () => {
    journalWithJobs()
    await withNextVersion(MIGRATIONS, `${NEXT} INSERT INTO nowhere VALUES (1);`, () =>
      expect(() => openJournal(dir)).toThrow('nowhere'),
    )
    used(openJournal(dir), (db) => {
      expect(versionOf(db)).toBe(1)
      expect(new JobStore(db, () => 1).count()).toMatchObject({ done: 1, ready: 1 })
    })
  })

  it('is refused by the version before once it was brought along', async () => {
    journalWithJobs()
    await withNextVersion(MIGRATIONS, NEXT, () => openJournal(dir).close())
    for (const open of [openJournal, openJournalForReading])
      expect(() => open(dir)).toThrow(expect.objectContaining({ code: 'journal_too_new' }))
  })
})

/** Opens the journal in a process of its own, at once with others: when it is told to on its standard input. */
const OPENING = `
  const { openJournal } = await import(${JSON.stringify(new URL('../../src/main/journal/journal.ts', import.meta.url).href)})
  const { MIGRATIONS } = await import(${JSON.stringify(new URL('../../src/main/journal/migrations.ts', import.meta.url).href)})
  const [dir, next] = process.argv.slice(1)
  if (next !== undefined) MIGRATIONS.push(next)
  process.stdin.once('data', () => {
    const db = openJournal(dir)
    console.log(db.pragma('user_version', { simple: true }))
    db.close()
    process.exit()
  })
  console.log('ready')
`

async function openAtOnce(processes: number, next: string[]): Promise<string[]> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', OPENING, dir, ...next], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
  const said = children.map(() => '')
  const listen = children.map(async (child, n) => {
    for await (const chunk of child.stdout) said[n] += String(chunk)
  })
  children.forEach((child, n) => child.stderr.on('data', (chunk: Buffer) => (said[n] += chunk.toString())))
  await Promise.all(children.map((child) => once(child.stdout, 'readable')))
  for (const child of children) child.stdin.write('go\n')
  await Promise.all(listen)
  return said.map((text) => text.replace('ready', '').trim())
}

it.each([
  { what: 'brings a journal of the version before along', prepare: journalWithJobs, next: [NEXT], version: '2' },
  { what: 'makes a journal', prepare: () => undefined, next: [], version: '1' },
])('$what once when several processes open it at once', async ({ prepare, next, version }) => {
  prepare()
  expect(await openAtOnce(5, next)).toEqual(Array.from({ length: 5 }, () => version))
})
