import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { answerOneAtATime } from '../../../src/shared/runtime/one-request-at-a-time.ts'

let server: Server
let port: number
let read: number
let answered: number
beforeAll(async () => {
  server = createServer({ requireHostHeader: false })
  answerOneAtATime(server, (request, response) => {
    answered += 1
    let length = 0
    request.on('data', (chunk: Buffer) => (length += chunk.length))
    request.on('end', () => response.end(`${request.method} ${length}`))
  })
  const count = () => (read += 1)
  server.on('request', count).on('checkExpectation', count)
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  read = answered = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** What the server says to these bytes until it closes the connection. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (more: string) => (text += more))
    socket.on('error', () => undefined).on('close', () => resolve(text))
    socket.write(bytes)
  })
}

const MANY: Record<string, string> = {
  'of the smallest kind': 'GET / HTTP/1.1\r\n\r\n',
  'with a host': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'with a body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx',
  'with an expectation': 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
  'that wait for a word': 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
  'of an older kind': 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
}

it.each(Object.entries(MANY))(
  'A connection that sends thousands of requests in one piece has at most one answered, and few of them read: %s',
  async (_, one) => {
    const text = await send(one.repeat(5000))
    expect(text.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(answered).toBe(1)
    // What fits into 2 kB; a packet has up to 64.
    expect(read).toBeLessThan(120)
  },
)

describe('A connection that waits for its answers', () => {
  it('is answered, whatever the size of a body', async () => {
    for (const size of [0, 1, 2047, 2048, 3_000_000]) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: randomBytes(size) })
      expect(await answer.text()).toBe(`POST ${size}`)
    }
  })

  it('may become a socket, also when its first message comes with the request', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    const long = 'x'.repeat(100_000)
    const echoed = await new Promise((resolve) => {
      socket.on('open', () => socket.send(long)).on('message', (data: Buffer) => resolve(data.toString()))
    })
    expect(echoed).toBe(long)
    socket.close()
    const head = [
      'GET / HTTP/1.1',
      'Host: a',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ].join('\r\n')
    // A masked text of 60,000 letters, whose mask is zero, and a close.
    const body = `\x81\xfe\xea\x60\0\0\0\0${'y'.repeat(60_000)}\x88\x80\0\0\0\0`
    const raw = await new Promise<string>((resolve) => {
      const connection = connect(port, '127.0.0.1')
      let text = ''
      connection.setEncoding('latin1').on('data', (more: string) => (text += more))
      connection.on('close', () => resolve(text))
      connection.write(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'))
    })
    expect(raw).toContain('101 Switching Protocols')
    expect(raw).toContain('y'.repeat(60_000))
  })
})
