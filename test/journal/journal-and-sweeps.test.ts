import { AppError } from '../../src/shared/sentences/errors.ts'
import { describe, expect, it } from 'vitest'
import { Settings } from '../../src/shared/settings/settings.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { balancesSince, latestBalance, recordBalance } from '../../src/main/journal/history.ts'
import { takeIn } from '../../src/main/queue/intake.ts'
import { dispatchCount, findPayment } from '../../src/main/journal/payments.ts'
import { recover } from '../../src/main/queue/recovery.ts'
import { sweepHolds } from '../../src/main/queue/sweep-holds.ts'
import { hashOf, picture } from '../simulation/memory-files.ts'
import { makeRequest, SERVICE } from '../queue/make-job.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'
import { bench, makeBenchForEachTest } from '../queue/bench-for-each-test.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

makeBenchForEachTest()

describe('looking at the journal', () => {
  /** How SQLite carries out each statement that `work` prepares. */
  async function plansOf(work: () => unknown): Promise<string[]> {
    const prepare = bench.db.prepare.bind(bench.db)
    const plans: string[] = []
    bench.db.prepare = (sql: string) => {
      const unbound = sql.replaceAll('?', '1')
      if (sql.includes('FROM jobs'))
        plans.push(
          `${sql}: ${prepare(`EXPLAIN QUERY PLAN ${unbound}`)
            .all()
            .map((step) => (step as { detail: string }).detail)
            .join()}`,
        )
      return prepare(sql)
    }
    await work()
    bench.db.prepare = prepare
    return plans
  }

  const READY = { states: ['ready'], serviceId: SERVICE, dueAtMs: 1, free: false, decidable: true } as const

  it.each<[what: string, work: () => unknown, plan: RegExp]>([
    [
      'the next wait by its index, however many pictures are ready',
      () => bench.run(1000),
      /min\(not_before_ms\).* jobs_due/s,
    ],
    [
      'how many are ready without a look at a job',
      () => bench.store.countUpTo(1000, READY),
      /COVERING INDEX jobs_by_service/,
    ],
    [
      'what was kept long enough without a look at a job',
      () => bench.store.clearSettled(1),
      /COVERING INDEX jobs_settled/,
    ],
  ])('finds %s', async (_, work, plan) => {
    expect(await plansOf(work)).toContainEqual(expect.stringMatching(plan))
  })
})

it('documents that no longer parse give way to the default and are put aside', () => {
  const documents = new Documents(bench.db)
  documents.put('settings', 'all', { ...Settings.parse({}), requestsPerMinute: 'many' })
  expect(documents.get('settings', 'all', Settings)).toBeNull()
  expect(documents.get('settings', 'all', Settings)).toBeNull()
  expect(bench.db.prepare('SELECT source, key FROM quarantine').all()).toEqual([{ source: 'settings', key: 'all' }])
})

it('balances that the service said are kept from when and until when they were so, however often they are asked for', () => {
  const answers = [500, 500, 500, 480, 480, 480, 480, 500]
  for (const [hour, credits] of answers.entries()) recordBalance(bench.db, SERVICE, credits, hour)
  recordBalance(bench.db, 'https://other.example.com', 7, 9)
  expect(balancesSince(bench.db, SERVICE, 0).map(({ atMs, credits }) => [atMs, credits])).toEqual([
    [0, 500],
    [2, 500],
    [3, 480],
    [6, 480],
    [7, 500],
  ])
  expect(latestBalance(bench.db, SERVICE)).toEqual({ credits: 500, atMs: 7 })
})

describe('recovery', () => {
  it('makes unknown what was being sent, also when its job no longer parses, and sends none of it', async () => {
    const sent = await bench.add('1')
    const broken = await bench.add('2')
    for (const job of [sent, broken]) bench.store.apply(job.id, { type: 'dispatch', accountId: 'A' })
    bench.db.prepare(`UPDATE jobs SET doc = '{' WHERE id = ?`).run(broken.id)
    expect(recover(bench.context)).toEqual({ unknown: 1, resumed: 0 })
    for (const { paidKey } of [sent, broken]) {
      expect(findPayment(bench.db, paidKey!)?.state).toBe('unknown')
      expect(dispatchCount(bench.db, paidKey!)).toBe(1)
    }
    const again = await bench.add('3', '2')
    await bench.run(HOUR)
    expect(bench.get(again)).toMatchObject({ state: 'unknown' })
    expect(bench.service.charges).toEqual([])
  })

  it('reaches the jobs behind one that no longer parses, however many there are', async () => {
    const jobs = []
    for (let n = 0; n < 502; n += 1) jobs.push(await bench.add(`${n}`))
    for (const { id } of jobs) bench.store.apply(id, { type: 'dispatch', accountId: 'A' })
    bench.db.prepare(`UPDATE jobs SET doc = '{' WHERE id = ?`).run(jobs[0]!.id)
    expect(recover(bench.context)).toEqual({ unknown: 501, resumed: 0 })
  })

  it('closes batches whose files are no longer searched for', () => {
    bench.batch('half', { open: true })
    recover(bench.context)
    expect(bench.db.prepare(`SELECT open FROM batches WHERE id = 'half'`).pluck().get()).toBe(0)
  })
})

describe('the sweep', () => {
  const sweep = (activeService: string | null = SERVICE) =>
    sweepHolds(bench.context, {
      lanes: [bench.lane],
      activeService,
      scope: {},
      isBusy: () => false,
      shouldContinue: () => true,
    })

  it('gives what is held for another service back when that one is chosen again', async () => {
    const job = await bench.add('1')
    await sweep('https://elsewhere.example')
    expect(bench.get(job)).toMatchObject({ state: 'held', reason: { code: 'other_service' } })
    await sweep()
    expect(bench.get(job)).toMatchObject({ state: 'ready', reason: null })
  })

  it('keeps what another account sent until its key is back', async () => {
    const job = await bench.add('1')
    bench.store.apply(job.id, { type: 'dispatch', accountId: 'account-2' })
    bench.store.apply(job.id, { type: 'accepted', remoteJobId: 'R' })
    bench.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
    await sweep()
    expect(bench.get(job).state).toBe('held')
    bench.lane.accountId = 'account-2'
    await sweep()
    expect(bench.get(job)).toMatchObject({ state: 'waiting', remoteJobId: 'R' })
  })
})

describe('taking in', () => {
  const take = (...request: Parameters<typeof makeRequest>) =>
    takeIn(bench.context, () => bench.makeId(), makeRequest(...request))
  const finish = () => bench.run(5 * MINUTE)

  it('does not send a picture whose sidecar is there and cannot be read now', async () => {
    bench.files.put('/pictures/1.jpg', picture('jpeg', 'one'))
    bench.files.readSidecar = () => Promise.reject(new AppError('unreadable', raw('The sidecar cannot be read (EIO).')))
    expect(await take('/pictures/1.jpg', { mayBeUnfinished: true })).toEqual({ kind: 'again' })
    expect(await take('/pictures/1.jpg')).toMatchObject({ job: { state: 'failed', reason: { code: 'unreadable' } } })
    await finish()
    expect(bench.service.charges).toEqual([])
  })

  it('does nothing for what is done, and brings back for free what was removed', async () => {
    await bench.add('1')
    await finish()
    expect(await take('/pictures/1.jpg')).toMatchObject({ kind: 'known', reason: 'already_done' })
    bench.files.disk.delete('/pictures/1-optimized.jpg')
    const again = await take('/pictures/1.jpg')
    await bench.clock.advance(5 * MINUTE)
    expect(again).toMatchObject({ kind: 'job' })
    expect(bench.files.disk.has('/pictures/1-optimized.jpg')).toBe(true)
    expect(bench.service.charges).toHaveLength(1)
  })

  it('does not believe a sidecar of other bytes, another service or other languages', async () => {
    await bench.add('1')
    await finish()
    bench.db.exec('DELETE FROM jobs; DELETE FROM payments')
    const other = { recipe: { ...DEFAULT_RECIPE, keepLarger: true, languages: ['de'] } }
    expect(await take('/pictures/1.jpg', other)).toMatchObject({ job: { state: 'ready' } })
    expect(await take('/pictures/1.jpg', { serviceId: 'https://other.example' })).toMatchObject({
      job: { state: 'ready' },
    })
    bench.files.put('/pictures/1.jpg', picture('jpeg', 'other bytes'))
    const changed = await take('/pictures/1.jpg')
    expect(changed).toMatchObject({
      job: { state: 'ready', image: { sha256: hashOf(picture('jpeg', 'other bytes')) } },
    })
    expect(bench.db.prepare('SELECT count(*) FROM payments').pluck().get()).toBe(0)
  })

  it('looks again at a picture that may still be on its way, and fails it when it is not', async () => {
    bench.files.put('/pictures/1.jpg', Buffer.from('cut:half'))
    expect(await take('/pictures/1.jpg', { mayBeUnfinished: true })).toEqual({ kind: 'again' })
    expect(bench.store.list()).toEqual([])
    expect(await take('/pictures/1.jpg')).toMatchObject({ job: { state: 'failed', reason: { code: 'cut_off' } } })
  })
})

it('the queue on a clock that never stands still sends what is ready at its first look, and does not look again and again', async () => {
  let looks = 0
  const slotTimes = bench.lane.slots.times.bind(bench.lane.slots)
  bench.lane.slots.times = (nowMs) => {
    looks += 1
    return slotTimes(nowMs)
  }
  const job = await bench.add('1')
  await bench.run(1)
  expect(bench.get(job).state).not.toBe('ready')
  await bench.clock.advance(2 * MINUTE)
  expect(bench.get(job).state).toBe('done')
  expect(looks).toBeLessThan(100)
})
