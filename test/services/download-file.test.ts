import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import https from 'node:https'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeWith, OPENSSL } from '../needs.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { PATIENCE_MS } from '../until.ts'
import { makeCertificate } from './certificate.ts'
import {
  call,
  closeAll,
  get,
  KEY,
  listen,
  manualClock,
  notSent,
  openHttp,
  openImageService,
  realClock,
  startHttp,
  until,
} from './harness.ts'

afterEach(closeAll)

const FILE = Buffer.from('the compressed picture, whole')

let certificate = ''
let key = ''
beforeAll(() => {
  if (OPENSSL === null) ({ certificate, key } = makeCertificate('IP:127.0.0.2,DNS:localhost'))
})

type Handle = (url: string, response: ServerResponse) => void
interface Host {
  origin: string
  seen: { url: string; headers: IncomingHttpHeaders }[]
}

/** A storage provider: another host on this computer. */
async function startStorage(handle: Handle, address = '127.0.0.2', scheme = 'https'): Promise<Host> {
  const seen: Host['seen'] = []
  const listener = ({ url = '', headers }: http.IncomingMessage, response: ServerResponse) => {
    seen.push({ url, headers })
    handle(url, response)
  }
  const secure = () => https.createServer({ key, cert: certificate }, listener)
  const { port } = await listen(scheme === 'https' ? secure() : http.createServer(listener), 0, address)
  return { origin: `${scheme}://${address}:${port}`, seen }
}

const whole: Handle = (_, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(FILE)

/** Downloads from a service that answers with this redirect. */
async function download(
  location: string | undefined,
  status = 302,
  more: { maxDownloadBytes?: number; clock?: Clock } = {},
) {
  const service = await startHttp((_, response) =>
    response.writeHead(status, { ...(location && { location }), 'set-cookie': 'a=b' }).end('elsewhere'),
  )
  const { clock = realClock, ...options } = more
  const chunks: Buffer[] = []
  const client = openImageService(service.origin, {
    http: openHttp({ certificates: () => [certificate], clock }),
    settings: { keyHeader: 'x-api-key' },
    idleTimeoutMs: PATIENCE_MS,
    connectTimeoutMs: PATIENCE_MS,
    ...options,
  })
  const given = call()
  const sink = async (chunk: Uint8Array) => {
    chunks.push(Buffer.from(chunk))
  }
  const answer = await client.optimized('image-1', sink, given)
  return { answer, slots: given.spent, bytes: Buffer.concat(chunks), service }
}

describeWith(OPENSSL)('A download that is redirected', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i to another host is taken there, without a header of ours',
    async (status) => {
      const storage = await startStorage(whole)
      const { answer, slots, bytes, service } = await download(`${storage.origin}/file?signature=abc#part`, status)
      expect(answer).toMatchObject({ from: 'storage', answer: { kind: 'ok' } })
      expect(bytes).toEqual(FILE)
      expect(slots).toEqual(['answered'])
      expect(service.requests[0]!.headers['x-api-key']).toBe(KEY)
      expect(storage.seen).toHaveLength(1)
      expect(storage.seen[0]!.url).toBe('/file?signature=abc')
      const names = Object.keys(storage.seen[0]!.headers).sort()
      expect(names).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
      expect(JSON.stringify(storage.seen)).not.toContain(KEY)
    },
  )

  it('is followed three times, and not a fourth', async () => {
    const storage: Host = await startStorage((url, response) => {
      const left = Number(url.slice(1))
      if (left === 0) whole(url, response)
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect(await download(`${storage.origin}/2`)).toMatchObject({ answer: { from: 'storage' }, bytes: FILE })
    const tooFar = await download(`${storage.origin}/3`)
    expect(tooFar.answer).toEqual({ from: 'redirect' })
    expect(storage.seen.map(({ url }) => url)).toEqual(['/2', '/1', '/0', '/3', '/2', '/1'])
  })

  it('keeps the cap on its bytes and the time-out without progress at every host', async () => {
    const large = await startStorage((_, response) => response.writeHead(200).end(Buffer.alloc(2000)))
    const capped = await download(`${large.origin}/`, 302, { maxDownloadBytes: 1000 })
    expect(capped.answer).toMatchObject({ from: 'storage', answer: { error: { code: 'too_large' } } })
    const silent = await startStorage(() => undefined)
    const clock = manualClock()
    const waiting = download(`${silent.origin}/`, 302, { clock })
    await until(() => silent.seen.length === 1)
    clock.advance(PATIENCE_MS)
    const waited = await waiting
    expect(waited.answer).toMatchObject({ from: 'storage', answer: { error: { code: 'timeout' } } })
  })

  it('is a refusal of the storage when that is what it answers, and says nothing of the key', async () => {
    const storage = await startStorage((_, response) => response.writeHead(403).end('<Error>expired</Error>'))
    const { answer, slots } = await download(`${storage.origin}/`)
    expect(answer).toMatchObject({ from: 'storage', answer: { kind: 'status', status: 403 } })
    expect(slots).toEqual(['answered'])
    const busy = await startStorage((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    expect((await download(`${busy.origin}/`)).slots).toEqual(['answered'])
  })

  it('never goes from https to http at another computer, but may stay on this one', async () => {
    const plain = await startStorage(whole, '127.0.0.1', 'http')
    const secure = await startStorage((_, response) => response.writeHead(307, { location: `${plain.origin}/` }).end())
    expect(await download(`${secure.origin}/`)).toMatchObject({ answer: { from: 'storage' }, bytes: FILE })
    const leak = await startStorage((_, response) =>
      response.writeHead(307, { location: 'http://files.example/' }).end(),
    )
    expect((await download(`${leak.origin}/`)).answer).toEqual({ from: 'redirect' })
  })

  it.each([
    undefined,
    'https://',
    'https://user:secret@127.0.0.2/',
    'http://files.example/',
    'ftp://files.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('to %s is refused', async (location) => {
    const { answer, bytes } = await download(location)
    expect(answer).toEqual({ from: 'redirect' })
    expect(bytes).toHaveLength(0)
  })

  it.each(['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fe80::1]', '[::ffff:10.0.0.1]', '0.0.0.0', '0x0a000001'])(
    'to %s, a network that the service is not in, asks nothing there',
    async (host) => {
      const { answer } = await download(`https://${host}/latest/meta-data`)
      expect(answer).toMatchObject({ from: 'storage', answer: notSent('forbidden') })
    },
  )

  it('by a service elsewhere asks nothing on this computer, even by a name that resolves to it', async () => {
    const storage = await startStorage(whole, '127.0.0.1')
    const fromAfar = {
      freshConnection: true,
      mayConnectTo: (address: string) => !address.startsWith('127.') && address !== '::1',
    }
    const http = openHttp({ certificates: () => [certificate] })
    const { port } = new URL(storage.origin)
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await http.request(get(`https://${host}:${port}/`, fromAfar))).toMatchObject(notSent('forbidden'))
    expect(storage.seen).toEqual([])
  })
})
