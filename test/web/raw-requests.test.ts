import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type WebWorld } from './harness.ts'

/* Requests as no browser sends them, from another user of this computer or through something in between. */

let world: WebWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Told {
  statuses: number[]
  text: string
}

/** Sends these bytes on one connection and reads until the server closes it. */
function send(bytes: string): Promise<Told> {
  return new Promise((resolve) => {
    const socket = connect(world.port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (more: string) => (text += more))
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve({ text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) }),
    )
    socket.write(bytes, 'latin1')
  })
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const host = () => `Host: 127.0.0.1:${world.port}`
/** Another request, inside the bytes of the first; the answer to it ends the connection. */
const another = () => lines('GET /another HTTP/1.1', host(), 'Connection: close')
const post = (headers: readonly string[], body: string) =>
  lines('POST /sign-in HTTP/1.1', host(), `Origin: ${world.origin}`, 'Content-Type: application/json', ...headers) +
  body
const chunked = (body: string, encoding = 'Transfer-Encoding: chunked') => post([encoding], body + another())
const counted = (...lengths: string[]) =>
  post(
    lengths.map((length) => `Content-Length: ${length}`),
    `{}${another()}`,
  )

const SMUGGLED: Record<string, () => string> = {
  'a length and chunks': () => post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${another()}`),
  'chunks and a length': () => post(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${another()}`),
  'two lengths': () => counted('2', '4'),
  'the same length twice': () => counted('2', '2'),
  'a list of lengths': () => counted('2, 2'),
  'a length with a sign': () => counted('+2'),
  'a negative length': () => counted('-2'),
  'a hexadecimal length': () => counted('0x2'),
  'a length beyond all numbers': () => counted('99999999999999999999'),
  'lines that end without a carriage return': () => `GET / HTTP/1.1\n${host()}\n\n${another()}`,
  'one line that does': () => counted('2\nX: y'),
  'lines that end without a line feed': () => `GET / HTTP/1.1\r${host()}\r\r${another()}`,
  'another encoding': () => chunked('0\r\n\r\n', 'Transfer-Encoding: xchunked'),
  'chunks and then another encoding': () => chunked('0\r\n\r\n', 'Transfer-Encoding: chunked, identity'),
  'a space before the colon': () => chunked('0\r\n\r\n', 'Transfer-Encoding : chunked'),
  'a folded line': () => chunked('0\r\n\r\n', 'X: y\r\n Transfer-Encoding: chunked'),
  'a size of a chunk with a prefix': () => chunked('0x2\r\n{}\r\n0\r\n\r\n'),
  'a negative size of a chunk': () => chunked('-1\r\n{}\r\n0\r\n\r\n'),
  'a chunk beyond all numbers': () => chunked('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
  'a chunk with the wrong end': () => chunked('2\r\n{}XX0\r\n\r\n'),
  'a line feed in what follows the size of a chunk': () => chunked('2;\nxx\r\n{}\r\n0\r\n\r\n'),
  'more than 16 kB after the size of a chunk': () => chunked(`2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
  'headers without an end after the body': () => chunked(`2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(20_000)}\r\n`),
  'a zero byte in a header': () => lines('GET / HTTP/1.1', host(), 'X: a\0b') + another(),
  'headers of 40 kB': () => lines('GET / HTTP/1.1', host(), `X: ${'y'.repeat(40_000)}`) + another(),
  'an address of 40 kB': () => lines(`GET /${'y'.repeat(40_000)} HTTP/1.1`, host()) + another(),
  'another protocol': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the beginning of TLS': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
}

describe('A request that can be read in two ways', () => {
  it.each(Object.entries(SMUGGLED))('is refused, and what follows it is not read: %s', async (_, bytes) => {
    const { statuses } = await send(bytes())
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBeGreaterThanOrEqual(400)
    expect(statuses[0]).toBeLessThan(500)
  })

  it.each([
    ['ours first', () => [host(), 'Host: evil.example']],
    ['ours last', () => ['Host: evil.example', host()]],
    ['ours twice', () => [host(), host()]],
    ['or none', () => []],
  ])('is refused when it names two hosts, %s', async (_, hosts) => {
    const { statuses } = await send(lines('GET / HTTP/1.1', ...hosts(), 'Connection: close'))
    expect(statuses).toEqual([421])
  })

  it('is refused when its address names another host than ours', async () => {
    const { statuses, text } = await send(lines('GET http://evil.example/ HTTP/1.1', host(), 'Connection: close'))
    expect(statuses).toEqual([403])
    expect(text).not.toContain('<title>')
  })
})

it('A connection takes the next request once it has answered the last', async () => {
  const socket = connect(world.port, '127.0.0.1')
  const answered = () => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  for (let n = 0; n < 3; n += 1) {
    const answer = answered()
    socket.write(lines('GET /nothing HTTP/1.1', host()))
    expect(await answer).toContain('HTTP/1.1 404')
  }
  socket.destroy()
})
