import { describe, expect, it, onTestFinished } from 'vitest'
import { OWN_LEDGER, type ClaimAnswer, type KnownPayment } from '../../src/main/core/account-ledger.ts'
import { findPayment } from '../../src/main/journal/payments.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { SOME_RESULT } from './make-job.ts'
import { QueueBench } from './queue-bench.ts'

makeBenchForEachTest()

/** What the ledger of the account answers from now on, when it is asked for the right to send. */
function answers(claim: ClaimAnswer): void {
  bench.lane.ledger = { ...OWN_LEDGER, claim: async () => claim }
}

function payment(changes: Partial<KnownPayment> = {}): KnownPayment {
  const at = { ageMs: 600_000, changedMs: 600_000, learn: () => undefined }
  return { state: 'unknown', remoteJobId: null, result: null, computer: 'studio', ...at, ...changes }
}

async function addAndRun() {
  const job = await bench.add('lake')
  await bench.run(60_000)
  return { now: bench.get(job), known: findPayment(bench.db, job.paidKey!) }
}

describe('A picture of an account that other computers use too', () => {
  it('waits while another computer sends it, and goes on by itself', async () => {
    answers({ kind: 'elsewhere', computer: 'studio' })
    const { now } = await addAndRun()
    expect(now).toMatchObject({ state: 'ready', reason: { code: 'under_way_elsewhere' } })
    bench.lane.ledger = OWN_LEDGER
    await bench.clock.advance(60_000)
    expect(bench.get(now).state).toBe('done')
    expect(bench.service.charges).toHaveLength(1)
  })

  it('is asked about again in a moment when the ledger cannot say yet or does not answer', async () => {
    answers({ kind: 'askAgain' })
    expect((await addAndRun()).now.state).toBe('ready')
    answers({ kind: 'noAnswer' })
    await bench.clock.advance(60_000)
    bench.lane.ledger = OWN_LEDGER
    await bench.clock.advance(120_000)
    expect(bench.store.count().done).toBe(1)
    expect(bench.service.charges).toHaveLength(1)
  })

  it('takes the result for which another computer paid, and pays nothing', async () => {
    const { result, remoteJobId } = await bench.done('paid', 'lake')
    const other = new QueueBench(bench.clock, bench.service)
    onTestFinished(() => other.dispose())
    const paid = payment({ state: 'paid', result, remoteJobId })
    other.lane.ledger = { ...OWN_LEDGER, claim: async () => ({ kind: 'known', payment: paid }) }
    const job = await other.add('lake')
    await other.run(60_000)
    expect(other.get(job)).toMatchObject({ state: 'done', result: { imageId: result!.imageId } })
    expect(findPayment(other.db, job.paidKey!)).toMatchObject({ state: 'paid' })
    expect(bench.service.charges).toHaveLength(1)
  })

  it('leaves the computer that has just paid the time to write', async () => {
    const paid = payment({ state: 'paid', result: { ...SOME_RESULT }, changedMs: 1000 })
    answers({ kind: 'known', payment: paid })
    expect((await addAndRun()).now).toMatchObject({ state: 'ready', reason: { code: 'under_way_elsewhere' } })
    expect(bench.service.charges).toHaveLength(0)
  })

  it('is unknown here too, with the name of the computer that may have paid', async () => {
    answers({ kind: 'known', payment: payment() })
    const { now, known } = await addAndRun()
    expect(now).toMatchObject({
      state: 'unknown',
      reason: { code: 'unknown_elsewhere', detail: { values: { computer: 'studio' } } },
    })
    expect(known).toMatchObject({ state: 'unknown' })
    expect(bench.service.charges).toHaveLength(0)
  })

  it('fails as it failed there, without another charge', async () => {
    answers({ kind: 'known', payment: payment({ state: 'ended' }) })
    expect((await addAndRun()).now).toMatchObject({ state: 'failed', reason: { code: 'job_failed' } })
    expect(bench.service.charges).toHaveLength(0)
  })

  it('is given up here once a person has given it up there', async () => {
    answers({ kind: 'dropped', payment: payment() })
    expect((await addAndRun()).now.state).toBe('cancelled')
    expect(bench.service.charges).toHaveLength(0)
  })
})
