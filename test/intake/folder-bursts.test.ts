import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderBursts } from '../../src/main/intake/folder-bursts.ts'
import { findBatch } from '../../src/main/journal/batches.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { type Db, openJournal } from '../../src/main/journal/journal.ts'
import type { Arrivals } from '../../src/main/watch/folder-state.ts'
import { quietBackground } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'
import { makeJob } from '../queue/make-job.ts'
import { folderForTest } from '../temp-folder.ts'

const SECOND = 1000

let dir: string
let db: Db
let clock: ManualClock
let bursts: FolderBursts
let arrivals: Arrivals
let ended: number

beforeEach(() => {
  dir = folderForTest()
  db = openJournal(dir)
  clock = new ManualClock()
  arrivals = { files: 0, phase: 'watching' }
  ended = 0
  let made = 0
  bursts = new FolderBursts({
    db,
    clock,
    background: quietBackground(),
    makeId: () => `batch-${(made += 1)}`,
    askAbove: () => 100,
    arrivals: () => arrivals,
    onEnd: () => (ended += 1),
  })
})

afterEach(() => {
  bursts.stop()
  expect(clock.timers).toBe(0)
  db.close()
})

const isOpen = (batchId: string) => findBatch(db, batchId)?.open
const arrive = () => bursts.batchFor('folder')

function list(batchId: string, count: number): void {
  const store = new JobStore(db, () => clock.nowMs())
  for (let n = 0; n < count; n += 1)
    store.insert(makeJob({ batchId, state: 'ready', paidKey: `service|${n}|process|en|webp` as never }))
}

describe('a burst of files in a watched folder', () => {
  it('ends when it has been quiet for a moment', async () => {
    const id = arrive()
    await clock.pass(SECOND)
    expect(arrive()).toBe(id)
    await clock.pass(1.4 * SECOND)
    expect([isOpen(id), ended]).toEqual([true, 0])
    await clock.pass(0.2 * SECOND)
    expect([isOpen(id), ended]).toEqual([false, 1])
  })

  it('takes in what comes within a minute of the last, and starts another after that', async () => {
    const id = arrive()
    await clock.pass(50 * SECOND)
    expect(arrive()).toBe(id)
    await clock.pass(59 * SECOND)
    expect(arrive()).toBe(id)
    await clock.pass(61 * SECOND)
    expect(arrive()).not.toBe(id)
    expect(ended).toBe(1)
  })

  it('stays open while a file of it is still being read, however long that takes', async () => {
    const id = arrive()
    arrivals.files = 1
    await clock.pass(9 * SECOND)
    expect(isOpen(id)).toBe(true)
    arrivals.files = 0
    await clock.pass(1.5 * SECOND)
    expect(isOpen(id)).toBe(false)
  })

  it('does not wait for ever for a few files that keep coming', async () => {
    const id = arrive()
    arrivals.files = 2
    for (let second = 1; second < 10; second += 1) {
      await clock.pass(SECOND)
      arrive()
      expect(isOpen(id)).toBe(true)
    }
    await clock.pass(SECOND)
    expect(isOpen(id)).toBe(false)
  })

  it('waits for all that is on its way when that makes it one to ask about', async () => {
    const id = arrive()
    list(id, 60)
    arrivals.files = 41
    await clock.pass(120 * SECOND)
    expect(isOpen(id)).toBe(true)
    // All but one of the others turn out to need nothing.
    list(id, 1)
    arrivals.files = 0
    await clock.pass(1.5 * SECOND)
    expect([isOpen(id), ended]).toEqual([false, 1])
  })

  it('stays one and open until its folder has been scanned for the first time', async () => {
    arrivals.phase = 'starting'
    const id = arrive()
    await clock.pass(90 * SECOND)
    expect(isOpen(id)).toBe(true)
    expect(arrive()).toBe(id)
    arrivals.phase = 'watching'
    await clock.pass(1.5 * SECOND)
    expect(isOpen(id)).toBe(false)
  })

  it('hears first of what arrived while the process was suspended', async () => {
    const id = arrive()
    clock.standStill(20 * SECOND)
    await clock.pass(0)
    expect(isOpen(id)).toBe(true)
    await clock.pass(1.5 * SECOND)
    expect(isOpen(id)).toBe(false)
  })

  it('goes on trying to write its end', async () => {
    const id = arrive()
    db.exec(`CREATE TRIGGER full BEFORE UPDATE ON batches BEGIN SELECT RAISE(ABORT, 'no room'); END`)
    await clock.pass(30 * SECOND)
    expect([isOpen(id), ended]).toEqual([true, 0])
    db.exec('DROP TRIGGER full')
    await clock.pass(1.5 * SECOND)
    expect([isOpen(id), ended]).toEqual([false, 1])
  })
})
