import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { browserCalls } from '../../src/shared/contract/browsers.ts'
import { PAGE_CALL_NAMES } from '../../src/shared/contract/calls.ts'
import { openWorld, PageSocket } from './harness.ts'
import { until } from '../until.ts'

const world = await openWorld()
afterAll(() => world.close())
const visitor = await world.signIn()

const dial = (headers: Record<string, string>) => PageSocket.dial(world.port, headers)

describe('The socket', () => {
  it('opens for our own origin with the cookie and the token, and for nothing less', async () => {
    const {
      origin,
      cookie,
      'x-hangar-token': token,
    } = visitor.headers as Record<'origin' | 'cookie' | 'x-hangar-token', string>
    const own = { origin, cookie, 'x-hangar-token': token }
    const streams = world.host.streams
    await expect(dial({ cookie, 'x-hangar-token': token })).rejects.toThrow('403')
    await expect(dial({ ...own, origin: 'http://evil.example' })).rejects.toThrow('403')
    await expect(dial({ ...own, 'sec-fetch-site': 'same-site' })).rejects.toThrow('403')
    await expect(dial({ origin, 'x-hangar-token': token })).rejects.toThrow('401')
    await expect(dial({ ...own, cookie: `${cookie.split('=')[0]}=wrong` })).rejects.toThrow('401')
    await expect(dial({ origin, cookie })).rejects.toThrow('401')
    for (const other of ['wrong', visitor.addressSecret, visitor.browser.seed!, (await world.signIn()).token])
      await expect(dial({ ...own, 'x-hangar-token': other })).rejects.toThrow('401')
    expect(world.host.streams).toBe(streams)
    ;(await dial(own)).raw.terminate()
  })

  it('sends the stream, and takes calls and acknowledgements', async () => {
    const socket = await world.connect(visitor)
    expect(await socket.reply((reply) => 'message' in reply)).toMatchObject({ message: { type: 'snapshot', seq: 1 } })
    socket.send({ id: 7, channel: 'queue.pause', request: { a: 1 } })
    expect(await socket.reply((reply) => reply['id'] === 7)).toEqual({
      id: 7,
      result: { ok: true, value: { channel: 'queue.pause' } },
    })
    socket.send({ ack: 41 })
    await until('the acknowledgement arrives', () => world.host.acknowledged.includes(41))
    const streams = world.host.streams
    socket.raw.close()
    await until('the stream ends with the socket', () => world.host.streams === streams - 1)
  })

  it('answers a call that fails inside without saying what the machine looks like', async () => {
    const socket = await world.connect(visitor)
    socket.send({ id: 1, channel: 'jobs.counts', request: {} })
    const reply = await socket.reply((one) => one['id'] === 1)
    expect(reply).toMatchObject({ result: { ok: false, error: { code: 'internal' } } })
    expect(JSON.stringify(reply)).not.toContain('/a/whole/path')
  })

  it('hands every channel and any request to the host, and survives what is no message at all', async () => {
    const request = fc.jsonValue({ maxDepth: 3 })
    const names = PAGE_CALL_NAMES.filter((name) => !Object.hasOwn(browserCalls, name))
    const channel = fc.oneof(fc.constantFrom(...names), fc.constantFrom('__proto__', 'constructor', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(channel, request), { minLength: 1, maxLength: 30 }), async (calls) => {
        const socket = await world.connect(visitor)
        calls.forEach(([name, given], id) => socket.send({ id, channel: name, request: given }))
        for (const id of calls.keys()) await socket.reply((reply) => reply['id'] === id)
        socket.raw.terminate()
      }),
      { numRuns: 10 },
    )
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '{"id":-1,"channel":"queue.pause"}',
      '{"id":1,"channel":1}',
      '{"ack":"1"}',
      '{}',
    ]
    for (const text of broken) {
      const socket = await world.connect(visitor)
      socket.send(text)
      expect(await socket.closed, text).toBe(1008)
    }
    const huge = await world.connect(visitor)
    huge.send({ id: 1, channel: 'queue.pause', request: 'x'.repeat(9 * 2 ** 20) })
    expect(await huge.closed).toBe(1009)
    const binary = await world.connect(visitor)
    binary.raw.send(Buffer.from('{"ack":1}'))
    expect(await binary.closed).toBe(1008)
  })
})
