import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import {
  answerRaw,
  closeAll,
  get,
  manualClock,
  maybeSent,
  notSent,
  openHttp,
  startHttp,
  startRaw,
  textOf,
  until,
  upload,
} from './harness.ts'

afterEach(closeAll)

const MEGABYTE = 1024 * 1024

describe('an exchange that goes well', () => {
  it('answers with status, lower-case headers and the whole body', async () => {
    const server = await startHttp((_, response) => response.writeHead(201, { 'X-Thing': 'one' }).end('hello'))
    const outcome = await openHttp().request(get(`${server.origin}/a?b=c`, { headers: { 'x-mine': '1' } }))
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 201, headers: { 'x-thing': 'one' } } })
    expect(outcome.kind === 'response' && textOf(outcome.body)).toBe('hello')
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/a?b=c' })
    expect(server.requests[0]!.headers).toMatchObject({
      'x-mine': '1',
      'user-agent': 'Hangar/0.0.0-test',
      'accept-encoding': 'identity',
    })
  })

  it('sends a multipart body with its length, and the bytes arrive unchanged', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const server = await startHttp((_, response) => response.end())
    const image = { bytes, filename: 'evil"\r\nX-Injected: 1\r\n\r\n.jpg', contentType: 'image/jpeg' }
    const multipart = [
      { name: 'image', value: image },
      { name: 'languages[]', value: 'en' },
      { name: 'languages[]', value: 'pt' },
    ]
    const outcome = await openHttp().request(get(server.origin, { method: 'POST', multipart }))
    expect(outcome.kind).toBe('response')
    const { headers, body } = server.requests[0]!
    expect(headers['content-length']).toBe(String(body.length))
    expect(headers['transfer-encoding']).toBeUndefined()
    const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData()
    const file = form.get('image') as File
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
    expect(file.type).toBe('image/jpeg')
    expect(form.getAll('languages[]')).toEqual(['en', 'pt'])
    expect(body.toString('latin1')).toContain('filename="evil%22%0D%0AX-Injected: 1%0D%0A%0D%0A.jpg"')
    expect(body.toString('latin1')).not.toContain('\nX-Injected')
  })

  it('streams a download to the sink one chunk at a time and waits for it', async () => {
    const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
      .toString('hex')
      .repeat(8)
    const server = await startHttp((_, response) =>
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    )
    let inHand = 0
    let most = 0
    let received = ''
    const sink = async (chunk: Uint8Array) => {
      most = Math.max(most, ++inHand)
      await new Promise((resolve) => setImmediate(resolve))
      received += textOf(chunk)
      inHand -= 1
    }
    const outcome = await openHttp().download(get(server.origin, { maxBytes: bytes.length }), sink)
    expect(outcome).toMatchObject({ kind: 'response', body: null })
    expect(received === bytes).toBe(true)
    expect(most).toBe(1)
  })

  it('reads the text of any other status instead of streaming it', async () => {
    const server = await startHttp((_, response) => response.writeHead(404).end('{"error":"not yet"}'))
    const outcome = await openHttp().download(get(server.origin), () => Promise.reject(new Error('not to be called')))
    expect(outcome).toMatchObject({
      kind: 'response',
      response: { status: 404 },
      body: '{"error":"not yet"}',
    })
  })

  it('passes over interim answers', async () => {
    const server = await startRaw((socket) =>
      answerRaw(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    )
    const outcome = await openHttp().request(get(server.origin))
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 200 } })
  })

  it('hands an early refusal on although the upload had not ended', async () => {
    const server = await startRaw((socket) => answerRaw(socket, 'HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'))
    const outcome = await openHttp().request(upload(server.origin, new Uint8Array(30 * MEGABYTE)))
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 413 } })
  })
})

describe('connections', () => {
  it('opens one for each request that asks for a fresh one, and closes it afterwards', async () => {
    const server = await startHttp((_, response) => response.end('ok'))
    const port = openHttp()
    for (let n = 0; n < 3; n++) await port.request(get(server.origin, { freshConnection: true }))
    expect(server.sockets).toHaveLength(3)
    expect(server.requests.every(({ headers }) => headers.connection === 'close')).toBe(true)
    await until(() => server.sockets.every((socket) => socket.destroyed))
  })

  it('sends a fresh request well although a kept connection has gone stale without a sign', async () => {
    // Answers the first request of each connection; at the second it resets.
    const server = await startRaw((socket) => {
      let count = 0
      socket.on('data', () => {
        if (++count === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        else socket.resetAndDestroy()
      })
    })
    const port = openHttp()
    expect(await port.request(get(server.origin))).toMatchObject({ kind: 'response' })
    expect(await port.request(get(server.origin, { freshConnection: true }))).toMatchObject({ kind: 'response' })
    expect(await port.request(get(server.origin))).toMatchObject(maybeSent('reset'))
    expect(server.sockets).toHaveLength(2)
  })
})

describe('not sent', () => {
  it('says refused when nobody listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const port = openHttp()
    expect(await port.request(get(url))).toMatchObject(notSent('refused'))
    expect(await port.request(upload(url, new Uint8Array(MEGABYTE)))).toMatchObject(notSent('refused'))
  })

  it.each([
    ['answers in the clear', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['hangs up', null],
  ])('says tls when the peer %s', async (_, answer) => {
    const seen: Buffer[] = []
    const server = await startRaw((socket) =>
      socket.on('data', (chunk) => {
        seen.push(chunk)
        if (answer === null) socket.destroy()
        else socket.end(answer)
      }),
    )
    const url = server.origin.replace('http:', 'https:')
    const outcome = await openHttp().request(upload(url, new Uint8Array(9), { headers: { 'x-api-key': 'canary' } }))
    expect(outcome).toMatchObject(notSent('tls'))
    expect(Buffer.concat(seen).includes('canary')).toBe(false)
  })

  it('says connect_timeout when the handshake does not end in time', async () => {
    const server = await startRaw(() => undefined)
    const request = upload(server.origin.replace('http:', 'https:'), new Uint8Array(9), { connectTimeoutMs: 50 })
    expect(await openHttp().request(request)).toMatchObject(notSent('connect_timeout'))
  })

  it('says connect_timeout, and no byte leaves, when it may no longer start once it is connected', async () => {
    let closed = false
    const server = await startRaw((socket) => socket.resume().on('close', () => (closed = true)))
    const outcome = await openHttp().request(upload(server.origin, new Uint8Array(9), { mayStart: () => false }))
    expect(outcome).toMatchObject(notSent('connect_timeout'))
    await until(() => closed || (server.sockets[0]?.bytesRead ?? 0) > 0)
    expect(server.sockets[0]!.bytesRead).toBe(0)
  })

  it('says aborted when it was given up before it began', async () => {
    const server = await startRaw(() => undefined)
    const outcome = await openHttp().request(get(server.origin, { signal: AbortSignal.abort() }))
    expect(outcome).toMatchObject(notSent('aborted'))
    expect(server.sockets).toHaveLength(0)
  })

  it('says aborted when it was given up while connecting, and nothing leaves when the connection comes', async () => {
    let closed = false
    const server = await startRaw((socket) => socket.resume().on('close', () => (closed = true)))
    const giveUp = new AbortController()
    const http = openHttp()
    // What loads for the first request is there for the second, which connects at once.
    await http.request(get((await startHttp((_, response) => response.end())).origin))
    const pending = http.request(get(server.origin, { signal: giveUp.signal }))
    giveUp.abort()
    expect(await pending).toMatchObject(notSent('aborted'))
    await until(() => closed || (server.sockets[0]?.bytesRead ?? 0) > 0)
    expect(server.sockets[0]!.bytesRead).toBe(0)
  })
})

describe('perhaps sent', () => {
  const cases: [string, string | null, string][] = [
    ['the connection is reset after the head arrived', null, 'reset'],
    ['a body is cut before its length', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"da', 'cut_off'],
    ['chunks are cut', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"da', 'cut_off'],
    ['the head of the answer is cut', 'HTTP/1.1 200 OK\r\ncontent-', 'reset'],
    ['the answer is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'other'],
  ]
  it.each(cases)('when %s', async (_, answer, code) => {
    const server = await startRaw((socket) => {
      if (answer === null) socket.once('data', () => socket.resetAndDestroy())
      else answerRaw(socket, answer, () => socket.end())
    })
    const port = openHttp()
    expect(await port.request(get(server.origin))).toMatchObject(maybeSent(code))
    expect(await port.request(upload(server.origin, new Uint8Array(9)))).toMatchObject(maybeSent(code))
    expect(await port.download(get(server.origin), async () => undefined)).toMatchObject(maybeSent(code))
    expect(server.sockets).toHaveLength(3)
  })

  it('when the connection is reset in mid-upload', async () => {
    const server = await startRaw((socket) => {
      socket.on('data', () => socket.bytesRead > 200_000 && socket.resetAndDestroy())
    })
    const outcome = await openHttp().request(upload(server.origin, new Uint8Array(30 * MEGABYTE)))
    expect(outcome).toMatchObject(maybeSent('reset'))
    expect(server.sockets).toHaveLength(1)
  })

  it.each([
    ['before the answer', ''],
    ['within the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'],
  ])('when nothing moves for the idle time %s', async (_, answer) => {
    const server = await startRaw((socket) => answerRaw(socket, answer))
    const outcome = await openHttp().request(get(server.origin, { idleTimeoutMs: 80 }))
    expect(outcome).toMatchObject(maybeSent('timeout'))
    await until(() => server.sockets[0]!.destroyed || server.sockets[0]!.readableEnded)
  })

  it('when the peer stops reading the upload', async () => {
    const server = await startRaw((socket) => socket.pause())
    const outcome = await openHttp().request(
      upload(server.origin, new Uint8Array(60 * MEGABYTE), { idleTimeoutMs: 150 }),
    )
    expect(outcome).toMatchObject(maybeSent('timeout'))
  })

  it('when it is given up in mid-upload and in mid-answer', async () => {
    const deaf = await startRaw((socket) => socket.once('data', () => socket.pause()))
    const first = new AbortController()
    const uploading = openHttp().request(upload(deaf.origin, new Uint8Array(60 * MEGABYTE), { signal: first.signal }))
    await until(() => (deaf.sockets[0]?.bytesRead ?? 0) > 0)
    first.abort()
    expect(await uploading).toMatchObject(maybeSent('aborted'))

    const slow = await startRaw((socket) => answerRaw(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"da'))
    const second = new AbortController()
    const sink = async () => second.abort()
    const outcome = await openHttp().download(get(slow.origin, { signal: second.signal }), sink)
    expect(outcome).toMatchObject(maybeSent('aborted'))
  })

  it('when the port is closed under it', async () => {
    const server = await startRaw(() => undefined)
    const port = openHttp()
    const pending = port.request(get(server.origin))
    await until(() => (server.sockets[0]?.bytesRead ?? 0) > 0)
    await port.close()
    expect(await pending).toMatchObject(maybeSent('aborted'))
  })
})

describe('bounds', () => {
  /** A download that may stand still for 10 s and last `totalTimeoutMs`, of which a byte comes every 9 s. */
  async function trickle(bytes: number, length: number, totalTimeoutMs?: number) {
    const clock = manualClock()
    const server = await startRaw((socket) => answerRaw(socket, `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`))
    let received = 0
    const sink = async (chunk: Uint8Array) => {
      received += chunk.byteLength
    }
    const port = openHttp({ clock, ...(totalTimeoutMs !== undefined && { totalTimeoutMs }) })
    const pending = port.download(get(server.origin, { idleTimeoutMs: 10_000 }), sink)
    await until(() => (server.sockets[0]?.bytesWritten ?? 0) > 0)
    for (let sent = 1; sent <= bytes; sent++) {
      clock.advance(9000)
      server.sockets[0]!.write('x')
      await until(() => received === sent)
    }
    return { pending, clock }
  }

  it('takes a steady trickle as life', async () => {
    const { pending } = await trickle(5, 5)
    expect(await pending).toMatchObject({ kind: 'response', body: null })
  })

  it('ends a trickle that lasts longer than the whole exchange may', async () => {
    const { pending, clock } = await trickle(2, 9, 25_000)
    clock.advance(9000)
    expect(await pending).toMatchObject(maybeSent('timeout'))
  })

  it('takes upload progress as life, though the answer comes much later than the idle time', async () => {
    const clock = manualClock()
    const server = await startRaw((socket) => socket.once('data', () => socket.pause()))
    let over = false
    const request = upload(server.origin, new Uint8Array(80 * MEGABYTE), { idleTimeoutMs: 10_000 })
    const pending = openHttp({ clock })
      .request(request)
      .finally(() => (over = true))
    await until(() => (server.sockets[0]?.bytesRead ?? 0) > 0)
    const socket = server.sockets[0]!
    // Each step is more than all buffers in between hold, so the sender has moved too.
    for (let step = 1; step <= 4; step++) {
      clock.advance(9000)
      socket.on('data', () => socket.bytesRead > step * 20 * MEGABYTE && socket.pause()).resume()
      await until(() => socket.bytesRead > step * 20 * MEGABYTE)
      socket.removeAllListeners('data')
    }
    expect(over).toBe(false)
    socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    expect(await pending).toMatchObject({ kind: 'response', response: { status: 200 } })
  })

  it('does not count the time a sink takes as silence', async () => {
    const clock = manualClock()
    const server = await startHttp((_, response) => response.end('data'))
    const slow = async () => {
      for (let step = 0; step < 4; step++) clock.advance(9000)
    }
    const outcome = await openHttp({ clock }).download(get(server.origin, { idleTimeoutMs: 10_000 }), slow)
    expect(outcome).toMatchObject({ kind: 'response', body: null })
  })

  it('stops an endless body at the cap', async () => {
    const server = await startRaw((socket) =>
      answerRaw(socket, 'HTTP/1.1 200 OK\r\n\r\n', () => {
        const more = () => {
          while (!socket.destroyed && socket.write('[['.repeat(50_000)));
        }
        socket.on('drain', more)
        more()
      }),
    )
    let received = 0
    const sink = async (chunk: Uint8Array) => {
      received += chunk.byteLength
    }
    const port = openHttp()
    const tooLarge = maybeSent('too_large')
    expect(await port.request(get(server.origin))).toMatchObject(tooLarge)
    expect(await port.download(get(server.origin), sink)).toMatchObject(tooLarge)
    expect(received).toBeLessThanOrEqual(1_000_000)
    await until(() => server.sockets.every((socket) => socket.destroyed))
  })

  it('does not begin to read what is announced as too long', async () => {
    const server = await startRaw((socket) => answerRaw(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000001\r\n\r\nxx'))
    const sink = () => Promise.reject(new Error('not to be called'))
    expect(await openHttp().download(get(server.origin), sink)).toMatchObject({ error: { code: 'too_large' } })
  })

  it('rejects with what the sink threw and hangs up', async () => {
    const server = await startRaw((socket) => answerRaw(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"da'))
    const full = new Error('no space left')
    await expect(openHttp().download(get(server.origin), () => Promise.reject(full))).rejects.toBe(full)
    await until(() => server.sockets[0]!.destroyed || server.sockets[0]!.readableEnded)
  })

  it('refuses a header that cannot be sent without repeating it', async () => {
    const server = await startHttp((_, response) => response.end())
    const outcome = await openHttp().request(
      get(server.origin, { headers: { authorization: 'Bearer canary\r\nX-Evil: 1' } }),
    )
    expect(outcome).toMatchObject(notSent('other'))
    expect(JSON.stringify(outcome)).not.toContain('canary')
  })
})

it('that cannot even begin, because an update took its files away, sends nothing, and the next one tries again', async () => {
  const server = await startHttp((_, response) => response.end('hello'))
  let isGone = true
  const loadUndici = () => (isGone ? Promise.reject(new Error('ERR_MODULE_NOT_FOUND')) : import('undici'))
  const http = openHttp({ loadUndici })
  expect(await http.request(get(server.origin))).toMatchObject(notSent('other'))
  expect(server.requests).toHaveLength(0)
  isGone = false
  expect(await http.request(get(server.origin))).toMatchObject({ kind: 'response' })
})

it('the log has what keeps a service from answering, once, and that it answers again', async () => {
  const lines: string[] = []
  const write = (message: string, facts: Record<string, unknown> = {}) =>
    lines.push(`${message} ${facts['error'] as string}`)
  const log = { debug: write, info: write, warn: write, error: write }
  let loads = 0
  const http = openHttp({
    log,
    loadUndici: () => (++loads === 1 ? Promise.reject(new TypeError('no such function')) : import('undici')),
  })
  const port = await freePort()
  const ask = () => http.request(get(`http://127.0.0.1:${port}/`))
  for (let n = 0; n < 3; n += 1) expect((await ask()).kind).toBe('notSent')
  expect(lines).toEqual([
    'a request could not be made TypeError: no such function',
    'a service did not answer the exchange failed (undici could not be loaded)',
    'a service did not answer the connection was refused, or the host cannot be reached (ECONNREFUSED)',
  ])
  const server = await startHttp((_, response) => response.end())
  const broken = { url: `${server.origin}/`, headers: { 'bad header': 'x' } }
  expect((await http.request(get(broken.url, { headers: broken.headers }))).kind).toBe('notSent')
  expect(lines.at(-2)).toMatch(/^a request could not be made .*header/)
  expect((await http.request(get(broken.url))).kind).toBe('response')
  expect(lines.at(-1)).toMatch(/^a service answers again/)
})
