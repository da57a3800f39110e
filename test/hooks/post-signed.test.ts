import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { postSigned, signatureOf } from '../../src/main/hooks/post-signed.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { closeAll, openHttp, realClock, startHttp } from '../services/harness.ts'

afterEach(closeAll)

const SECRET = 'a-secret-of-its-own'
const BODY = '{"event":"done","text":"Zürich"}'

async function post(url: string, given: Partial<Parameters<typeof postSigned>[0]> = {}): Promise<string | null> {
  const why = await postSigned({
    http: openHttp(),
    clock: realClock,
    // The shortest waits.
    random: () => 0,
    url,
    event: 'done',
    body: BODY,
    secret: SECRET,
    limitMs: 60_000,
    signal: new AbortController().signal,
    ...given,
  })
  return why === null ? null : englishText(why)
}

/** As docs/hooks.md tells a receiver to do it. */
function isSigned(header: unknown, body: Buffer): boolean {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  const expected = createHmac('sha256', SECRET).update(`${seconds}.`).update(body).digest('hex')
  return hex === expected && Math.abs(Date.now() / 1000 - Number(seconds)) < 300
}

/** A server that answers with these statuses, the last one from then on. */
const answering = (...statuses: number[]) =>
  startHttp((_, response) => response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!).end())

/** The real clock, on which that much time is over only when it is reached. */
function limitOf(limitMs: number) {
  const limit = {
    reach: () => {},
    clock: {
      ...realClock,
      setTimer: (delayMs: number, callback: () => void) => {
        if (delayMs !== limitMs) return realClock.setTimer(delayMs, callback)
        limit.reach = callback
        return () => undefined
      },
    },
  }
  return limit
}

describe('What is posted to an address', () => {
  it('is the JSON, signed with the secret, and carries no key', async () => {
    const { origin, requests } = await answering(204)
    expect(await post(`${origin}/hooks/hangar?room=7`)).toBeNull()
    expect(requests).toHaveLength(1)
    const [{ method, url, headers, body }] = requests as [(typeof requests)[0]]
    expect([method, url, body.toString()]).toEqual(['POST', '/hooks/hangar?room=7', BODY])
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'hangar-event': 'done' })
    expect(isSigned(headers['hangar-signature'], body)).toBe(true)
    expect(isSigned(headers['hangar-signature'], Buffer.from(BODY.replace('done', 'gone')))).toBe(false)
    expect(Object.keys(headers)).not.toContain('authorization')
    expect(JSON.stringify(headers)).not.toContain(SECRET)
  })

  it('is signed over time and body, as the documentation has it', () => {
    expect(signatureOf('{"event":"done"}', 'secret', 1_767_225_600_000)).toBe(
      't=1767225600,v1=fb9fdab46172db55d4ab78d2a57732235c2aeeaea2cac9dd4db7ef7e4424a31a',
    )
  })

  it('is posted again after 500, 429 and a connection that breaks, until it is taken', async () => {
    const statuses = [500, 429, 0, 200]
    const { origin, requests } = await startHttp((_, response) => {
      const status = statuses.shift()!
      if (status === 0) response.destroy()
      else response.writeHead(status).end()
    })
    expect(await post(origin)).toBeNull()
    expect(requests).toHaveLength(4)
    expect(requests.every(({ headers, body }) => isSigned(headers['hangar-signature'], body))).toBe(true)
  })

  it('is given up at the time limit, with the last answer', async () => {
    const limit = limitOf(60_000)
    const { origin, requests } = await startHttp((_, response) => {
      response.writeHead(503).end()
      if (requests.length === 3) limit.reach()
    })
    expect(await post(origin, { clock: limit.clock })).toBe('It answered 503.')
    expect(requests).toHaveLength(3)
  })

  it('says in words of its own that nothing answers', async () => {
    const limit = limitOf(60_000)
    const { origin, requests } = await startHttp((_, response) => {
      if (requests.length === 2) limit.reach()
      else response.destroy()
    })
    const lost = 'It did not answer: the connection was lost before an answer came.'
    expect(await post(origin, { clock: limit.clock })).toBe(lost)
  })

  it.each([
    ['a number of seconds', () => '20'],
    ['a date', () => new Date(Date.now() + 20_000).toUTCString()],
  ])('is posted again no sooner than the receiver asks for, in %s', async (_, retryAfter) => {
    const limitMs = 60_000
    const waitsMs: number[] = []
    const clock: typeof realClock = {
      ...realClock,
      setTimer(ms, callback) {
        if (ms === limitMs) return () => undefined
        waitsMs.push(ms)
        return realClock.setTimer(0, callback)
      },
    }
    const { origin, requests } = await startHttp((_request, response) =>
      response.writeHead(requests.length === 1 ? 429 : 200, { 'retry-after': retryAfter() }).end(),
    )
    expect(await post(origin, { clock, limitMs })).toBeNull()
    expect(requests).toHaveLength(2)
    // A date has no milliseconds.
    expect(Math.max(...waitsMs)).toBeGreaterThan(18_000)
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(20_000)
  })

  it('is given up at once where the receiver asks for more time than there is', async () => {
    const { origin, requests } = await startHttp((_, response) =>
      response.writeHead(503, { 'retry-after': '86400' }).end(),
    )
    expect(await post(origin, { random: () => 0.01 })).toBe('It answered 503.')
    expect(requests).toHaveLength(1)
  })

  it('is not posted again when it is refused', async () => {
    const { origin, requests } = await answering(401)
    expect(await post(origin)).toBe('It answered 401.')
    expect(requests).toHaveLength(1)
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    const elsewhere = await answering(200)
    const { origin, requests } = await startHttp((_, response) =>
      response.writeHead(status, { location: elsewhere.origin }).end(),
    )
    expect(await post(origin)).toBe(`It answered with a redirect (${status}), which is not followed.`)
    expect(requests).toHaveLength(1)
    expect(elsewhere.requests).toEqual([])
  })
})
