import { createServer } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerOneAtATime } from '../../shared/runtime/one-request-at-a-time.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { closeAll } from '../engine/close-all.ts'
import { onDataFolderChange } from '../journal/data-folder-changes.ts'
import { openJournal } from '../journal/journal.ts'
import { addChargers } from './chargers.ts'
import { BrowserProofs } from './browser-proof.ts'
import { CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './connection-limits.ts'
import { Grants } from './grants.ts'
import { listen, type ListenOn } from './listen.ts'
import { addMonitoring, bringsToken, type MetricsOptions } from './monitoring.ts'
import { addPages, checkedPage, securityHeaders } from './pages.ts'
import { addPictures } from './pictures.ts'
import { originOf, refusalOf, rightAddress } from './request-rules.ts'
import { newSecret } from './secrets.ts'
import { linkUrl, ServerNote } from './server-note.ts'
import { addSignIn } from './sign-in.ts'
import { SignIns } from './sign-ins.ts'
import { PendingUploads } from './pending-uploads.ts'
import { acceptUpgrades, addSocket } from './socket.ts'
import { addUpload, UPLOAD_LIMITS, type UploadLimits } from './upload.ts'
import type { WebContext, WebHost } from './web-context.ts'
import { asksForPage, sendWrongName } from './wrong-name.ts'
import { ZipWishes } from './zip-wishes.ts'
import { addZip } from './zip.ts'

/** The application's own folder: this file is two levels below it, run from source or built. */
export const APP_DIR = join(import.meta.dirname, '..', '..')

/** How often to look for abandoned uploads. */
const SWEEP_MS = 3_600_000

export interface WebOptions {
  host: WebHost
  /** The data folder that the host's engine holds. */
  dataDir: string
  clock: Clock
  log: Logger
  inboxDir: () => Promise<string | null>
  /** What `/healthz` answers by. */
  works: () => Promise<boolean>
  /** What `/metrics` answers and to whom; without it there is no such address. */
  metrics?: MetricsOptions | null
  /** Null: 4780, or without a public origin the next free one. 0: any free one. Does not apply to a socket. */
  port: number | null
  /**
   * Where a reverse proxy that ends TLS publishes the page, such as `https://pictures.example.org`: the only name that is answered
   * then. Null: the page is for this computer, at 127.0.0.1.
   */
  publicOrigin?: string | null
  /** Where to listen instead of 127.0.0.1; only with a public origin. */
  listenOn?: ListenOn | null
  /** How a person would type `serve` with these arguments for this data folder. */
  command?: (...args: string[]) => string
  /** Called for each browser that a link or a code signed in. */
  onSignIn?: () => void
  /** The folder of the built page. */
  pageDir?: string
  uploadLimits?: UploadLimits
  connectionLimits?: ConnectionLimits
}

export interface WebShell {
  /** Null where it listens on a socket. */
  port: number | null
  /** Of the page, as people open it. */
  origin: string
  /** The address with a fresh link: it signs one browser in, once, within GRANT_MS. */
  newLink(): string
  /** Signs in the browser that shows this code. Resolves to false when there is none. */
  approve(code: string): Promise<boolean>
  close(): Promise<void>
}

/**
 * The web shell: the page and its contract, for browsers on this computer or behind a reverse proxy. Resolves when it is listening.
 * Throws `bad_request` when the page was not built, and as `listen` does.
 */
export async function startWeb(options: WebOptions): Promise<WebShell> {
  const { host, clock, log, inboxDir, publicOrigin = null, listenOn = null } = options
  const pageDir = checkedPage(options.pageDir ?? join(APP_DIR, 'out', 'renderer'))
  const db = openJournal(options.dataDir)
  const note = new ServerNote(db, () => clock.nowMs())
  const instance = newSecret()
  const uploads = new PendingUploads({ db, clock, log })
  await uploads.sweep('all')
  const [grants, signIns] = [new Grants(db, clock), new SignIns(db, clock)]
  const context: WebContext = {
    host,
    signIns,
    grants,
    uploads,
    zips: new ZipWishes(clock),
    publicOrigin,
    cookieName: note.cookieName(publicOrigin !== null),
    clock,
    log,
    inboxDir,
    onSignIn: options.onSignIn ?? (() => undefined),
  }
  const app = await makeApp(context, options.connectionLimits ?? CONNECTION_LIMITS, options.metrics ?? null)
  const stopWatching = onDataFolderChange(options.dataDir, () =>
    host.background.run('sign_outs', () => signIns.catchUp()),
  )
  const sweeping = setInterval(() => host.background.run('uploads_sweep', () => uploads.sweep('old')), SWEEP_MS)
  const close = () =>
    closeAll([
      () => db.close(),
      () => uploads.idle(),
      () => signIns.close(),
      () => app.close(),
      stopWatching,
      () => clearInterval(sweeping),
    ])
  try {
    await addRoutes(app, context, { ...options, pageDir, instance })
    const at = await listen(app, { on: listenOn, port: options.port, isFixed: publicOrigin !== null })
    const port = 'port' in at ? at.port : null
    const origin = publicOrigin ?? `http://127.0.0.1:${port}`
    note.announce({ origin, at, instance })
    return {
      port,
      origin,
      newLink: () => linkUrl(origin, grants.newLink()),
      approve: (code) => grants.approve(code),
      close: () => closeAll([close, () => note.announce(null)]),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function addRoutes(
  app: Awaited<ReturnType<typeof makeApp>>,
  context: WebContext,
  { pageDir, instance, clock, log, works, ...options }: WebOptions & { pageDir: string; instance: string },
): Promise<void> {
  const command = options.command ?? ((...args) => ['hangar', 'serve', ...args].join(' '))
  addSignIn(app, context, { proofs: new BrowserProofs(clock), instance, command })
  addSocket(app, context)
  await addUpload(app, context, options.uploadLimits ?? UPLOAD_LIMITS)
  addPictures(app, context)
  addChargers(app, context)
  addZip(app, context)
  addMonitoring(app, { works, metrics: options.metrics ?? null, log })
  await addPages(app, pageDir)
}

/** No limit for a whole request: `limitConnections` has one for each kind. */
const SERVER_OPTIONS = {
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
  requestTimeout: 0,
  requireHostHeader: false,
}

/** Access is decided before any route, for every request and every upgrade. */
async function makeApp(
  context: WebContext,
  limits: ConnectionLimits,
  metrics: MetricsOptions | null,
): Promise<FastifyInstance> {
  const { host: uiHost, publicOrigin, log } = context
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    serverFactory: (handler) => {
      const server = createServer(SERVER_OPTIONS)
      answerOneAtATime(server, handler)
      return server
    },
  })
  await acceptUpgrades(app)
  limitConnections(app, context, limits, (request) => bringsToken(request, metrics))
  app.addHook('onRequest', async (request, reply) => {
    const { origin, upgrade, 'sec-fetch-site': site } = request.headers
    const hosts = request.raw.headersDistinct['host'] ?? []
    const host = hosts.length === 1 ? hosts[0] : undefined
    // Only what is known to be plain gets into a header.
    const named = originOf(host, publicOrigin) ?? originOf(host, null)
    const address = publicOrigin === null ? rightAddress(host) : null
    if (address !== null && asksForPage(request.headers)) return sendWrongName(reply, address, request.headers)
    const answer = named === null ? reply : reply.headers(securityHeaders(named, uiHost.tileOrigin()))
    const fetchSite = typeof site === 'string' ? site : undefined
    const { method, routeOptions } = request
    const isUpgrade = upgrade !== undefined
    const refusal = refusalOf({ method, route: routeOptions.url, isUpgrade, host, publicOrigin, origin, fetchSite })
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
