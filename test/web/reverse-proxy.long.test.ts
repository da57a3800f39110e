import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { jsonLines, startCli, type RunningCli } from '../cli/harness.ts'
import { freePort } from '../free-port.ts'
import { BUILT, describeWith, OPENSSL, programs } from '../needs.ts'
import { makeCertificateFiles } from '../services/certificate.ts'
import { folderForAll } from '../temp-folder.ts'
import { until } from '../until.ts'
import { linkIn, TestBrowser } from './harness.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const NAME = 'pictures.example.org'

describe.each(['nginx', 'caddy'] as const)('a page that %s publishes', (name) => {
  describeWith(
    BUILT,
    OPENSSL,
    programs(name),
  )('as docs/proxy sets it up', () => {
    let dir: string
    let port: number
    let host: string
    /** Where Hangar listens. */
    let behind: number
    let proxy: ChildProcess
    let hangar: RunningCli
    let link: string

    beforeAll(async () => {
      dir = folderForAll()
      port = await freePort()
      behind = await freePort()
      host = `${NAME}:${port}`
      const where = ['--public-url', `https://${host}`, '--port', String(behind)]
      const args = ['serve', '--json', '--practice', '--data-dir', join(dir, 'data'), ...where]
      hangar = startCli(args, { env: { HOME: dir } })
      await hangar.said(/"event":"serving"/)
      link = String(jsonLines(hangar.text.stdout)[0]!['url'])
      proxy = await (name === 'nginx' ? startNginx : startCaddy)(dir, port, behind)
    })
    afterAll(async () => {
      await hangar?.stop('SIGKILL')
      // Killed, nginx would leave its workers behind.
      proxy?.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL')
    })

    it('is answered there, over TLS for good, and takes changes and sockets of its own pages alone', async () => {
      const origin = `https://${host}`
      expect(link).toContain(`${origin}/#link=`)
      const page = await ask(port, '/', { host })
      expect([page.status, page.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
      const browser = new TestBrowser()
      const signIn = (from: string) =>
        ask(port, '/sign-in', { host, origin: from }, JSON.stringify({ link: linkIn(link) }))
      expect((await signIn('https://evil.example')).status).toBe(403)
      const signedIn = await signIn(origin)
      browser.seed = (JSON.parse(signedIn.body) as { seed: string }).seed
      const { instance } = JSON.parse((await ask(port, '/about', { host })).body) as { instance: string }
      const cookie = signedIn.headers['set-cookie']![0]!.split(';')[0]!
      const own = { host, cookie, 'x-hangar-token': browser.derived('token', instance) }
      await upgrade(port, { ...own, origin })
      await expect(upgrade(port, { host, origin })).rejects.toThrow('401')
      await expect(upgrade(port, { ...own, origin: 'https://evil.example' })).rejects.toThrow('403')
    })

    if (name === 'caddy')
      it('keeps no connection open for a request whose head does not come', async () => {
        const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false })
        let isClosed = false
        socket.on('error', () => undefined).on('close', () => (isClosed = true))
        socket.resume().write('GET / HTTP/1.1\r\n')
        await until('it is closed', () => isClosed)
      })

    if (name === 'nginx')
      it('is not held up by bodies that come slowly, or are larger than any but an upload', async () => {
        const before = await connectionsTo(behind)
        const slow = await Promise.all(
          Array.from({ length: 40 }, (_, n) => slowPost(port, host, n % 2 === 0 ? '/sign-in' : '/about', 10)),
        )
        onTestFinished(() => slow.forEach((socket) => socket.destroy()))
        expect(await statusOf(port, host)).toBe(200)
        expect((await connectionsTo(behind)) - before).toBeLessThan(5)
        const [large, upload] = [
          await slowPost(port, host, '/about', 100_000),
          await slowPost(port, host, '/upload', 100_000),
        ]
        expect(await answerOf(large)).toMatch(/^HTTP\/1\.1 413 [^]*nginx/)
        upload.write(Buffer.alloc(100_000))
        // Of Hangar, which reads nothing of what it refuses.
        expect(await answerOf(upload)).toMatch(/^HTTP\/1\.1 (?:403|502) /)
      })

    if (name === 'nginx')
      it('is asked only so often, and with so much open, by one address', async () => {
        const strict = await freePort()
        // The figures of the configuration would make this a test of the machine.
        const second = await startNginx(folderForAll(), strict, behind, [
          ['rate=100r/s', 'rate=1r/m'],
          ['burst=500', 'burst=9'],
          ['hangar_open 100', 'hangar_open 3'],
        ])
        onTestFinished(() => {
          second.kill()
        })
        const slow = await Promise.all(Array.from({ length: 6 }, () => slowPost(strict, host, '/about', 10)))
        const refused = slow.map((socket) => answerOf(socket))
        await until('three connections are refused', async () => {
          const known = await Promise.all(refused.map((answer) => Promise.race([answer, Promise.resolve('')])))
          return known.filter((answer) => answer.startsWith('HTTP/1.1 429')).length === 3
        })
        slow.forEach((socket) => socket.destroy())
        const asked: number[] = []
        for (let n = 0; n < 10; n += 1) asked.push(await statusOf(strict, host))
        expect(asked.at(-1)).toBe(429)
      })
  })
})

type Put = readonly [from: string, to: string]

/** A configuration of docs/proxy, with the names and paths of this test. */
async function shownConfig(name: string, put: readonly Put[]): Promise<string> {
  const shown = await readFile(join(ROOT, 'docs/proxy', name), 'utf8')
  for (const [from] of put) expect(shown).toContain(from)
  return put.reduce((all, [from, to]) => all.replaceAll(from, to), shown)
}

/** `behind`: Hangar's port. `put`: further changes to the configuration. */
async function startNginx(dir: string, port: number, behind: number, put: readonly Put[] = []): Promise<ChildProcess> {
  const { certificate, key } = makeCertificateFiles(`DNS:${NAME}`)
  const server = await shownConfig('nginx.conf', [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/pictures.example.org.pem', certificate],
    ['/etc/ssl/private/pictures.example.org.key', key],
    ['127.0.0.1:4780', `127.0.0.1:${behind}`],
    ...put,
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${dir}/${what};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(dir, 'nginx.conf')
  await writeFile(
    file,
    `${user} daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log; worker_processes 1; events {}
http { access_log off; ${temporary.join(' ')} ${server} }`,
  )
  const child = spawn('nginx', ['-c', file, '-p', dir], { stdio: 'ignore' })
  const log = () => readFile(join(dir, 'error.log'), 'utf8').catch(() => '')
  await until('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await log()}`)
    return (await statusOf(port, NAME).catch(() => null)) !== null
  })
  return child
}

async function startCaddy(dir: string, port: number, behind: number): Promise<ChildProcess> {
  const { certificate, key } = makeCertificateFiles(`DNS:${NAME}`)
  const config = await shownConfig('Caddyfile', [
    ['{\n\tservers {', '{\n\tadmin off\n\tauto_https off\n\tservers {'],
    [`${NAME} {`, `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['127.0.0.1:4780', `127.0.0.1:${behind}`],
  ])
  await writeFile(join(dir, 'Caddyfile'), config)
  const args = ['run', '--adapter', 'caddyfile', '--config', join(dir, 'Caddyfile')]
  const child = spawn('caddy', args, { stdio: 'ignore', env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir } })
  await until('Caddy answers', async () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended with ${child.exitCode}`)
    return (await statusOf(port, `${NAME}:${port}`).catch(() => null)) === 200
  })
  return child
}

/** Sends the head of a request alone, and none of the `bytes` that it says will follow. */
function slowPost(port: number, host: string, path: string, bytes: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false })
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
  return new Promise((done, failed) => {
    socket.once('error', failed)
    socket.once('secureConnect', () => socket.write(head, () => done(socket)))
  })
}

/** All that comes until it is closed, or its first part. */
function answerOf(socket: TLSSocket): Promise<string> {
  return new Promise((done) => {
    socket.on('error', () => done(''))
    socket.once('data', (bytes: Buffer) => done(bytes.toString()))
  })
}

/** How many connections are open to this port of 127.0.0.1. */
async function connectionsTo(port: number): Promise<number> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  // The second column is the local address, the fourth the state, and 01 is connected.
  return lines.filter(([, address, , state]) => address === local && state === '01').length
}

/** A POST where there is a `body`. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((done, failed) => {
    const where = { host: '127.0.0.1', port, path, servername: NAME, rejectUnauthorized: false, agent: false }
    const how = body === undefined ? {} : { method: 'POST' }
    const told = body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    const asked = request({ ...where, ...how, headers: told }, (answer) => {
      text(answer).then((got) => done({ status: answer.statusCode ?? 0, headers: answer.headers, body: got }), failed)
    })
    asked.on('error', failed).end(body)
  })
}

async function statusOf(port: number, host: string): Promise<number> {
  return (await ask(port, '/', { host })).status
}

/** Opens the page's socket and closes it; rejects with the status of a refusal. */
function upgrade(port: number, { origin, ...headers }: Record<string, string>): Promise<void> {
  const options = { headers, rejectUnauthorized: false, servername: NAME, ...(origin === undefined ? {} : { origin }) }
  const socket = new WebSocket(`wss://127.0.0.1:${port}/socket`, options)
  return new Promise((done, failed) => {
    socket.on('open', () => {
      socket.close()
      done()
    })
    socket.on('error', failed)
  })
}
