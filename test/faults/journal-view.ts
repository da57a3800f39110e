import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export interface JournalJob {
  id: string
  path: string
  sha256: string | null
  state: string
  reason: string | null
  paidKey: string | null
}
export interface JournalOutput {
  path: string
  sha256: string
  sourcePath: string
  role: string
  state: 'planned' | 'published'
}
export interface JournalDispatch {
  paidKey: string
  outcome: 'open' | 'accepted' | 'notSent' | 'rejected' | 'unknown'
}
export interface JournalPayment {
  paidKey: string
  state: string
  imageId: string | null
}

/** What a journal holds, read straight from its tables: the fault tests trust no code of the queue about it. */
export interface JournalView {
  jobs: JournalJob[]
  outputs: JournalOutput[]
  outputHashes: Set<string>
  dispatches: JournalDispatch[]
  payments: JournalPayment[]
  quarantined: number
}

type Rows = <Row>(sql: string) => Row[]

/** Null when there is no journal yet, or one whose first transaction never happened. */
export function readJournal(dataDir: string): JournalView | null {
  return inJournal(dataDir, (rows) => ({
    jobs: jobsOf(rows),
    outputs: rows<JournalOutput>('SELECT path, sha256, source_path AS sourcePath, role, state FROM outputs'),
    outputHashes: new Set(rows<{ sha256: string }>('SELECT sha256 FROM output_hashes').map(({ sha256 }) => sha256)),
    dispatches: rows<JournalDispatch>('SELECT paid_key AS paidKey, outcome FROM dispatches'),
    payments: rows<{ paidKey: string; state: string; result: string | null }>(
      'SELECT paid_key AS paidKey, state, result FROM payments',
    ).map(({ paidKey, state, result }) => ({
      paidKey,
      state,
      imageId: result === null ? null : (JSON.parse(result) as { imageId: string }).imageId,
    })),
    quarantined: rows<{ n: number }>('SELECT count(*) AS n FROM quarantine')[0]!.n,
  }))
}

/** Only the jobs, for those who look again and again. */
export function readJobs(dataDir: string): JournalJob[] | null {
  return inJournal(dataDir, jobsOf)
}

/** How many rows there are, e.g. in `documents WHERE kind = 'rename'`. */
export const countIn = (dataDir: string, from: string): number =>
  inJournal(dataDir, (rows) => rows<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)[0]!.n)!

const jobsOf = (rows: Rows) => rows<JournalJob>('SELECT id, path, sha256, state, reason, paid_key AS paidKey FROM jobs')

function inJournal<Found>(dataDir: string, read: (rows: Rows) => Found): Found | null {
  const file = join(dataDir, 'journal.db')
  if (!existsSync(file)) return null
  const db = new Database(file, { readonly: true })
  try {
    if ((db.pragma('user_version', { simple: true }) as number) === 0) return null
    return read(<Row>(sql: string) => db.prepare<[], Row>(sql).all())
  } finally {
    db.close()
  }
}
