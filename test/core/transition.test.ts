import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { canTake, IllegalTransition, transition, type JobEvent } from '../../src/main/core/transition.ts'
import { makeJob, SOME_RESULT } from '../queue/make-job.ts'

const through = (job: Job, ...events: JobEvent[]) =>
  events.reduce((now, event, n) => transition(now, event, 2000 + n), job)

const dispatch: JobEvent = { type: 'dispatch', accountId: 'A' }
const accepted: JobEvent = { type: 'accepted', remoteJobId: 'R1' }
const completed: JobEvent = { type: 'completed', result: SOME_RESULT, download: true }
const lost: JobEvent = { type: 'unknown', reason: { code: 'unclear_answer', detail: null } }
const fetched: JobEvent = { type: 'fetched' }
const full: JobEvent = { type: 'hold', reason: { code: 'disk_full', detail: null } }

const EVENTS: JobEvent[] = [
  dispatch,
  accepted,
  { type: 'notSent', reason: null, notBeforeMs: null, countsAsAttempt: false },
  lost,
  { type: 'notYet', atMs: 5 },
  completed,
  { type: 'reuse', result: SOME_RESULT, remoteJobId: 'R1', download: true },
  { type: 'adopt', remoteJobId: 'R1', accountId: 'A', sentAtMs: 5 },
  { type: 'workHere' },
  { type: 'fetched' },
  { type: 'published', outputs: [], notes: [] },
  { type: 'later', reason: { code: 'backoff', detail: null }, notBeforeMs: 9, countsAsAttempt: true },
  { type: 'hold', reason: { code: 'disk_full', detail: null } },
  { type: 'release' },
  { type: 'fail', reason: { code: 'job_failed', detail: null } },
  { type: 'skip', reason: { code: 'source_gone', detail: null } },
  { type: 'cancel' },
  { type: 'retry' },
  { type: 'resend' },
  { type: 'sendAgain' },
  { type: 'fetchAgain' },
  { type: 'pollAgain' },
  { type: 'drop' },
  { type: 'reopen', state: 'unknown', reason: { code: 'unclear_answer', detail: null } },
  { type: 'restart' },
]

describe('the life of a job', () => {
  it('goes from ready to done in the order of the diagram', () => {
    const events: JobEvent[] = [dispatch, accepted, completed, fetched, { type: 'published', outputs: [], notes: [] }]
    const done = through(makeJob(), ...events)
    expect(done).toMatchObject({ state: 'done', remoteJobId: 'R1', result: SOME_RESULT, reason: null })
  })

  it('makes a job that was being sent when the process died unknown, never ready', () => {
    expect(through(makeJob(), dispatch, { type: 'restart' })).toMatchObject({
      state: 'unknown',
      reason: { code: 'crashed_while_sending' },
    })
  })

  it('does the download again after a restart while writing, and keeps local work where it was', () => {
    expect(through(makeJob(), dispatch, accepted, completed, fetched, { type: 'restart' }).state).toBe('fetching')
    expect(through(makeJob({ paidKey: null }), { type: 'workHere' }, { type: 'restart' }).state).toBe('writing')
  })

  it('releases a held job to where it was', () => {
    const held = through(makeJob(), dispatch, accepted, completed, full)
    expect(held).toMatchObject({ state: 'held', resume: 'fetching' })
    expect(through(held, { type: 'release' })).toMatchObject({ state: 'fetching', reason: null, resume: null })
  })

  it('uses up no attempt for a rate limit and keeps count of the others', () => {
    const reason = { code: 'rate_limited', detail: null } as const
    const limited: JobEvent = { type: 'notSent', reason, notBeforeMs: null, countsAsAttempt: false }
    expect(through(makeJob({ attempts: 2 }), dispatch, limited).attempts).toBe(2)
  })

  it('says whether credits may be spent when a job is cancelled', () => {
    expect(through(makeJob(), { type: 'cancel' }).reason?.code).toBe('before_sending')
    expect(through(makeJob(), dispatch, accepted, { type: 'cancel' }).reason?.code).toBe('after_sending')
    expect(canTake(through(makeJob(), dispatch), { type: 'cancel' })).toBe(false)
  })

  it('never sends an unknown job again unless a person approves it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
        let job = makeJob()
        let mayBeCharged = false
        for (const event of events) {
          if (!canTake(job, event)) {
            expect(() => transition(job, event, 1)).toThrow(IllegalTransition)
            continue
          }
          const before = job
          job = transition(job, event, 1)
          if (['resend', 'sendAgain', 'retry', 'pollAgain', 'drop', 'fetchAgain'].includes(event.type))
            mayBeCharged = false
          if (before.state === 'sending' && event.type === 'unknown') mayBeCharged = true
          if (before.state === 'sending' && event.type === 'restart') mayBeCharged = true
          if (event.type === 'reopen') mayBeCharged = true
          expect(mayBeCharged && job.state === 'sending').toBe(false)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('only has a result where the service gave one, and only resumes where it can', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
        let job = makeJob()
        for (const event of events) if (canTake(job, event)) job = transition(job, event, 1)
        if (job.state === 'fetching') expect(job.result).not.toBeNull()
        if (job.state === 'held') expect(job.resume).not.toBeNull()
        else expect(job.resume).toBeNull()
        if (['failed', 'unknown', 'skipped', 'held', 'cancelled'].includes(job.state)) expect(job.reason).not.toBeNull()
        if (job.state === 'waiting') expect(job.remoteJobId).not.toBeNull()
      }),
      { numRuns: 2000 },
    )
  })
})
