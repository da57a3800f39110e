import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Result } from '../../src/shared/contract/call.ts'
import type { UiMessage } from '../../src/shared/contract/stream.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { PlaceRegistry } from '../../src/main/page/place-registry.ts'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import { prepareDataFolder } from '../../src/main/journal/data-folder.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { startWeb, type WebOptions, type WebShell } from '../../src/main/web/start-web.ts'
import type { WebHost } from '../../src/main/web/web-context.ts'
import { quiet, quietBackground } from '../simulation/world.ts'
import { folderForAll } from '../temp-folder.ts'
import { until } from '../until.ts'

const PAGE = '<!doctype html><html lang="en"><title>Hangar</title><script src="./assets/page-abc.js"></script></html>'

/** A host in memory that writes down what reaches it. */
export class RecordingHost implements WebHost {
  readonly places = new PlaceRegistry()
  readonly calls: { channel: string; request: unknown }[] = []
  readonly acknowledged: number[] = []
  readonly pictures = new Map<string, { bytes: Uint8Array; type: string }>()
  readonly outputs = new Map<string, { path: string; name: string; rootDir: string }>()
  chargers: Uint8Array | null = null
  streams = 0

  readonly background = quietBackground()

  call(channel: string, given: unknown): Promise<Result<unknown>> {
    this.calls.push({ channel, request: given })
    if (channel === 'jobs.counts') return Promise.reject(new Error('a mistake with /a/whole/path in it'))
    return Promise.resolve({ ok: true, value: { channel } })
  }

  connect(send: (message: UiMessage) => void): { acknowledge(seq: number): void; close(): void } {
    this.streams += 1
    send({ type: 'snapshot', seq: 1, state: {} as never })
    return {
      acknowledge: (seq) => this.acknowledged.push(seq),
      close: () => {
        this.streams -= 1
      },
    }
  }

  picture(jobId: string, kind: string): Promise<{ bytes: Uint8Array; type: string } | null> {
    return Promise.resolve(this.pictures.get(`${jobId}/${kind}`) ?? null)
  }

  output(jobId: string, index: number | null): Promise<{ path: string; name: string; rootDir: string } | null> {
    return Promise.resolve(this.outputs.get(`${jobId}/${index}`) ?? null)
  }

  results(jobId: string): Promise<{ path: string; name: string; rootDir: string }[]> {
    return Promise.resolve([...this.outputs].flatMap(([key, file]) => (key.startsWith(`${jobId}/`) ? [file] : [])))
  }

  chargerData(): Promise<Uint8Array | null> {
    return Promise.resolve(this.chargers)
  }
}

/** Real time with a part that a test moves on. */
export class MovedClock implements Clock {
  aheadMs = 0
  nowMs = () => realClock.nowMs() + this.aheadMs
  monotonicMs = () => realClock.monotonicMs() + this.aheadMs
  setTimer = (delayMs: number, callback: () => void) => realClock.setTimer(delayMs, callback)
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  bytes: Buffer
  json: () => Record<string, unknown>
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** A request with exactly these headers, which `fetch` would not let us choose. */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: text,
          bytes,
          json: () => JSON.parse(text) as Record<string, unknown>,
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A browser that signed in. */
export interface Visitor {
  browser: TestBrowser
  cookie: string
  token: string
  /** The secret in the addresses of its pictures. */
  addressSecret: string
  /** What our own page's requests carry. */
  headers: Record<string, string>
}

interface AsBrowser {
  link?: string
  cookie?: string
  host?: string
  scheme?: 'http' | 'https'
}

/** What src/renderer/bridge/sign-in.ts does. */
export class TestBrowser {
  /** What its page keeps. */
  seed: string | null = null

  derived(what: 'token' | 'address', instance: unknown): string {
    return this.seed === null
      ? ''
      : createHmac('sha256', this.seed)
          .update(`${what} ${String(instance)}`)
          .digest('base64url')
  }

  /** Asks to be signed in, with a link, or by what it has. */
  async ask(
    port: number,
    { link, cookie, host = `127.0.0.1:${port}`, scheme = 'http' }: AsBrowser = {},
  ): Promise<Answer> {
    const { instance } = (await ask(port, '/about', { headers: { host } })).json()
    const headers = {
      host,
      origin: `${scheme}://${host}`,
      'content-type': 'application/json',
      'x-hangar-token': this.derived('token', instance),
      ...(cookie === undefined ? {} : { cookie }),
    }
    const body = JSON.stringify(link === undefined ? {} : { link })
    const answer = await ask(port, '/sign-in', { method: 'POST', headers, body })
    const { seed } = answer.status === 200 ? answer.json() : {}
    if (typeof seed === 'string') this.seed = seed
    return answer
  }

  async signIn(port: number, given: AsBrowser = {}): Promise<Visitor> {
    const answer = await this.ask(port, given)
    if (answer.status !== 200) throw new Error(`signing in: ${answer.status} ${answer.body}`)
    const [set = given.cookie ?? ''] = answer.headers['set-cookie'] ?? []
    const [cookie = ''] = set.split(';')
    const { host = `127.0.0.1:${port}`, scheme = 'http' } = given
    const { instance } = (await ask(port, '/about', { headers: { host } })).json()
    const [token, addressSecret] = [this.derived('token', instance), this.derived('address', instance)]
    const headers = { host, origin: `${scheme}://${host}`, cookie, 'x-hangar-token': token }
    return { browser: this, cookie, token, addressSecret, headers }
  }
}

export interface WebWorld {
  /** A fresh folder: data, page and inbox are in it. */
  dir: string
  inbox: string
  host: RecordingHost
  clock: MovedClock
  shell: WebShell
  port: number
  origin: string
  /** What settings say; the inbox above unless a test changes it. */
  inboxDir: { current: string | null }
  signIn(): Promise<Visitor>
  /** A socket on which the stream has begun. */
  connect(visitor: Visitor): Promise<PageSocket>
  /** Until `restart`. */
  stop(): Promise<void>
  /** Another server on the same data folder, as after a restart. */
  restart(): Promise<WebShell>
  close(): Promise<void>
}

export async function openWorld(options: Partial<WebOptions> = {}): Promise<WebWorld> {
  const dir = folderForAll()
  const [dataDir, inbox, pageDir] = [join(dir, 'data'), join(dir, 'inbox'), join(dir, 'page')]
  await prepareDataFolder(dataDir)
  openJournal(dataDir).close()
  await mkdir(inbox)
  await mkdir(join(pageDir, 'assets'), { recursive: true })
  await writeFile(join(pageDir, 'index.html'), PAGE)
  await writeFile(join(pageDir, 'assets', 'page-abc.js'), 'document.title = "Hangar runs"')
  await writeFile(join(pageDir, '.secret'), 'not to be served')
  const [host, clock] = [new RecordingHost(), new MovedClock()]
  const inboxDir: WebWorld['inboxDir'] = { current: inbox }
  const deps: WebOptions = {
    host,
    dataDir,
    clock,
    log: quiet,
    port: 0,
    pageDir,
    inboxDir: () => Promise.resolve(inboxDir.current),
    works: () => Promise.resolve(true),
    ...options,
  }
  const shells = [await startWeb(deps)]
  const { port } = shells[0]!
  const origin = `http://127.0.0.1:${port}`
  const sockets: PageSocket[] = []
  return {
    dir,
    inbox,
    host,
    clock,
    shell: shells[0]!,
    port,
    origin,
    inboxDir,
    signIn: () => signIn(port, linkIn(shells[0]!.newLink())),
    connect: async (visitor) => {
      const socket = await PageSocket.open(port, visitor)
      sockets.push(socket)
      return socket
    },
    stop: async () => {
      await shells.pop()?.close()
    },
    restart: async () => {
      await shells.pop()?.close()
      shells.push(await startWeb({ ...deps, port }))
      return shells[0]!
    },
    close: async () => {
      for (const socket of sockets) socket.raw.terminate()
      for (const shell of shells) await shell.close()
    },
  }
}

/** As `openWorld`, until the test is over. */
export async function worldForTest(options: Partial<WebOptions> = {}): Promise<WebWorld> {
  const world = await openWorld(options)
  onTestFinished(() => world.close())
  return world
}

export function linkIn(url: string): string {
  return new URL(url).hash.replace('#link=', '')
}

export function signIn(port: number, link: string): Promise<Visitor> {
  return new TestBrowser().signIn(port, { link })
}

/** A page's end of the socket. */
export class PageSocket {
  readonly raw: WebSocket
  readonly replies: Record<string, unknown>[] = []
  readonly closed: Promise<number>

  private constructor(raw: WebSocket) {
    this.raw = raw
    raw.on('message', (data) =>
      this.replies.push(JSON.parse((data as Buffer).toString('utf8')) as Record<string, unknown>),
    )
    raw.on('error', () => undefined)
    this.closed = new Promise((resolve) => raw.on('close', resolve))
  }

  /** Resolves to the socket, or rejects with the status of the refused upgrade. */
  static dial(port: number, headers: Record<string, string>): Promise<PageSocket> {
    const { origin, 'x-hangar-token': token, ...rest } = headers
    const raw = new WebSocket(`ws://127.0.0.1:${port}/socket`, token === undefined ? [] : ['hangar', token], {
      headers: rest,
      ...(origin === undefined ? {} : { origin }),
    })
    const socket = new PageSocket(raw)
    return new Promise((resolve, reject) => {
      raw.on('open', () => resolve(socket))
      raw.on('unexpected-response', (_request, answer) => {
        answer.resume()
        raw.terminate()
        reject(new Error(`refused with ${answer.statusCode}`))
      })
    })
  }

  static async open(port: number, visitor: Visitor): Promise<PageSocket> {
    const socket = await PageSocket.dial(port, visitor.headers)
    await socket.reply((reply) => 'message' in reply)
    return socket
  }

  send(message: unknown): void {
    this.raw.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The first reply that fits. */
  async reply(fits: (reply: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const find = () => this.replies.find(fits)
    await until('it is there', () => find() !== undefined, { describe: () => JSON.stringify(this.replies) })
    return find()!
  }
}

/** The journal, as another process has it open. */
export function journalOf({ dir }: WebWorld): Db {
  const db = openJournal(join(dir, 'data'))
  onTestFinished(() => {
    db.close()
  })
  return db
}
