import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_STRANGERS } from '../../src/main/web/start-web.ts'
import { ask, linkIn, openWorld, signIn, type WebWorld } from './harness.ts'

let world: WebWorld
let held: Held[]
beforeEach(() => {
  held = []
})
afterEach(async () => {
  for (const { socket } of held) socket.destroy()
  await world.close()
})

interface Held {
  socket: Socket
  isOpen: () => boolean
}

/** A connection of another user, who sends this and then nothing. */
function hold(first: string): Promise<Held> {
  const socket = connect(world.port, '127.0.0.1')
  let isOpen = true
  socket.on('close', () => (isOpen = false)).on('error', () => undefined)
  // What is not read keeps the end of the connection from being seen.
  socket.resume()
  const one = { socket, isOpen: () => isOpen }
  held.push(one)
  return new Promise((resolve) => {
    socket.on('connect', () => socket.write(first, () => resolve(one)))
    socket.on('close', () => resolve(one))
  })
}

const host = () => `Host: 127.0.0.1:${world.port}\r\n`
const post = (path: string, origin = world.origin) =>
  `POST ${path} HTTP/1.1\r\n${host()}Origin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`

const HELD: [string, () => string][] = [
  ['nothing', () => ''],
  ['half a header', () => 'GET / HTTP/1.1\r\nHo'],
  ['half a body', () => post('/sign-in')],
  ['half a body of an upload', () => post('/upload')],
  ['half a body from another origin', () => post('/sign-in', 'http://evil.example')],
  ['half a body where none is read', () => `GET / HTTP/1.1\r\n${host()}Content-Length: 900\r\n\r\n{`],
  [
    'half a body in chunks',
    () => post('/sign-in').replace('Content-Length: 900', 'Transfer-Encoding: chunked').replace('{', '5\r\n{'),
  ],
]

describe('Another user who holds connections open', () => {
  it('keeps no signed-in browser from its work, and none from signing in', async () => {
    world = await openWorld()
    const visitor = await world.signIn()
    const socket = await world.connect(visitor)
    for (let n = 0; n < 700; n += 1) await hold(HELD[n % HELD.length]![1]())
    expect(held.filter(({ isOpen }) => isOpen()).length).toBeLessThanOrEqual(MAX_STRANGERS + 5)
    expect((await ask(world.port, '/')).status).toBe(200)
    await world.connect(await signIn(world.port, linkIn(world.shell.newLink())))
    await world.connect(visitor)
    socket.send({ id: 1, channel: 'queue.pause', request: {} })
    expect(await socket.reply((reply) => reply['id'] === 1)).toMatchObject({ result: { ok: true } })
  })
})
