import http from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWith, OPENSSL } from '../needs.ts'
import { proxyFromEnvironment, trustedCertificates } from '../../src/main/services/connections.ts'
import { reachOf } from '../../src/main/services/reach.ts'
import { makeCertificate } from './certificate.ts'
import { freePort } from '../free-port.ts'
import { closeAll, get, listen, notSent, openHttp, startHttp, startRaw, textOf, upload } from './harness.ts'

let certificate = ''
let key = ''
beforeAll(() => {
  if (OPENSSL === null) ({ certificate, key } = makeCertificate('DNS:service.test,DNS:localhost'))
})
afterEach(closeAll)

const startSecure = () => {
  const server = https.createServer({ key, cert: certificate }, (incoming, response) => {
    incoming.resume().on('end', () => response.end(`secure ${incoming.url}`))
  })
  return listen(server)
}

/** A CONNECT proxy that leads every name to `targetPort`. `refuse`: a status, or to hang up. */
async function startProxy(targetPort: number, refuse?: number | 'hang up') {
  const asked: { url: string; headers: http.IncomingHttpHeaders }[] = []
  const server = http.createServer()
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    asked.push({ url: request.url!, headers: request.headers })
    socket.on('error', () => undefined)
    if (refuse === 'hang up') {
      socket.destroy()
      return
    }
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`)
      return
    }
    const onward = net.connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  return { ...(await listen(server)), asked }
}

const through = (proxy: string, noProxy = '') => ({ https: proxy, http: '', noProxy })

describeWith(OPENSSL)('a secure connection', () => {
  it('is made when the certificate is trusted, and kept or fresh as asked for', async () => {
    const server = await startSecure()
    const port = openHttp({ certificates: () => [certificate] })
    const url = `https://localhost:${server.port}/x`
    for (const freshConnection of [true, false]) {
      const outcome = await port.request(get(url, { freshConnection }))
      expect(outcome.kind === 'response' && textOf(outcome.body)).toBe('secure /x')
    }
  })

  it('is refused before a byte of the request left when the certificate is not trusted or for another name', async () => {
    const server = await startSecure()
    const strict = openHttp({ certificates: () => [...rootCertificates] })
    const refused = notSent('tls')
    expect(await strict.request(get(`https://localhost:${server.port}`))).toMatchObject(refused)
    const port = openHttp({ certificates: () => [certificate] })
    expect(await port.request(upload(`https://127.0.0.1:${server.port}`, new Uint8Array(9)))).toMatchObject(refused)
    expect(await port.request(get(`https://127.0.0.1:${server.port}`))).toMatchObject(refused)
  })

  it('leads through the proxy for a host that is not this computer', async () => {
    const server = await startSecure()
    const proxy = await startProxy(server.port)
    const port = openHttp({
      certificates: () => [certificate],
      proxy: through(proxy.origin.replace('//', '//me:secret@')),
    })
    const headers = { 'x-api-key': 'canary' }
    for (const request of [
      get('https://service.test/a', { headers }),
      upload('https://service.test/a', new Uint8Array(99), { headers }),
    ]) {
      const outcome = await port.request(request)
      expect(outcome.kind === 'response' && textOf(outcome.body)).toBe('secure /a')
    }
    expect(proxy.asked.map(({ url }) => url)).toEqual(['service.test:443', 'service.test:443'])
    expect(proxy.asked[0]!.headers['proxy-authorization']).toBe(`Basic ${btoa('me:secret')}`)
    expect(JSON.stringify(proxy.asked)).not.toContain('canary')
  })

  it('through a proxy is made whatever network the proxy is in, and never to a forbidden address', async () => {
    const server = await startSecure()
    const proxy = await startProxy(server.port)
    const port = openHttp({ certificates: () => [certificate], proxy: through(`http://localhost:${proxy.port}`) })
    const fromAfar = { freshConnection: true, mayConnectTo: (address: string) => reachOf(address) === 'public' }
    expect(await port.request(get('https://service.test/a', fromAfar))).toMatchObject({ response: { status: 200 } })
    expect(proxy.asked).toHaveLength(1)
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '127.0.0.1'])
      expect(await port.request(get(`https://${host}/`, fromAfar))).toMatchObject(notSent('forbidden'))
    expect(proxy.asked).toHaveLength(1)
  })

  it('through a proxy is refused as tls when the certificate at its far end is not trusted', async () => {
    const server = await startSecure()
    const proxy = await startProxy(server.port)
    const port = openHttp({ certificates: () => [certificate], proxy: through(proxy.origin) })
    const outcome = await port.request(upload('https://other.test/', new Uint8Array(9)))
    expect(outcome).toMatchObject(notSent('tls'))
  })
})

describe('a proxy', () => {
  it.each([[403], [407], [502], ['hang up' as const]])(
    'that answers CONNECT with %s sends nothing on',
    async (refusal) => {
      const proxy = await startProxy(1, refusal)
      const port = openHttp({ proxy: through(proxy.origin) })
      const failed = notSent('proxy')
      expect(await port.request(upload('https://service.test/', new Uint8Array(9)))).toMatchObject(failed)
      expect(await port.request(get('https://service.test/'))).toMatchObject(failed)
      expect(proxy.asked).toHaveLength(2)
    },
  )

  it('that is not there, or has no address, sends nothing', async () => {
    const failed = notSent('proxy')
    const gone = openHttp({ proxy: through(`http://127.0.0.1:${await freePort()}`) })
    expect(await gone.request(get('https://service.test/'))).toMatchObject(failed)
    const outcome = await openHttp({ proxy: through('me:secret@:nonsense') }).request(get('https://service.test/'))
    expect(outcome).toMatchObject(failed)
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })

  it('that never answers CONNECT ends the request when the time to connect is over', async () => {
    const silent = await startRaw(() => undefined)
    const port = openHttp({ proxy: through(silent.origin) })
    const outcome = await port.request(upload('https://service.test/', new Uint8Array(9), { connectTimeoutMs: 80 }))
    expect(outcome).toMatchObject(notSent('connect_timeout'))
  })

  it('is never used for this computer, nor for hosts that are to be reached without', async () => {
    const server = await startHttp((_, response) => response.end('ok'))
    const proxy = await startProxy(1)
    const port = openHttp({ proxy: { https: proxy.origin, http: proxy.origin, noProxy: 'service.invalid' } })
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await port.request(get(`http://${host}:${server.port}`))).toMatchObject({ response: { status: 200 } })
    expect(await port.request(get('https://service.invalid'))).toMatchObject(notSent('dns'))
    expect(proxy.sockets).toHaveLength(0)
  })

  it('is taken from the environment, lower case first', () => {
    const env = { HTTPS_PROXY: 'http://one', https_proxy: 'http://two', NO_PROXY: 'three' }
    expect(proxyFromEnvironment(env)).toEqual({ https: 'http://two', http: '', noProxy: 'three' })
  })
})

it('trusts what Node trusts', () => {
  expect(trustedCertificates()).toEqual(expect.arrayContaining([...rootCertificates]))
})
