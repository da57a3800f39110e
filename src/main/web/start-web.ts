import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock, Logger, ShellPort } from '../../shared/runtime/ports.ts'
import { closeAll } from '../engine/end-process.ts'
import { onDataFolderChange } from '../journal/data-folder-changes.ts'
import { openJournal } from '../journal/journal.ts'
import { answerData } from '../page/page-data.ts'
import { EVERY_ANSWER, pagePolicy } from '../page/page-policy.ts'
import {
  hostOf,
  originOf,
  refusalOf,
  HEALTH_ROUTE,
  METRICS_ROUTE,
  callerOf,
  signedIn,
  forOwnPage,
  type WebContext,
  type WebHost,
} from './web-context.ts'
import { linkUrl, serverName, newLink, SignIns, SIGN_IN_MS, isSecret } from './sign-ins.ts'
import { PendingUploads } from './pending-uploads.ts'
import { acceptUpgrades, addSocket } from './socket.ts'
import { addUpload, UPLOAD_LIMITS, type UploadLimits } from './upload.ts'
import { addZip } from './zip.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { z } from 'zod'
import type { SignInAnswer } from '../../shared/contract/browsers.ts'
import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'

/** The application's own folder: the bundle of this file is in out/main. */
export const APP_DIR = join(import.meta.dirname, '..', '..')

/** A page picks folders on the computer of the engine and transfers files by HTTP. */
export const WEB_SHELL: ShellPort = { capabilities: new Set(['browse', 'upload', 'download']) }

export interface WebOptions {
  host: WebHost
  /** The data folder that the host's engine holds. */
  dataDir: string
  clock: Clock
  log: Logger
  inboxDir: () => Promise<string | null>
  /** For `/healthz`. */
  works: () => Promise<boolean>
  /** For `/metrics`; without it there is no such address. */
  metrics?: MetricsOptions | null
  /** Null: DEFAULT_PORT, or without a public origin the next free one. 0: any free one. */
  port: number | null
  /**
   * Where a reverse proxy that ends TLS publishes the page, such as `https://pictures.example.org`: then no other name is answered.
   * Null: the page is for this computer, at 127.0.0.1.
   */
  publicOrigin?: string | null
  /** To listen at instead of 127.0.0.1; only with a public origin. */
  address?: string | null
  /** For each link that was used. */
  onSignIn?: () => void
  /** The folder of the built page. */
  pageDir?: string
  uploadLimits?: UploadLimits
}

export interface WebShell {
  port: number
  /** Of the page, as people open it. */
  origin: string
  /** With a fresh link, which signs one browser in, once, within LINK_MS. */
  newLink(): string
  close(): Promise<void>
}

/**
 * Serves the page and its contract to browsers. Resolves when it is listening. Throws `bad_request` when the page was not built, and as
 * `listen` does.
 */
export async function startWeb(options: WebOptions): Promise<WebShell> {
  const {
    host,
    dataDir,
    clock,
    log,
    inboxDir,
    publicOrigin = null,
    metrics = null,
    onSignIn = () => undefined,
  } = options
  const address = options.address ?? '127.0.0.1'
  const pageDir = checkedPage(options.pageDir ?? join(APP_DIR, 'out', 'renderer'))
  const db = openJournal(dataDir)
  const name = serverName(db)
  // Browsers take a cookie with this prefix only with `Secure`, for this host alone and all of its paths.
  const cookieName = `${publicOrigin === null ? '' : '__Host-'}hangar-${name}`
  const [signIns, uploads] = [new SignIns(db, clock), new PendingUploads({ db, log, name })]
  const inbox = await inboxDir()
  if (inbox !== null) await uploads.sweepParts(inbox)
  const context = { host, signIns, uploads, zips: new Map(), publicOrigin, cookieName, clock, log, onSignIn, inboxDir }
  const app = await makeApp(context)
  const closings: (() => unknown)[] = [() => db.close(), () => app.close()]
  try {
    addSignIn(app, context)
    const endSignedOut = addSocket(app, context)
    await addUpload(app, context, options.uploadLimits ?? UPLOAD_LIMITS)
    for (const url of ['/picture/:id/:kind', '/download/:id/:index', '/chargers.json'])
      app.get(url, forOwnPage(context), async (request, reply) => {
        const answer = await answerData(host, request.url.replace(/\?.*$/s, ''))
        return answer === null ? reply.callNotFound() : reply.send(answer)
      })
    addZip(app, context)
    addMonitoring(app, options.works, metrics)
    await addPages(app, pageDir)
    closings.push(onDataFolderChange(dataDir, () => host.background.run('sign_outs', endSignedOut)))
    const port = await listen(app, { address, port: options.port, isFixed: publicOrigin !== null })
    const origin = publicOrigin ?? `http://127.0.0.1:${port}`
    return {
      port,
      origin,
      newLink: () => linkUrl(origin, newLink(db, clock)),
      close: () => closeAll(closings),
    }
  } catch (error) {
    await closeAll(closings)
    throw error
  }
}

/** Open connections must not use up the file descriptors that pictures need. */
const MAX_CONNECTIONS = 256

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

/** Access is decided before any route, for every request and every upgrade. */
async function makeApp({ publicOrigin, log }: WebContext): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    keepAliveTimeout: 30_000,
    // An upload takes the longest.
    requestTimeout: 30 * 60_000,
    http: SERVER_OPTIONS,
  })
  app.server.maxConnections = MAX_CONNECTIONS
  await acceptUpgrades(app)
  app.addHook('onRequest', async (request, reply) => {
    const host = hostOf(request)
    // The sender wrote the Host: only an origin that is known gets into a header.
    const origin = originOf(host, publicOrigin) ?? originOf(host, null)
    const answer = origin === null ? reply : reply.headers(securityHeaders(origin))
    const refusal = refusalOf(request, publicOrigin)
    if (refusal !== null) return answer.code(refusal.status).send({ message: refusal.message })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'There is nothing here.' }))
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) log.error('a request failed', { error: error.message })
    return reply.code(status).send({ message: status >= 500 ? 'Something went wrong inside Hangar.' : 'Bad request.' })
  })
  return app
}

export const DEFAULT_PORT = 4780
/** How many ports after the default are tried when none was asked for. */
const MORE_PORTS = 20

interface Wanted {
  address: string
  /** Null: DEFAULT_PORT. 0: any free one. */
  port: number | null
  /** A proxy asks at the default port: another program that listened there would be taken for Hangar. */
  isFixed: boolean
}

/** Returns the port. Throws `bad_request` when it is taken, and for an address that this computer does not have. */
async function listen(app: FastifyInstance, { address, port: wanted, isFixed }: Wanted): Promise<number> {
  const first = wanted ?? DEFAULT_PORT
  const last = wanted === null && !isFixed ? first + MORE_PORTS : first
  for (let port = first; port <= last; port += 1)
    try {
      await app.listen({ host: address, port })
      return (app.server.address() as AddressInfo).port
    } catch (cause) {
      const code = errorCode(cause)
      if (code === 'EADDRNOTAVAIL') throw new AppError('bad_request', say('address_not_here', { address }), { cause })
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause
    }
  throw new AppError('bad_request', say('port_taken', { port: first === last ? `${first}` : `${first}–${last}` }))
}

const Body = z.object({ link: z.string().max(200).optional() })

/**
 * `POST /sign-in`: a link signs a browser in; without one the answer is whether it is signed in. Wrong links are not counted: a link has
 * 256 bits, and a limit would let others lock the owner out. The page derives its token from `GET /about`.
 */
function addSignIn(app: FastifyInstance, context: WebContext): void {
  const { signIns, cookieName, publicOrigin, onSignIn } = context

  app.post('/sign-in', { bodyLimit: 2000 }, (request, reply) => {
    const body = Body.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ message: 'This is no sign-in.' })
    const { link } = body.data
    const isKnown = signedIn(context, request) !== null
    if (link === undefined || !signIns.takeLink(link))
      return reply.code(isKnown ? 200 : 401).send({} satisfies SignInAnswer)
    onSignIn()
    if (isKnown) return reply.send({} satisfies SignInAnswer)
    const { cookie, seed } = signIns.open(callerOf(context, request).address)
    // No script can read it.
    const secure = publicOrigin === null ? '' : '; Secure'
    const rules = `Path=/; HttpOnly${secure}; SameSite=Strict; Max-Age=${SIGN_IN_MS / 1000}`
    return reply.header('set-cookie', `${cookieName}=${cookie}; ${rules}`).send({ seed } satisfies SignInAnswer)
  })

  app.get('/about', (_request, reply) => reply.send({ instance: signIns.instance }))
}

export interface MetricsOptions {
  /** What a request has to bring as `Authorization: Bearer …`. */
  token: string
  read: () => Promise<string>
}

/** `GET` or `HEAD /healthz` needs no sign-in and tells one word. `GET /metrics` needs a token of its own, which signs in nowhere else. */
function addMonitoring(app: FastifyInstance, works: () => Promise<boolean>, metrics: MetricsOptions | null): void {
  const healthz = async (_request: FastifyRequest, reply: FastifyReply) => {
    const isWell = await works().catch(() => false)
    return reply
      .code(isWell ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .send(isWell ? 'ok' : 'unavailable')
  }
  app.route({ method: ['GET', 'HEAD'], url: HEALTH_ROUTE, handler: healthz })
  if (metrics === null) return
  app.get(METRICS_ROUTE, async (request, reply) => {
    const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!isSecret(given, metrics.token))
      return reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'This needs the token for metrics.' })
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.read())
  })
}

/** Throws `bad_request` when the page was not built. */
function checkedPage(dir: string): string {
  if (existsSync(join(dir, 'index.html'))) return dir
  throw new AppError('bad_request', say('page_not_built'))
}

/** `origin`: the page's. Pictures and downloads have a stricter policy of their own. */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    ...EVERY_ANSWER,
    // Not every browser applies 'self' to the socket's scheme.
    'content-security-policy': pagePolicy(origin.replace(/^http/, 'ws')),
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
    'cache-control': 'no-store',
  }
}

/** Files below assets/ have a hash in their name and never change; the rest is not cached. */
async function addPages(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    dotfiles: 'deny',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      // Only headers set on the reply itself override those that every response gets.
      const set: (name: string, value: string) => unknown = reply.header.bind(reply)
      set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-store')
    },
  })
}
