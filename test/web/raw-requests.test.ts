import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type WebWorld } from './harness.ts'

let world: WebWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Sends these lines, as no browser does, and reads until the server closes the connection. */
function send(...lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(world.port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (more: string) => (text += more))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1')
  })
}

const host = () => `Host: 127.0.0.1:${world.port}`

it.each([
  ['ours first', () => [host(), 'Host: evil.example']],
  ['ours last', () => ['Host: evil.example', host()]],
  ['ours twice', () => [host(), host()]],
  ['or none', () => []],
])('a request that names two hosts is refused, %s', async (_, hosts) => {
  expect(await send('GET / HTTP/1.1', ...hosts())).toMatch(/^HTTP\/1\.1 421 /)
})

it('a request whose address names another host than ours is refused', async () => {
  const text = await send('GET http://evil.example/ HTTP/1.1', host())
  expect(text).toMatch(/^HTTP\/1\.1 403 /)
  expect(text).not.toContain('<title>')
})
