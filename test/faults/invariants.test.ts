import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import type { LedgerCharge, LedgerLine } from '../../src/practice/protocol.ts'
import { checkInvariants, type CheckedWorld } from './invariants.ts'
import { pictureNumber } from './pictures.ts'
import { recordEntry, recordTree, sha256Of } from './tree-record.ts'
import { folderForTest } from '../temp-folder.ts'

const CANARY = 'canary-key-1234567890'

let base: string
let db: Db
let world: CheckedWorld
let source: string
let output: string
let sourceSha256: string

/** A world in which one picture was done, and everything is as it should be. */
beforeEach(async () => {
  base = folderForTest()
  for (const name of ['pictures', 'data', 'outside']) mkdirSync(join(base, name))
  source = join(base, 'pictures', 'a.jpg')
  output = join(base, 'pictures', 'a-optimized.jpg')
  writeFileSync(source, await pictureNumber(1))
  writeFileSync(output, await pictureNumber(2))
  writeFileSync(join(base, 'pictures', 'notes.txt'), 'mine')
  sourceSha256 = recordEntry(source)!.sha256!
  db = openJournal(join(base, 'data'))
  addJob('job-1', source, 'done', sourceSha256)
  addOutput(output, recordEntry(output)!.sha256!)
  addDispatch('accepted')
  const folders = [join(base, 'pictures')]
  const dataDirs = [join(base, 'data')]
  world = {
    base,
    folders,
    dataDirs,
    surroundings: recordTree(base, [...folders, ...dataDirs]),
    originals: new Map([[source, recordEntry(source)!]]),
    foreign: new Map([[join(base, 'pictures', 'notes.txt'), recordEntry(join(base, 'pictures', 'notes.txt'))!]]),
    ledger: [charge()],
    canaries: [CANARY],
    said: [],
    processTexts: [],
    requestsPerMinute: 60,
    afterRestart: true,
    eligible: [source],
  }
})

afterEach(() => {
  db.close()
})

function addJob(id: string, path: string, state: string, sha256: string, reason: string | null = null): void {
  db.prepare(
    `INSERT INTO jobs (id, batch_id, path, sha256, signature, service_id, paid_key, state, reason, created_at_ms,
       updated_at_ms, doc, name_key, size_bytes) VALUES (?, 'b', ?, ?, 's', 'https://x.example', ?, ?, ?, 1, 1, '{}', '', 1)`,
  ).run(id, path, sha256, `https://x.example|${sha256}|optimize|-|-`, state, reason)
}

function addOutput(path: string, sha256: string): void {
  db.prepare(
    `INSERT INTO outputs (path, sha256, source_path, job_id, role, state) VALUES (?, ?, ?, 'job-1', 'optimized', 'published')`,
  ).run(path, sha256, source)
  db.prepare('INSERT INTO output_hashes (sha256) VALUES (?)').run(sha256)
}

function addDispatch(outcome: string): void {
  db.prepare(
    `INSERT INTO dispatches (paid_key, job_id, service_id, operation, languages, format, at_ms, outcome, repeats, batch_id, account_id)
     VALUES (?, 'job-1', 'https://x.example', 'optimize', 0, 'webp', 1, ?, 0, 'b', 'a')`,
  ).run(`https://x.example|${sourceSha256}|optimize|-|-`, outcome)
}

const charge = (sha256 = sourceSha256): LedgerCharge => ({
  type: 'charge',
  seq: 1,
  atMs: 1,
  keyId: 'key-1',
  accountId: 'a',
  jobId: 'j',
  operation: 'optimize',
  sha256,
  sizeBytes: 1,
  filename: 'a.jpg',
  languages: [],
  format: null,
  credits: 1,
})

const request = (seq: number, atMs: number): LedgerLine =>
  ({ type: 'request', seq, atMs, method: 'GET', route: 'job', path: '/', keyId: 'key-1' }) as const

/** The invariants that are broken, by number. */
const broken = async (change: Partial<CheckedWorld> = {}) =>
  (await checkInvariants({ ...world, ...change })).map((problem) => problem.split(' ')[0])

describe('the checker of the invariants', () => {
  it('finds nothing where all is well', async () => {
    expect(await checkInvariants(world)).toEqual([])
  })

  it('finds an original with other bytes, another time or another inode', async () => {
    const bytes = await pictureNumber(1)
    appendFileSync(source, 'x')
    expect(await broken()).toContain('I1')
    writeFileSync(source, bytes)
    utimesSync(source, 1, 1)
    expect(await broken()).toEqual(['I1'])
    rmSync(source)
    expect(await broken()).toContain('I1')
  })

  it('finds a result that is missing, changed, cut, not as served or unknown to the journal', async () => {
    const bytes = await pictureNumber(2)
    rmSync(output)
    expect(await broken()).toEqual(['I2'])
    writeFileSync(output, bytes.subarray(0, 900))
    expect(await broken()).toEqual(['I2'])
    addOutput(join(base, 'pictures', 'b.jpg'), sha256Of(bytes.subarray(0, 900)))
    writeFileSync(output, bytes)
    writeFileSync(join(base, 'pictures', 'b.jpg'), bytes.subarray(0, 900))
    expect(await broken()).toEqual(['I2'])
    writeFileSync(join(base, 'pictures', 'b.jpg'), bytes.subarray(0, 900))
    writeFileSync(join(base, 'pictures', 'c.jpg'), bytes)
    expect(await broken()).toEqual(['I2', 'I2'])
    writeFileSync(join(base, 'pictures', 'a.jpg.alt.json'), '{"hangar": 1')
    expect(await broken()).toEqual(['I2', 'I2', 'I2'])
  })

  it('finds a result that is not what the service gave', async () => {
    db.prepare(
      `INSERT INTO payments (paid_key, service_id, job_id, state, result, at_ms) VALUES (?, 's', 'job-1', 'paid', ?, 1)`,
    ).run(`https://x.example|${sourceSha256}|optimize|-|-`, JSON.stringify({ imageId: 'i-1' }))
    expect(await broken({ served: () => pictureNumber(2) })).toEqual([])
    expect(await broken({ served: () => pictureNumber(3) })).toEqual(['I2'])
  })

  it('finds a second charge unless it was ordered, and a charge that the journal does not know', async () => {
    const twice = { ledger: [charge(), charge()] }
    expect(await broken(twice)).toEqual(['I3', 'I10'])
    addDispatch('unknown')
    expect(await broken({ ...twice, approvedRepeats: new Map([[sourceSha256, 1]]) })).toEqual([])
  })

  it('finds a picture that did not end or was not taken in', async () => {
    addJob('job-2', join(base, 'pictures', 'b.jpg'), 'held', 'f'.repeat(64), 'disk_full')
    expect(await broken()).toEqual(['I4'])
    expect(await broken({ eligible: [source, '/elsewhere.jpg'] })).toEqual(['I4', 'I4'])
  })

  it('finds an output that was sent or became a job', async () => {
    const outputSha256 = recordEntry(output)!.sha256!
    addJob('job-2', output, 'done', outputSha256)
    expect(await broken()).toEqual(['I5'])
    expect(await broken({ ledger: [charge(), charge(outputSha256)] })).toEqual(['I5', 'I5', 'I10'])
  })

  it('finds parts that are left after a restart, and not before', async () => {
    writeFileSync(join(base, 'pictures', '.hangar-1.part'), 'half')
    expect(await broken()).toEqual(['I6'])
    expect(await broken({ afterRestart: false })).toEqual([])
  })

  it('finds a foreign file that was written to or removed', async () => {
    writeFileSync(join(base, 'pictures', 'notes.txt'), 'theirs')
    expect(await broken()).toContain('I7')
    rmSync(join(base, 'pictures', 'notes.txt'))
    expect(await broken()).toContain('I7')
  })

  it('finds the key in a file, a file name, the log or a process, also in another encoding', async () => {
    for (const text of [CANARY, Buffer.from(CANARY).toString('base64'), Buffer.from(CANARY, 'utf16le')]) {
      writeFileSync(join(base, 'data', 'x.log'), text)
      expect(await broken()).toEqual(['I8'])
    }
    rmSync(join(base, 'data', 'x.log'))
    writeFileSync(join(base, 'data', 'x.db-shm'), 'a frame and more'.padEnd(20, '1') + CANARY)
    expect(await broken()).toEqual(['I8'])
    rmSync(join(base, 'data', 'x.db-shm'))
    expect(await broken({ said: [`key=${CANARY}`] })).toEqual(['I8'])
    expect(await broken({ processTexts: [`HANGAR_API_KEY=${CANARY}`] })).toEqual(['I8'])
  })

  it('finds one request too many in a trailing minute', async () => {
    const requests = Array.from({ length: 61 }, (_, nth) => request(nth, 5000 + nth * 999))
    expect(await broken({ ledger: [charge(), ...requests] })).toEqual(['I9'])
    const slower = Array.from({ length: 61 }, (_, nth) => request(nth, 5000 + nth * 1000))
    expect(await broken({ ledger: [charge(), ...slower] })).toEqual([])
  })

  it('finds a dispatch that is called accepted and was never charged', async () => {
    expect(await broken({ ledger: [] })).toEqual(['I10'])
    addDispatch('unknown')
    expect(await broken()).toEqual([])
  })

  it('finds what came to be, changed or points outside the folders', async () => {
    writeFileSync(join(base, 'outside', 'x.jpg'), 'x')
    expect(await broken()).toContain('I11')
    rmSync(join(base, 'outside', 'x.jpg'))
    addOutput(join(base, 'outside', 'y.jpg'), 'e'.repeat(64))
    symlinkSync('/etc', join(base, 'pictures', 'link'))
    expect((await broken()).filter((id) => id === 'I11')).toHaveLength(2)
  })

  it('finds what others may do more with than before', async () => {
    const path = join(base, 'outside')
    chmodSync(path, 0o777)
    expect(await broken()).toEqual(['I12'])
    chmodSync(path, 0o755)
    expect(await broken()).toEqual([])
  })
})
