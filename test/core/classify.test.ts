import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/main/core/answer.ts'
import type { DownloadAnswer } from '../../src/main/core/image-service.ts'
import { classifyDispatch, classifyDownload, classifyFree, readJobStatus } from '../../src/main/core/classify.ts'

const status = (code: number, message: string | null = null, retryAfterMs: number | null = null): Answer<never> => ({
  kind: 'status',
  status: code,
  message,
  retryAfterMs,
})

describe('what the answer to a dispatch means', () => {
  it.each<[string, Answer<{ jobId: string }>, string]>([
    ['a job id', { kind: 'ok', status: 202, value: { jobId: 'J' } }, 'waiting'],
    ['2xx without a job id', { kind: 'malformed', status: 202, message: 'no job_id' }, 'unknown'],
    ['a reset after bytes left', { kind: 'maybeSent', error: { code: 'reset', message: '' } }, 'unknown'],
    ['a time-out after bytes left', { kind: 'maybeSent', error: { code: 'timeout', message: '' } }, 'unknown'],
    ['a refused connection', { kind: 'notSent', error: { code: 'refused', message: '' } }, 'notSent'],
    ['429', status(429, 'Too Many Attempts.', 7000), 'rateLimited'],
    ['500', status(500), 'unknown'],
    ['503', status(503), 'unknown'],
    ['301', status(301), 'addressWrong'],
    ['302, the usual answer to a form that was taken', status(302), 'unknown'],
    ['303, which says that it was taken', status(303), 'unknown'],
    ['304', status(304), 'unknown'],
    ['307', status(307), 'addressWrong'],
    ['308', status(308), 'addressWrong'],
    ['404', status(404), 'addressWrong'],
    ['405', status(405), 'addressWrong'],
    ['407', status(407), 'addressWrong'],
    ['401', status(401), 'probeKey'],
    ['403', status(403), 'probeKey'],
    ['413', status(413), 'failed'],
    ['415', status(415), 'failed'],
    ['422', status(422, 'The image field is required.'), 'failed'],
    ['402', status(402), 'probeCredits'],
    ['400', status(400), 'probeCredits'],
    ['411', status(411), 'probeCredits'],
    ['431', status(431), 'probeCredits'],
    ['408, which may come after the whole upload', status(408), 'unknown'],
    ['406, which may come after the work', status(406), 'unknown'],
    ['409', status(409), 'unknown'],
    ['418', status(418), 'unknown'],
    ['423', status(423), 'unknown'],
    ['424', status(424), 'unknown'],
    ['425', status(425), 'unknown'],
    ['499', status(499), 'unknown'],
    ['502', status(502), 'unknown'],
    ['504 with words', status(504, 'upstream timed out'), 'unknown'],
    ['599', status(599), 'unknown'],
    ['200 whose body cannot be read', { kind: 'malformed', status: 200, message: 'not JSON' }, 'unknown'],
    ['204', { kind: 'malformed', status: 204, message: 'not JSON' }, 'unknown'],
    ['an answer that is cut off', { kind: 'maybeSent', error: { code: 'cut_off', message: '' } }, 'unknown'],
  ])('%s', (_name, answer, kind) => {
    expect(classifyDispatch(answer).kind).toBe(kind)
  })

  it('takes any status that is not known to mean a refusal for a doubt', () => {
    const sure = new Set([301, 307, 308, 400, 401, 402, 403, 404, 405, 407, 410, 411, 412, 413, 414, 415, 417, 421])
    for (const code of [422, 426, 428, 429, 431, 451]) sure.add(code)
    for (let code = 300; code <= 999; code += 1)
      expect(classifyDispatch(status(code)).kind === 'unknown', `${code}`).toBe(!sure.has(code))
    expect(classifyDispatch(status(408, 'Request Timeout'))).toEqual({
      kind: 'unknown',
      reason: 'unclear_answer',
      detail: '408: Request Timeout',
    })
  })

  it('keeps the words of the service for a refused picture and its wait for a rate limit', () => {
    expect(classifyDispatch(status(422, 'The image field is required.'))).toMatchObject({
      detail: '422: The image field is required.',
    })
    expect(classifyDispatch(status(429, null, 7000))).toEqual({ kind: 'rateLimited', retryAfterMs: 7000 })
  })
})

describe('what the answer to a free call means', () => {
  it.each<[string, Answer<number>, string]>([
    ['a value', { kind: 'ok', status: 200, value: 1 }, 'ok'],
    ['a body of another shape', { kind: 'malformed', status: 200, message: '' }, 'retry'],
    ['not sent', { kind: 'notSent', error: { code: 'dns', message: '' } }, 'retry'],
    ['cut off', { kind: 'maybeSent', error: { code: 'cut_off', message: '' } }, 'retry'],
    ['502', status(502), 'retry'],
    ['429', status(429), 'rateLimited'],
    ['302', status(302), 'redirected'],
    ['308', status(308), 'redirected'],
    ['405', status(405), 'hold'],
    ['401', status(401), 'hold'],
    ['403', status(403), 'hold'],
    ['404', status(404), 'notFound'],
    ['422', status(422), 'refused'],
  ])('%s', (_name, answer, kind) => {
    expect(classifyFree(answer).kind).toBe(kind)
  })

  it('blames the key for 401 and the address for 405', () => {
    expect(classifyFree(status(401))).toMatchObject({ reason: 'key_refused' })
    expect(classifyFree(status(405))).toMatchObject({ reason: 'address_wrong' })
  })
})

describe('what the answer to a download means', () => {
  const file = { bytes: 3, end: 'length', contentType: 'image/jpeg', contentLength: 3 } as const
  const lost = (kind: 'notSent' | 'maybeSent', code: 'refused' | 'forbidden' | 'reset' | 'cut_off' | 'too_large') =>
    ({ kind, error: { code, message: '' } }) as const

  it.each<[string, DownloadAnswer, string]>([
    ['the file', { from: 'service', answer: { kind: 'ok', status: 200, value: file } }, 'ok'],
    ['404', { from: 'service', answer: status(404) }, 'notFound'],
    ['429', { from: 'service', answer: status(429) }, 'rateLimited'],
    ['401', { from: 'service', answer: status(401) }, 'hold'],
    ['500', { from: 'service', answer: status(500) }, 'unanswered'],
    ['no connection', { from: 'service', answer: lost('notSent', 'refused') }, 'unreachable'],
    ['a lost connection', { from: 'service', answer: lost('maybeSent', 'reset') }, 'unanswered'],
    ['a cut file', { from: 'service', answer: lost('maybeSent', 'cut_off') }, 'broken'],
    ['a file without end', { from: 'service', answer: lost('maybeSent', 'too_large') }, 'broken'],
    ['304', { from: 'service', answer: status(304) }, 'broken'],
    ['a redirect that is not followed', { from: 'redirect', refusal: 'redirect_insecure' }, 'broken'],
    ['the file from storage', { from: 'storage', answer: { kind: 'ok', status: 200, value: file } }, 'ok'],
    ['401 of storage', { from: 'storage', answer: status(401) }, 'broken'],
    ['403 of storage', { from: 'storage', answer: status(403) }, 'broken'],
    ['404 of storage', { from: 'storage', answer: status(404) }, 'broken'],
    ['429 of storage', { from: 'storage', answer: status(429) }, 'unanswered'],
    ['503 of storage', { from: 'storage', answer: status(503) }, 'unanswered'],
    ['storage that is not there', { from: 'storage', answer: lost('notSent', 'refused') }, 'unanswered'],
    ['storage in a network of ours', { from: 'storage', answer: lost('notSent', 'forbidden') }, 'broken'],
  ])('%s', (_name, answer, kind) => {
    expect(classifyDownload(answer).kind).toBe(kind)
  })
})

it('takes only completed and failed as ends, whatever else a job may be called', () => {
  expect(readJobStatus('completed')).toBe('completed')
  expect(readJobStatus('failed')).toBe('failed')
  for (const other of ['pending', 'analyzing', 'optimizing', 'converting', 'COMPLETED', 'done', ''])
    expect(readJobStatus(other)).toBe('notYet')
})
