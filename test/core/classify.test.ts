import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/shared/sentences/errors.ts'
import type { Answer } from '../../src/main/core/answer.ts'
import type { DownloadAnswer } from '../../src/main/core/image-service.ts'
import { RETRIES } from '../../src/main/core/retries.ts'
import {
  classifyDispatch,
  classifyDispatchError,
  classifyDownload,
  classifyFree,
  classifyPoll,
  readJobStatus,
  type DownloadVerdict,
  type LaneStep,
} from '../../src/main/core/classify.ts'
import { raw, say } from '../../src/shared/sentences/sentence.ts'

const status = (code: number, message: string | null = null, retryAfterMs: number | null = null): Answer<never> => ({
  kind: 'status',
  status: code,
  message,
  retryAfterMs,
})

const STAY: LaneStep = { gate: 'stay' }
const OPEN: LaneStep = { gate: 'open' }
const WRONG_ADDRESS = { gate: 'hold', reason: 'address_wrong' } as const
const UNREACHABLE: LaneStep = { gate: 'close', reason: 'service_unreachable' }
const LOST: LaneStep = { gate: 'lost' }
const TOO_FEW: LaneStep = { gate: 'close', reason: 'too_few_files' }
const NO_SOCKET: Answer<never> = { kind: 'notSent', error: { code: 'too_few_files', message: '' } }
const DOUBTFUL: LaneStep = { gate: 'close', reason: 'service_doubtful' }

it('A connection for which this computer may open nothing is told apart from a service that cannot be reached', () => {
  const detail = say('network_too_few_files')
  const dispatch = { event: { reason: { code: 'too_few_files', detail } }, lane: TOO_FEW }
  expect(classifyDispatch(NO_SOCKET)).toMatchObject(dispatch)
  const retry = { kind: 'retry', reason: 'too_few_files', lane: TOO_FEW, detail }
  for (const classify of [classifyFree, classifyPoll]) expect(classify(NO_SOCKET)).toMatchObject(retry)
  const download = classifyDownload({ from: 'service', answer: NO_SOCKET })
  expect(download).toMatchObject({ kind: 'fetchLater', lane: TOO_FEW })
})

describe('what the answer to a dispatch means', () => {
  it.each<[string, Answer<{ jobId: string }>, string, LaneStep]>([
    ['a job id', { kind: 'ok', status: 202, value: { jobId: 'J' } }, 'accepted', { gate: 'accepted' }],
    ['2xx without a job id', { kind: 'malformed', status: 202, why: { raw: 'no job_id' } }, 'unknown', LOST],
    ['a reset after bytes left', { kind: 'maybeSent', error: { code: 'reset', message: '' } }, 'unknown', LOST],
    ['a time-out after bytes left', { kind: 'maybeSent', error: { code: 'timeout', message: '' } }, 'unknown', LOST],
    ['a refused connection', { kind: 'notSent', error: { code: 'refused', message: '' } }, 'notSent', UNREACHABLE],
    ['a connection for which nothing may be opened', NO_SOCKET, 'notSent', TOO_FEW],
    ['429', status(429, 'Too Many Attempts.', 7000), 'notSent', STAY],
    ['301', status(301), 'hold', WRONG_ADDRESS],
    ['307', status(307), 'hold', WRONG_ADDRESS],
    ['308', status(308), 'hold', WRONG_ADDRESS],
    ['404', status(404), 'hold', WRONG_ADDRESS],
    ['405', status(405), 'hold', WRONG_ADDRESS],
    ['407', status(407), 'hold', WRONG_ADDRESS],
    ['401', status(401), 'key', STAY],
    ['403', status(403), 'key', STAY],
    ['413', status(413), 'fail', OPEN],
    ['415', status(415), 'fail', OPEN],
    ['422', status(422, 'The image field is required.'), 'fail', OPEN],
    ['402', status(402), 'credits, else hold', STAY],
    ['400', status(400), 'credits', STAY],
    ['411', status(411), 'credits', STAY],
    ['431', status(431), 'credits', STAY],
    ['200 whose body cannot be read', { kind: 'malformed', status: 200, why: { raw: 'not JSON' } }, 'unknown', LOST],
    ['204', { kind: 'malformed', status: 204, why: { raw: 'not JSON' } }, 'unknown', LOST],
    ['an answer that is cut off', { kind: 'maybeSent', error: { code: 'cut_off', message: '' } }, 'unknown', LOST],
  ])('%s', (_name, answer, meaning, step) => {
    const { event, refused, lane } = classifyDispatch(answer)
    expect(refused?.ask ?? event.type).toBe(meaning)
    if (refused?.ask != null) expect(event).toMatchObject({ type: 'notSent', reason: null })
    expect(lane).toEqual(step)
  })

  // Among them 302 and 303, the usual answers to a form that was taken, 406 and 408, which may come after the work, and 504.
  it('takes any status that is not known to mean a refusal for a doubt', () => {
    const sure = new Set([301, 307, 308, 400, 401, 402, 403, 404, 405, 407, 410, 411, 412, 413, 414, 415, 417, 421])
    for (const code of [422, 426, 428, 429, 431, 451]) sure.add(code)
    for (let code = 300; code <= 999; code += 1) {
      const { event, lane } = classifyDispatch(status(code, 'words'))
      expect([event.type === 'unknown', lane.gate === 'lost'], `${code}`).toEqual(Array(2).fill(!sure.has(code)))
    }
    expect(classifyDispatch(status(408, 'Request Timeout'))).toEqual({
      event: { type: 'unknown', reason: { code: 'unclear_answer', detail: raw('408: Request Timeout') } },
      detail: raw('408: Request Timeout'),
      lane: LOST,
    })
  })

  it('takes an error of the client for a refusal only when it says that nothing has left', () => {
    expect(classifyDispatchError(new AppError('key_missing', say('key_not_set')))).toEqual({
      event: { type: 'notSent', reason: null, notBeforeMs: null, countsAsAttempt: false },
      lane: { gate: 'hold', reason: 'key_missing' },
      detail: null,
    })
    expect(classifyDispatchError(new AppError('bad_request', say('key_not_set')))).toMatchObject({
      event: { type: 'fail', reason: { code: 'rejected_by_service', detail: say('key_not_set') } },
    })
    expect(classifyDispatchError(new TypeError('a mistake'))).toMatchObject({
      event: { type: 'unknown', reason: { code: 'unclear_answer' } },
      lane: LOST,
    })
  })
})

describe('what the answer to a free call means', () => {
  const key = { gate: 'hold', reason: 'key_refused' } as const

  // Of a call about the whole service, and of one about a single job.
  it.each<[string, Answer<number>, string, LaneStep, LaneStep]>([
    ['a value', { kind: 'ok', status: 200, value: 1 }, 'ok', OPEN, OPEN],
    ['a body of another shape', { kind: 'malformed', status: 200, why: { raw: '' } }, 'retry', DOUBTFUL, STAY],
    ['not sent', { kind: 'notSent', error: { code: 'dns', message: '' } }, 'retry', UNREACHABLE, UNREACHABLE],
    ['cut off', { kind: 'maybeSent', error: { code: 'cut_off', message: '' } }, 'retry', UNREACHABLE, STAY],
    ['too long', { kind: 'maybeSent', error: { code: 'too_large', message: '' } }, 'retry', DOUBTFUL, STAY],
    ['lost', { kind: 'maybeSent', error: { code: 'reset', message: '' } }, 'retry', UNREACHABLE, UNREACHABLE],
    ['502', status(502), 'retry', DOUBTFUL, STAY],
    ['429', status(429), 'rateLimited', OPEN, STAY],
    ['302', status(302), 'redirected', { gate: 'redirected' }, { gate: 'redirected' }],
    ['308', status(308), 'redirected', { gate: 'redirected' }, { gate: 'redirected' }],
    ['405', status(405), 'hold', { ...WRONG_ADDRESS, open: true }, WRONG_ADDRESS],
    ['401', status(401), 'hold', { ...key, open: true }, key],
    ['403', status(403), 'hold', { ...key, open: true }, key],
    ['404', status(404), 'notFound', { ...WRONG_ADDRESS, open: true }, OPEN],
    ['422', status(422), 'refused', OPEN, OPEN],
    ['418', status(418), 'refused', OPEN, OPEN],
  ])('%s', (_name, answer, kind, lane, laneOfPoll) => {
    expect(classifyFree(answer)).toMatchObject({ kind })
    expect(classifyFree(answer).lane).toEqual(lane)
    expect(classifyPoll(answer)).toMatchObject({ kind })
    expect(classifyPoll(answer).lane).toEqual(laneOfPoll)
  })
})

describe('what the answer to a download means', () => {
  const lost = (kind: 'notSent' | 'maybeSent', code: 'refused' | 'forbidden' | 'reset' | 'cut_off' | 'too_large') =>
    ({ kind, error: { code, message: '' } }) as const

  /** How long it is repeated, or the kind; `unreachable` closes the lane besides, and nothing else does. */
  const meaningOf = (verdict: DownloadVerdict): string => {
    if (verdict.kind !== 'fetchLater') return verdict.kind
    if (verdict.retry === RETRIES.brokenFile) return verdict.lane.gate === 'stay' ? 'broken' : 'broken, lane closed'
    if (verdict.lane.gate === 'stay') return 'unanswered'
    expect(verdict.lane).toEqual(UNREACHABLE)
    return 'unreachable'
  }

  it.each<[string, DownloadAnswer, string]>([
    ['the file', { from: 'service', answer: { kind: 'ok', status: 200, value: null } }, 'ok'],
    ['404', { from: 'service', answer: status(404) }, 'notFound'],
    ['429', { from: 'service', answer: status(429) }, 'rateLimited'],
    ['401', { from: 'service', answer: status(401) }, 'hold'],
    ['500', { from: 'service', answer: status(500) }, 'unanswered'],
    ['no connection', { from: 'service', answer: lost('notSent', 'refused') }, 'unreachable'],
    ['a lost connection', { from: 'service', answer: lost('maybeSent', 'reset') }, 'unanswered'],
    ['a cut file', { from: 'service', answer: lost('maybeSent', 'cut_off') }, 'broken'],
    ['a file without end', { from: 'service', answer: lost('maybeSent', 'too_large') }, 'broken'],
    ['304', { from: 'service', answer: status(304) }, 'broken'],
    ['a redirect that is not followed', { from: 'redirect' }, 'broken'],
    ['the file from storage', { from: 'storage', answer: { kind: 'ok', status: 200, value: null } }, 'ok'],
    ['401 of storage', { from: 'storage', answer: status(401) }, 'broken'],
    ['403 of storage', { from: 'storage', answer: status(403) }, 'broken'],
    ['404 of storage', { from: 'storage', answer: status(404) }, 'broken'],
    ['429 of storage', { from: 'storage', answer: status(429) }, 'unanswered'],
    ['503 of storage', { from: 'storage', answer: status(503) }, 'unanswered'],
    ['storage that is not there', { from: 'storage', answer: lost('notSent', 'refused') }, 'unanswered'],
    ['storage in a network of ours', { from: 'storage', answer: lost('notSent', 'forbidden') }, 'broken'],
  ])('%s', (_name, answer, kind) => {
    expect(meaningOf(classifyDownload(answer))).toBe(kind)
  })
})

it('takes only completed and failed as ends, whatever else a job may be called', () => {
  expect(readJobStatus('completed')).toBe('completed')
  expect(readJobStatus('failed')).toBe('failed')
  for (const other of ['pending', 'analyzing', 'optimizing', 'converting', 'COMPLETED', 'done', ''])
    expect(readJobStatus(other)).toBe('notYet')
})
