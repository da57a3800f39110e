import { beforeEach, describe, expect, it } from 'vitest'
import type { BatchView, Confirmation } from '../../src/shared/contract/intake.ts'
import type { ChargerChange } from '../../src/shared/chargers/charger-status.ts'
import { HoldReason, type JobState } from '../../src/shared/sentences/reasons.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'
import { readFragment } from '../../src/renderer/store/address.ts'
import { NO_FILTER } from '../../src/renderer/store/jobs-filter.ts'
import { isWanted, worded } from '../../src/main/page/notice-text.ts'
import { NoticeBoard, type DecidedNotice } from '../../src/main/page/notices.ts'
import { createTexts } from '../../src/main/page/texts.ts'
import { noCounts, serviceStatus } from './fake-engine.ts'
import { jobView } from './make-view.ts'

let board: NoticeBoard
let left: number

beforeEach(() => {
  board = new NoticeBoard()
  left = 0
})

/** Asks whenever the board wants to be asked, counting `left` unfinished jobs in each batch. */
function noticesUntil(endMs: number): DecidedNotice[] {
  const told: DecidedNotice[] = []
  for (let asked = 0; asked < 1000; asked += 1) {
    const atMs = board.nextAtMs()
    if (atMs === null || atMs > endMs) return told
    for (const id of board.batchesToCount(atMs)) board.counted(id, { ...noCounts(), waiting: left })
    told.push(...board.take(atMs))
  }
  throw new Error('the board never comes to rest')
}

const end = (n: number, state: JobState, atMs: number, batchId = 'b') =>
  board.job(jobView({ state, batchId }, n), 'writing', atMs)
const batch = (changes: Partial<BatchView>): BatchView => ({
  id: 'b',
  kind: 'run',
  open: false,
  found: 0,
  takenIn: 0,
  known: 0,
  leftOut: 0,
  missed: 0,
  foreign: { count: 0, first: [] },
  confirmed: false,
  ...changes,
})
const without = (notices: DecidedNotice[]) => notices.map(({ id: _id, ...notice }) => notice)

describe('the end of a batch', () => {
  it('is told when the last of it was added again and so belongs to another batch', () => {
    left = 1
    end(1, 'done', 0)
    expect(noticesUntil(60_000)).toEqual([])
    left = 0
    board.job(jobView({ state: 'held', batchId: 'another' }, 2), 'held', 70_000, 'b')
    expect(without(noticesUntil(80_000))).toMatchObject([{ kind: 'batch_done', done: 1, failed: 0 }])
  })

  it('is told once, when nothing of it is left', () => {
    left = 1
    for (let n = 0; n < 4; n += 1) end(n, 'done', n * 1000)
    expect(noticesUntil(60_000)).toEqual([])
    left = 0
    end(4, 'failed', 70_000)
    expect(without(noticesUntil(80_000))).toEqual([{ kind: 'batch_done', done: 4, failed: 1, savedBytes: 1_600_000 }])
    expect(noticesUntil(1_000_000)).toEqual([])
  })

  it('waits for a run whose pictures are still being looked for', () => {
    board.batch(batch({ open: true, takenIn: 1 }), 0)
    end(1, 'done', 0)
    expect(noticesUntil(60_000)).toEqual([])
    board.batch(batch({ takenIn: 1 }), 60_000)
    expect(without(noticesUntil(70_000))).toMatchObject([{ kind: 'batch_done', done: 1 }])
  })

  it('is told of a run in which there was nothing new, and not of one that was cancelled', () => {
    board.batch(batch({ found: 3, known: 3 }), 0)
    expect(without(noticesUntil(60_000))).toEqual([{ kind: 'batch_done', done: 0, failed: 0, savedBytes: 0 }])
    board.batch(batch({ id: 'c', found: 1, takenIn: 1 }), 100_000)
    board.job(jobView({ state: 'cancelled', batchId: 'c' }), 'ready', 100_000)
    expect(noticesUntil(200_000)).toEqual([])
  })
})

describe('failures and doubts', () => {
  it('that come together are one notice, and the next comes a minute later', () => {
    left = 1
    for (let n = 0; n < 30; n += 1) end(n, 'failed', n * 100)
    expect(without(noticesUntil(10_000))).toEqual([{ kind: 'failed', jobs: 30 }])
    for (let n = 30; n < 40; n += 1) end(n, 'failed', 11_000)
    expect(noticesUntil(60_000)).toEqual([])
    expect(without(noticesUntil(70_000))).toEqual([{ kind: 'failed', jobs: 10 }])
  })

  it('are told apart', () => {
    left = 1
    end(1, 'unknown', 0)
    expect(without(noticesUntil(100_000))).toEqual([{ kind: 'unknown', jobs: 1 }])
  })
})

describe('consent', () => {
  const waiting = (held: number): Confirmation => ({
    batchId: 'b',
    kind: 'run',
    folderId: null,
    held,
    detail: null,
    confirmable: true,
  })

  it('is asked for once, with all that waits', () => {
    for (let n = 1; n <= 3; n += 1) board.confirmations([waiting(n * 40)], n * 500)
    expect(without(noticesUntil(10_000))).toEqual([{ kind: 'confirm_spend', batchId: 'b', held: 120 }])
    board.confirmations([waiting(130)], 11_000)
    expect(noticesUntil(100_000)).toEqual([])
  })

  it('is not asked for when it was given meanwhile, and again when more comes later', () => {
    board.confirmations([waiting(120)], 0)
    board.confirmations([], 1000)
    expect(noticesUntil(100_000)).toEqual([])
    board.confirmations([waiting(5)], 200_000)
    expect(noticesUntil(300_000)).toHaveLength(1)
  })
})

describe('a held service', () => {
  const status = (code: HoldReason | null) => serviceStatus({ hold: code === null ? null : { code, detail: null } })
  const working = { ...noCounts(), ready: 1 }

  it('is told once for each reason, while something waits for it', () => {
    board.service(status('key_missing'), noCounts(), 0)
    expect(noticesUntil(100_000)).toEqual([])
    board.service(status('key_missing'), working, 100_000)
    board.service(status('key_missing'), working, 101_000)
    expect(without(noticesUntil(200_000))).toMatchObject([{ kind: 'service_held', reason: { code: 'key_missing' } }])
    board.service(status('credits_short'), working, 200_000)
    expect(noticesUntil(300_000)).toHaveLength(1)
  })

  it('is not told when it was over in a moment', () => {
    board.service(status('key_missing'), working, 0)
    board.service(status(null), working, 1000)
    expect(noticesUntil(100_000)).toEqual([])
    board.service(status('key_missing'), working, 200_000)
    expect(noticesUntil(300_000)).toHaveLength(1)
  })
})

describe('outside the page', () => {
  const done: DecidedNotice = { id: '1', kind: 'batch_done', done: 34, failed: 2, savedBytes: 41_000_000 }
  const unknown: DecidedNotice = { id: '2', kind: 'unknown', jobs: 1 }

  it('only what the settings want is told', () => {
    const { notifications } = DEFAULT_SETTINGS
    expect([isWanted(done, notifications), isWanted(unknown, notifications)]).toEqual([true, true])
    expect(isWanted(done, { batchDone: false, needsPerson: true })).toBe(false)
    expect(isWanted(unknown, { batchDone: true, needsPerson: false })).toBe(false)
  })

  it('it is said in the language that is set', () => {
    expect(worded(done, createTexts('en', 'system'), [])).toMatchObject({
      title: '34 pictures done',
      body: '41 MB saved, 2 failed',
    })
    expect(worded(unknown, createTexts('en', 'de'), []).title).toBe('Bei einem Bild ist der Ausgang ungewiss')
  })

  it('leads by its address to what it is about', () => {
    const saved = {
      id: 'r1',
      name: 'South',
      query: 'from=47.67%2C9.51%2CEDNY&range=75',
      service: null,
      chargers: [7],
      stops: ['EDNY'],
      notify: true,
    }
    const at = (notice: DecidedNotice) => readFragment(worded(notice, createTexts('en', 'en'), [saved]).address)
    const jobs = (filter: object) => ({ place: 'jobs', filter: { ...NO_FILTER, ...filter } })
    expect(at(done)).toMatchObject(jobs({ states: ['failed'] }))
    expect(at({ ...done, failed: 0 })).toMatchObject(jobs({ states: ['done'] }))
    expect(at({ ...done, done: 0, failed: 0 })).toMatchObject(jobs({ states: ['done', 'skipped'] }))
    expect(at(unknown)).toMatchObject(jobs({ states: ['unknown'] }))
    expect(at({ id: '3', kind: 'failed', jobs: 2 })).toMatchObject(jobs({ states: ['failed'] }))
    expect(at({ id: '4', kind: 'confirm_spend', batchId: 'b/1', held: 120 })).toMatchObject(
      jobs({ states: ['held'], batchId: 'b/1' }),
    )
    const services = { place: 'settings', section: 'services' }
    const settled: Partial<Record<HoldReason, object>> = {
      key_missing: services,
      key_refused: services,
      address_wrong: services,
      other_account: services,
      credits_short: { place: 'credits' },
    }
    for (const code of HoldReason.options)
      expect(at({ id: '5', kind: 'service_held', reason: { code, detail: null } }), code).toMatchObject(
        settled[code] ?? { place: 'jobs' },
      )
    const change = { kind: 'free', id: 7, icao: 'EDNY' } satisfies ChargerChange
    const charger = { kind: 'charger', id: 7, fromSite: null }
    const favourite = (ids: number[], routes: string[] = []) =>
      at({
        id: '6',
        kind: 'favourite',
        changes: ids.map((id) => ({ ...change, id })),
        routes: routes.map((id) => ({ id, name: 'South' })),
      })
    expect(favourite([7])).toMatchObject({ place: 'chargers', charger, route: null })
    expect(favourite([7, 8])).toMatchObject({ place: 'chargers', charger: null, route: null })
    expect(favourite([7], ['r1'])).toMatchObject({
      charger: null,
      route: { from: { name: 'EDNY' }, aircraft: { rangeNm: 75 } },
    })
    expect(favourite([7], ['r1', 'r2'])).toMatchObject({ charger })
  })
})
