import { Dispatcher } from 'undici'
import { expect, it } from 'vitest'
import { Exchange } from '../../src/main/services/exchange.ts'
import { readNetworkError } from '../../src/main/services/network-error.ts'
import { get, realClock } from './harness.ts'

it('never lets a request start a second time, whatever the layer below does', async () => {
  const started: string[] = []
  class Restarting extends Dispatcher {
    override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      for (const name of ['first', 'second']) {
        let aborted = false
        const controller = { abort: () => (aborted = true), pause: () => undefined, resume: () => undefined }
        handler.onRequestStart?.(controller as unknown as Dispatcher.DispatchController, {})
        if (!aborted) started.push(name)
      }
      return true
    }
  }
  const exchange = new Exchange({
    clock: realClock,
    dispatcher: new Restarting(),
    request: get('http://127.0.0.1/'),
    headers: {},
    body: null,
    totalTimeoutMs: 1000,
    isProxyError: () => false,
    onUnexpected: () => undefined,
    read: () => ({ maxBytes: 1, chunk: () => undefined, done: () => null }),
  })
  exchange.start()
  expect(await exchange.outcome).toMatchObject({ kind: 'maybeSent', error: { code: 'reset' } })
  expect(started).toEqual(['first'])
})

it.each(['EMFILE', 'ENFILE'])(
  'says of %s that this computer opens no more connections, also on the way to a proxy',
  (code) => {
    const error = Object.assign(new Error(code), { code })
    for (const viaProxy of [false, true])
      expect(readNetworkError(error, 'connecting', { secure: true, viaProxy }).code).toBe('too_few_files')
  },
)
