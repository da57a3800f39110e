import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { HoldReason, UnknownReason, WaitReason } from '../../shared/sentences/reasons.ts'
import type { Answer } from './answer.ts'
import type { DownloadAnswer } from './image-service.ts'
import { RETRIES } from './retries.ts'
import { failed, held, readyAgain, unknownBecause, type JobEvent } from './transition.ts'

/** Whether the service could not be reached, its answer makes no sense, or nothing could be asked from here. */
export type Trouble = Extract<WaitReason, 'service_unreachable' | 'service_doubtful' | 'too_few_files'>

/** What an answer says about the service; `Lane.follow` carries it out. A closed lane sends nothing until a free call is answered. */
export type LaneStep =
  /** Nothing. After a 429 the rate budget pauses by itself. */
  | { gate: 'stay' }
  | { gate: 'open' }
  /** A dispatch was accepted: the address is right. */
  | { gate: 'accepted' }
  | { gate: 'close'; reason: Trouble }
  /** Closed: a picture was sent, and it is not known whether it was taken. */
  | { gate: 'lost' }
  /** Closed, and held if the redirects persist: usually a captive portal that wants a sign-in. */
  | { gate: 'redirected' }
  /** Every picture is held. `open`: a free call was answered nevertheless. */
  | { gate: 'hold'; reason: Extract<HoldReason, 'key_missing' | 'key_refused' | 'address_wrong'>; open?: true }

const STAY: LaneStep = { gate: 'stay' }
const OPEN: LaneStep = { gate: 'open' }
const UNREACHABLE: LaneStep = { gate: 'close', reason: 'service_unreachable' }
/** Asking on would fail likewise; a free call finds out when connections can be made again. */
const TOO_FEW: LaneStep = { gate: 'close', reason: 'too_few_files' }
const DOUBTFUL: LaneStep = { gate: 'close', reason: 'service_doubtful' }

type RefusalHold = Extract<HoldReason, 'key_refused' | 'address_wrong'>

/** What a dispatch that was not accepted leads to; `detail` is what the answer said. */
interface Unaccepted {
  lane: LaneStep
  event: (detail: Sentence) => JobEvent
  /** A free call tells what the refusal is about, after the event. */
  ask?: Question
}
/** `key`: asks for the balance; if that is refused too, the key is at fault, else this picture. Others: ask for the price; on a shortfall the credits, else this picture, perhaps held. */
type Question = 'key' | 'credits' | 'credits, else hold'

/** It may have been charged: never sent again on its own. */
const unknown = (code: UnknownReason): Unaccepted => ({
  lane: { gate: 'lost' },
  event: (detail) => unknownBecause(code, detail),
})
const hold = (reason: RefusalHold, open?: true) =>
  ({ kind: 'hold', reason, lane: { gate: 'hold', reason, ...(open && { open }) } }) as const

/** No byte reached the service: ready again. */
const backToReady = (code: Trouble, lane: LaneStep): Unaccepted => ({
  lane,
  event: (detail) => readyAgain({ code, detail }),
})
const NOT_SENT = backToReady('service_unreachable', UNREACHABLE)
const RATE_LIMITED: Unaccepted = { lane: STAY, event: () => readyAgain({ code: 'rate_limited', detail: null }) }
const ADDRESS_WRONG: Unaccepted = {
  lane: { gate: 'hold', reason: 'address_wrong' },
  event: (detail) => held('address_wrong', detail),
}
/** Ready again, until the question is answered. */
const refusedFirst = (ask: Question): Unaccepted => ({ lane: STAY, event: () => readyAgain(null), ask })
const FAILED: Unaccepted = { lane: OPEN, event: (detail) => failed('rejected_by_service', detail) }

const askLater = (reason: Trouble, lane: LaneStep) => ({ kind: 'retry', reason, lane }) as const
/** About this job alone: it ends after some such answers. */
const unusable = { ...askLater('service_doubtful', STAY), unusable: true } as const
const refused = (lane: LaneStep) => ({ kind: 'refused', lane }) as const
const askAfterPause = (lane: LaneStep) => ({ kind: 'rateLimited', lane }) as const
const redirected = { kind: 'redirected', lane: { gate: 'redirected' } } as const
const notFound = (lane: LaneStep) => ({ kind: 'notFound', lane }) as const

/** No answer, or one that may improve later. */
const unanswered = (lane: LaneStep) => ({ kind: 'fetchLater', retry: RETRIES.unansweredFetch, lane }) as const
/** Something other than the file. */
const broken = { kind: 'fetchLater', retry: RETRIES.brokenFile, lane: STAY } as const
const LATER = unanswered(STAY)

/** What a refusal means where nothing is paid: it is no file, and tells nothing of the service but that it answers. */
const REFUSED_UNPAID = { free: refused(OPEN), poll: refused(OPEN), download: broken, storage: broken } as const
/** The same for an answer that leads elsewhere; only that of a download is followed, before it is judged here. */
const LEADS_AWAY = { free: redirected, poll: redirected, download: broken, storage: broken } as const
const UNREACHED = {
  free: askLater('service_unreachable', UNREACHABLE),
  poll: askLater('service_unreachable', UNREACHABLE),
  download: unanswered(UNREACHABLE),
} as const

/**
 * **The one table**: what an answer means for the picture and for the lane. What the image service document leaves open ("not
 * shown") is decided here and nowhere else.
 *
 * - `dispatch`: the one call that costs. The document shows only 202 and 429. A status counts as a refusal only if HTTP
 *   defines it as one; any other may be sent after the service has accepted the picture: 302 and 303 can follow an accepted
 *   request, 406 and 424 come after the work, 408 and 425 from an intermediary, 409 when the picture is there already.
 * - `free`: balance, price, languages: about the service as a whole. Whatever is unclear is settled by asking again.
 * - `poll`: `GET /jobs/{id}`, free too, but one odd answer may concern this job alone.
 * - `download`: the compressed file, from the service; `storage`: from where the service redirects to. An answer from storage
 *   concerns only this file, never the service or its key.
 */
const TABLE = {
  /** A 2xx whose body is not as documented. */
  malformed: {
    dispatch: unknown('no_job_id'),
    free: askLater('service_doubtful', DOUBTFUL),
    poll: unusable,
    download: broken,
    storage: broken,
  },
  /** No byte has left. */
  notSent: { dispatch: NOT_SENT, ...UNREACHED, storage: LATER },
  /** Not sent, because Hangar does not connect to such an address. */
  forbidden: { dispatch: NOT_SENT, ...UNREACHED, storage: broken },
  /** Not sent, because no more connections may be opened on this computer. */
  tooFewFiles: {
    dispatch: backToReady('too_few_files', TOO_FEW),
    free: askLater('too_few_files', TOO_FEW),
    poll: askLater('too_few_files', TOO_FEW),
    download: unanswered(TOO_FEW),
    storage: LATER,
  },
  /** The connection was lost after bytes left. */
  lost: {
    dispatch: unknown('unclear_answer'),
    free: askLater('service_unreachable', UNREACHABLE),
    poll: askLater('service_unreachable', UNREACHABLE),
    download: LATER,
    storage: LATER,
  },
  /** A truncated answer. */
  cut: {
    dispatch: unknown('unclear_answer'),
    free: askLater('service_unreachable', UNREACHABLE),
    poll: unusable,
    download: broken,
    storage: broken,
  },
  /** An answer that is longer than any that is documented. */
  tooLong: {
    dispatch: unknown('unclear_answer'),
    free: askLater('service_doubtful', DOUBTFUL),
    poll: unusable,
    download: broken,
    storage: broken,
  },
  /** 500 and above. */
  serverError: {
    dispatch: unknown('unclear_answer'),
    free: askLater('service_doubtful', DOUBTFUL),
    poll: askLater('service_doubtful', STAY),
    download: LATER,
    storage: LATER,
  },
  /** 429. */
  rateLimited: {
    dispatch: RATE_LIMITED,
    free: askAfterPause(OPEN),
    poll: askAfterPause(STAY),
    download: askAfterPause(STAY),
    storage: LATER,
  },
  /** 401, 403. */
  keyRefused: {
    dispatch: refusedFirst('key'),
    free: hold('key_refused', true),
    poll: hold('key_refused'),
    download: hold('key_refused'),
    storage: broken,
  },
  /** 301, 307, 308: the answering server does not forward requests to the service, so nothing was accepted. */
  moved: { dispatch: ADDRESS_WRONG, ...LEADS_AWAY },
  /** Any other 3xx. */
  redirect: { dispatch: unknown('unclear_answer'), ...LEADS_AWAY },
  /** 405, 407: not the image service's answer. */
  noSuchCall: {
    dispatch: ADDRESS_WRONG,
    free: hold('address_wrong', true),
    poll: hold('address_wrong'),
    download: hold('address_wrong'),
    storage: broken,
  },
  /** 404. */
  notFound: {
    dispatch: ADDRESS_WRONG,
    free: notFound({ gate: 'hold', reason: 'address_wrong', open: true }),
    poll: notFound(OPEN),
    download: notFound(OPEN),
    storage: broken,
  },
  /** 413, 415, 422: the picture was examined and not accepted. */
  pictureRefused: { dispatch: FAILED, ...REFUSED_UNPAID },
  /** 402: credits may have been added since, or be reserved, or this picture costs more than the check says. */
  creditsRefused: { dispatch: refusedFirst('credits, else hold'), ...REFUSED_UNPAID },
  /** 400 and the like: refused before any work, for a reason that the status does not tell. */
  requestRefused: { dispatch: refusedFirst('credits'), ...REFUSED_UNPAID },
  /** Any other status. */
  unclear: { dispatch: unknown('unclear_answer'), ...REFUSED_UNPAID },
} as const

type Row = keyof typeof TABLE
type Cell<Column extends 'free' | 'poll' | 'download' | 'storage'> = (typeof TABLE)[Row][Column] & { lane: LaneStep }

/** Statuses with a row of their own. */
const ROW_OF_STATUS: Readonly<Record<number, Row>> = {
  ...rows('keyRefused', 401, 403),
  ...rows('moved', 301, 307, 308),
  ...rows('noSuchCall', 405, 407),
  ...rows('notFound', 404),
  ...rows('rateLimited', 429),
  ...rows('pictureRefused', 413, 415, 422),
  ...rows('creditsRefused', 402),
  ...rows('requestRefused', 400, 410, 411, 412, 414, 417, 421, 426, 428, 431, 451),
}

function rows(row: Row, ...statuses: number[]): Record<number, Row> {
  return Object.fromEntries(statuses.map((status) => [status, row]))
}

function rowOfOther(status: number): Row {
  if (status >= 500) return 'serverError'
  return status >= 300 && status < 400 ? 'redirect' : 'unclear'
}

type Failure = Exclude<Answer<unknown>, { kind: 'ok' }>

function rowOf(answer: Failure): Row {
  switch (answer.kind) {
    case 'malformed':
      return 'malformed'
    case 'notSent':
      if (answer.error.code === 'too_few_files') return 'tooFewFiles'
      return answer.error.code === 'forbidden' ? 'forbidden' : 'notSent'
    case 'maybeSent':
      if (answer.error.code === 'too_large') return 'tooLong'
      return ['reset', 'timeout'].includes(answer.error.code) ? 'lost' : 'cut'
    case 'status':
      return ROW_OF_STATUS[answer.status] ?? rowOfOther(answer.status)
  }
}

/** The status and the service's message, or the network error. */
function detailOf(answer: Failure): Sentence {
  if (answer.kind === 'malformed') return answer.why
  if (answer.kind !== 'status') return say(`network_${answer.error.code}`)
  return raw(`${answer.status}${answer.message === null ? '' : `: ${answer.message}`}`)
}

/** What an answer to a dispatch leads to. */
export interface DispatchVerdict {
  event: JobEvent
  lane: LaneStep
  detail: Sentence | null
  /** The service answered without taking the picture; what that cost only the balance shows. */
  refused?: { status: number; words: Sentence; ask: Question | null }
}

export function classifyDispatch(answer: Answer<{ jobId: string }>): DispatchVerdict {
  if (answer.kind === 'ok')
    return { event: { type: 'accepted', remoteJobId: answer.value.jobId }, lane: { gate: 'accepted' }, detail: null }
  const { lane, event, ask = null } = TABLE[rowOf(answer)].dispatch
  const detail = detailOf(answer)
  const verdict = { event: event(detail), lane, detail }
  if (answer.kind !== 'status' || verdict.event.type === 'unknown') return verdict
  return { ...verdict, refused: { status: answer.status, words: detail, ask } }
}

/** The client throws `AppError` only before anything was sent. Any other error is a bug, so the job is unknown. */
export function classifyDispatchError(error: unknown): DispatchVerdict {
  if (error instanceof AppError && error.code === 'key_missing')
    return { event: readyAgain(null), lane: { gate: 'hold', reason: 'key_missing' }, detail: null }
  const { lane, event } = error instanceof AppError ? FAILED : unknown('unclear_answer')
  const detail = error instanceof AppError ? error.sentence : raw(String(error))
  return { event: event(detail), lane, detail }
}

type Ok<Value> = { kind: 'ok'; value: Value; lane: LaneStep }
const ok = <Value>(value: Value): Ok<Value> => ({ kind: 'ok', value, lane: OPEN })

/** What the answer to a free call means apart from its value. */
export type FreeVerdict<Value> = Ok<Value> | (Cell<'free'> & { detail: Sentence })

export function classifyFree<Value>(answer: Answer<Value>): FreeVerdict<Value> {
  if (answer.kind === 'ok') return ok(answer.value)
  return { ...TABLE[rowOf(answer)].free, detail: detailOf(answer) }
}

type PollVerdict<Value> = Ok<Value> | (Cell<'poll'> & { detail: Sentence })

export function classifyPoll<Value>(answer: Answer<Value>): PollVerdict<Value> {
  if (answer.kind === 'ok') return ok(answer.value)
  return { ...TABLE[rowOf(answer)].poll, detail: detailOf(answer) }
}

export type DownloadVerdict = Ok<null> | (Cell<'download' | 'storage'> & { detail: Sentence })

export function classifyDownload(given: DownloadAnswer): DownloadVerdict {
  if (given.from === 'redirect') return brokenDownload(say('redirect_not_followed'))
  const { answer, from } = given
  if (answer.kind === 'ok') return ok(answer.value)
  return { ...TABLE[rowOf(answer)][from === 'service' ? 'download' : 'storage'], detail: detailOf(answer) }
}

/** The download completed, but is not the file: treated like such an answer of the service. */
export function brokenDownload(detail: Sentence) {
  return { ...broken, detail }
}

/** Only `job.status` decides; a value the document does not list means not yet (document, "States and transitions"). */
export function readJobStatus(status: string): 'completed' | 'failed' | 'notYet' {
  return status === 'completed' || status === 'failed' ? status : 'notYet'
}
