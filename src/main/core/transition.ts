import type { Job, Output, ServiceResult } from '../../shared/jobs/job.ts'
import { ACTIVE_STATES } from '../../shared/sentences/job-states.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import {
  ResumeState,
  type FailReason,
  type HoldReason,
  type JobState,
  type Note,
  type Reason,
  type SkipReason,
  type UnknownReason,
} from '../../shared/sentences/reasons.ts'

/**
 * The states of a job. `found` and `settling` come before it, in memory.
 *
 *     ready ──dispatch──▶ sending ──accepted──▶ waiting ──completed──▶ fetching ──fetched──▶ writing ──published──▶ done
 *       │                   │ ├─ notSent ─▶ ready     │ └─(nothing to download)──────────────▶ writing
 *       │                   │ └─ unknown ─▶ unknown   └─ unknown ─▶ unknown
 *       ├──reuse (already paid)──▶ fetching | writing;  adopt (sent by a job since cancelled)──▶ waiting
 *       └──work here──▶ writing
 *
 * From every state on the upper line a job can be held (and released to where it was), failed or cancelled. It can be skipped before it is
 * sent, and while fetching or writing if the original was deleted or changed. At the practice service, a job whose result is gone becomes
 * ready again. A person restarts failed, unknown and cancelled jobs, or drops them, which can be undone. After a restart `sending` becomes
 * unknown, and `writing` starts again at fetching.
 */
export type JobEvent =
  /** `notes` replace the job's. */
  | { type: 'dispatch'; accountId: string; notes?: Note[] }
  | { type: 'accepted'; remoteJobId: string }
  | { type: 'notSent'; reason: Reason | null; notBeforeMs: number | null; countsAsAttempt: boolean }
  | { type: 'unknown'; reason: Reason }
  | { type: 'notYet'; atMs: number }
  | { type: 'completed'; result: ServiceResult; download: boolean }
  | { type: 'reuse'; result: ServiceResult; remoteJobId: string | null; download: boolean }
  | { type: 'adopt'; remoteJobId: string; accountId: string | null; sentAtMs: number }
  | { type: 'workHere' }
  | { type: 'fetched' }
  | { type: 'planned'; output: Output }
  | { type: 'published'; outputs: Output[]; notes: Note[] }
  /** A published file was rewritten with other metadata. */
  | { type: 'rewritten'; output: Output }
  /** A published file has another name: `output` is what was at `from`. */
  | { type: 'renamed'; from: string; output: Output }
  /** `missing`: the service does not have the result's file yet. `failed`: how the attempt failed, where that is counted apart. */
  | {
      type: 'later'
      reason: Reason | null
      notBeforeMs: number | null
      countsAsAttempt: boolean
      missing?: boolean
      failed?: FailedAttempt
    }
  | { type: 'hold'; reason: Reason & { code: HoldReason }; countsAsAttempt?: boolean }
  | { type: 'release' }
  | { type: 'fail'; reason: Reason & { code: FailReason } }
  | { type: 'skip'; reason: Reason }
  | { type: 'cancel' }
  | { type: 'retry' }
  | { type: 'resend' }
  /** The practice service no longer has its result: it is sent again, which never costs anything there. */
  | { type: 'sendAgain' }
  /** What became of an unknown dispatch is known after all, from another computer. */
  | { type: 'resolved' }
  | { type: 'fetchAgain' }
  | { type: 'pollAgain' }
  | { type: 'drop' }
  /** Takes a drop back; state and reason are those from before it. */
  | { type: 'reopen'; state: 'unknown' | 'failed'; reason: Reason | null }
  | { type: 'restart' }
  /** A service was chosen after the job was taken in. */
  | { type: 'rebind'; serviceId: string; paidKey: string }

/* The events that give a job a reason of their kind. */
export const held = (code: HoldReason, detail: Sentence | null = null) =>
  ({ type: 'hold', reason: { code, detail } }) satisfies JobEvent
export const failed = (code: FailReason, detail: Sentence | null = null) =>
  ({ type: 'fail', reason: { code, detail } }) satisfies JobEvent
export const unknownBecause = (code: UnknownReason, detail: Sentence | null = null) =>
  ({ type: 'unknown', reason: { code, detail } }) satisfies JobEvent
export const skipped = (code: SkipReason) => ({ type: 'skip', reason: { code, detail: null } }) satisfies JobEvent
/** Looked at again at that time, without having used up an attempt; null: at once. */
export const waits = (reason: Reason | null, notBeforeMs: number | null) =>
  ({ type: 'later', reason, notBeforeMs, countsAsAttempt: false }) satisfies JobEvent
/** Tried again at that time, after an attempt that counts; `failed`: how it failed, where that is counted apart. */
export const triedAgain = (reason: Reason, notBeforeMs: number, failed?: FailedAttempt) =>
  ({ type: 'later', reason, notBeforeMs, countsAsAttempt: true, ...(failed && { failed }) }) satisfies JobEvent
/** Certainly not sent, or not accepted. */
export const readyAgain = (reason: Reason | null) =>
  ({ type: 'notSent', reason, notBeforeMs: null, countsAsAttempt: false }) satisfies JobEvent

/** The service gave something else than what was asked for, or the results could not be written. */
type FailedAttempt = 'odd_answer' | 'writing'

/** A change that is not allowed in the job's state: a bug, or a command that came too late. */
export class IllegalTransition extends Error {
  constructor(job: Job, event: JobEvent) {
    super(`a job that is ${job.state} cannot take "${event.type}"`)
    this.name = 'IllegalTransition'
  }
}

const ACTIVE: readonly JobState[] = ACTIVE_STATES
const RESUMABLE: readonly JobState[] = ResumeState.options

type Change = Partial<Job> & { state: JobState }

/** Enters a state with the wait, the reason and the attempts reset. */
const enter = (state: JobState, more: Partial<Job> = {}): Change => ({
  state,
  reason: null,
  resume: null,
  attempts: 0,
  oddAnswers: 0,
  writeAttempts: 0,
  notBeforeMs: null,
  ...more,
})

const end = (state: JobState, reason: Reason): Change => ({ state, reason, resume: null, notBeforeMs: null })

/** Pure: the job after the event. Throws `IllegalTransition`. */
export function transition(job: Job, event: JobEvent, nowMs: number): Job {
  const change = decide(job, event, nowMs)
  if (change === null) throw new IllegalTransition(job, event)
  return { ...job, ...change, updatedAtMs: nowMs }
}

/** Whether the event is allowed now; for buttons, and for commands that may have come too late. */
export function canTake(job: Job, event: JobEvent): boolean {
  return decide(job, event, job.updatedAtMs) !== null
}

// oxlint-disable-next-line max-lines-per-function -- the state machine is read as one table, a case for each event
function decide(job: Job, event: JobEvent, nowMs: number): Change | null {
  const from = (...states: JobState[]) => states.includes(job.state)
  switch (event.type) {
    case 'dispatch':
      if (!from('ready') || job.paidKey === null) return null
      return enter('sending', {
        sentAtMs: nowMs,
        accountId: event.accountId,
        remoteJobId: null,
        result: null,
        attempts: job.attempts,
        notes: event.notes ?? job.notes,
      })
    case 'accepted':
      return from('sending')
        ? enter('waiting', {
            remoteJobId: event.remoteJobId,
            polls: 0,
            lastPollAtMs: null,
            resendApproved: false,
            force: false,
          })
        : null
    case 'notSent':
      if (!from('sending')) return null
      return later(job, 'ready', event)
    case 'unknown':
      if (from('sending', 'waiting')) return end('unknown', event.reason)
      // Another job with the same content is unknown: sending this one would be a second dispatch.
      return from('ready') && job.paidKey !== null ? end('unknown', event.reason) : null
    case 'notYet':
      return from('waiting') ? enter('waiting', { polls: job.polls + 1, lastPollAtMs: event.atMs }) : null
    case 'completed':
      return from('waiting')
        ? enter(event.download ? 'fetching' : 'writing', { result: event.result, missingSinceMs: null })
        : null
    case 'reuse':
      if (!from('ready')) return null
      return enter(event.download ? 'fetching' : 'writing', {
        result: event.result,
        remoteJobId: event.remoteJobId,
        missingSinceMs: null,
        resendApproved: false,
        force: false,
      })
    case 'adopt':
      // The same content is in flight, and its job was cancelled: wait for that result instead of paying again.
      if (!from('ready') || job.paidKey === null) return null
      return enter('waiting', {
        remoteJobId: event.remoteJobId,
        accountId: event.accountId,
        sentAtMs: event.sentAtMs,
        polls: 0,
        lastPollAtMs: null,
        resendApproved: false,
        force: false,
      })
    case 'workHere':
      return from('ready') && job.paidKey === null ? enter('writing') : null
    case 'fetched':
      return from('fetching') ? enter('writing', { writeAttempts: job.writeAttempts }) : null
    case 'planned':
      return from('writing')
        ? {
            state: 'writing',
            outputs: [...job.outputs.filter((known) => known.path !== event.output.path), event.output],
          }
        : null
    case 'published':
      return from('writing') ? enter('done', { outputs: event.outputs, notes: event.notes }) : null
    case 'rewritten':
      if (!from('done') || !job.outputs.some(({ path }) => path === event.output.path)) return null
      return {
        state: 'done',
        outputs: job.outputs.map((known) => (known.path === event.output.path ? event.output : known)),
      }
    case 'renamed':
      if (!from('done', 'skipped') || !job.outputs.some(({ path }) => path === event.from)) return null
      return {
        state: job.state,
        reason: job.reason,
        outputs: job.outputs.map((known) => (known.path === event.from ? event.output : known)),
      }
    case 'later':
      if (!from('ready', 'waiting', 'fetching', 'writing')) return null
      return {
        ...later(job, resumed(job, job.state), event),
        // Not in the future: the clock may have been set back.
        ...(event.missing === true ? { missingSinceMs: Math.min(job.missingSinceMs ?? nowMs, nowMs) } : {}),
      }
    case 'hold':
      if (from('held')) return { state: 'held', reason: event.reason }
      if (from('sending')) return { state: 'held', resume: 'ready', reason: event.reason, notBeforeMs: null }
      if (!RESUMABLE.includes(job.state)) return null
      return {
        state: 'held',
        resume: job.state as ResumeState,
        reason: event.reason,
        notBeforeMs: null,
        attempts: job.attempts + (event.countsAsAttempt === true ? 1 : 0),
      }
    case 'release':
      if (!from('held')) return null
      // After a refusal for credits the attempts are counted across holds.
      return enter(
        resumed(job, job.resume ?? 'ready'),
        job.reason?.code === 'credits_refused' ? { attempts: job.attempts } : {},
      )
    case 'fail':
      return from(...ACTIVE, 'held') ? end('failed', event.reason) : null
    case 'skip':
      return from('ready', 'fetching', 'writing', 'held') ? end('skipped', event.reason) : null
    case 'cancel':
      return cancel(job)
    case 'retry':
      // A person accepted that it may cost again: a job that ended at the service is dispatched once more.
      if (from('cancelled', 'failed') && job.image !== null)
        return enter('ready', {
          resendApproved: job.paidKey !== null,
          ...(job.reason?.code === 'download_gone' ? withoutForeignResult(job) : {}),
        })
      return from('held') ? enter(resumed(job, job.resume ?? 'ready')) : null
    case 'resend':
      return from('unknown') ? enter('ready', { resendApproved: true, ...withoutForeignResult(job) }) : null
    case 'sendAgain':
      if (!from('waiting', 'fetching') || job.paidKey === null) return null
      return enter('ready', { resendApproved: true, result: null, remoteJobId: null, missingSinceMs: null })
    case 'resolved':
      return from('unknown') ? enter('ready') : null
    case 'fetchAgain':
      if (!from('failed') || job.result === null) return null
      // A result that was waited for in vain is not waited for once more.
      return enter('fetching', job.reason?.code === 'download_gone' ? {} : { missingSinceMs: null })
    case 'pollAgain':
      return from('failed', 'unknown', 'cancelled') && job.remoteJobId !== null ? enter('waiting') : null
    case 'drop':
      return from('unknown', 'failed') ? end('cancelled', { code: 'dropped', detail: null }) : null
    case 'reopen':
      return from('cancelled') && job.reason?.code === 'dropped'
        ? { state: event.state, reason: event.reason, resume: null, notBeforeMs: null }
        : null
    case 'restart':
      return restart(job)
    case 'rebind':
      return from('ready', 'held') && job.sentAtMs === null
        ? enter('ready', { serviceId: event.serviceId, paidKey: event.paidKey, ...withoutForeignResult(job) })
        : null
  }
}

/** Drops a result that this job took from a sidecar, so that the job can be sent itself. */
function withoutForeignResult(job: Job): Partial<Job> {
  return job.sentAtMs === null ? { result: null, remoteJobId: null } : {}
}

/** A paid job that was writing fetches again, which is free: the download was discarded. */
function resumed(job: Job, state: JobState): JobState {
  return state === 'writing' && job.paidKey !== null ? 'fetching' : state
}

function later(
  job: Job,
  state: JobState,
  event: { reason: Reason | null; notBeforeMs: number | null; countsAsAttempt: boolean; failed?: FailedAttempt },
): Change {
  return {
    state,
    reason: event.reason,
    notBeforeMs: event.notBeforeMs,
    attempts: job.attempts + (event.countsAsAttempt ? 1 : 0),
    oddAnswers: job.oddAnswers + (event.failed === 'odd_answer' ? 1 : 0),
    writeAttempts: job.writeAttempts + (event.failed === 'writing' ? 1 : 0),
  }
}

function cancel(job: Job): Change | null {
  if (job.state === 'ready' || (job.state === 'held' && job.resume === 'ready'))
    return end('cancelled', { code: 'before_sending', detail: null })
  if (job.state === 'writing' && job.paidKey === null) return end('cancelled', { code: 'before_sending', detail: null })
  if (['waiting', 'fetching', 'writing', 'held'].includes(job.state))
    return end('cancelled', { code: 'after_sending', detail: null })
  return null
}

function restart(job: Job): Change | null {
  if (job.state === 'sending') return end('unknown', { code: 'crashed_while_sending', detail: null })
  if (job.state === 'writing' && job.paidKey !== null)
    return { state: 'fetching', reason: job.reason, notBeforeMs: job.notBeforeMs }
  return ACTIVE.includes(job.state) || job.state === 'held' ? { state: job.state } : null
}

/** Which events must be on the disk, not only in the page cache, before the next side effect. */
export function isDurable(event: JobEvent): boolean {
  return ['dispatch', 'accepted', 'completed', 'planned', 'published', 'rewritten', 'renamed', 'unknown'].includes(
    event.type,
  )
}
