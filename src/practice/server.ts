import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { ulid } from 'ulid'
import { answerOneAtATime } from '../shared/runtime/one-request-at-a-time.ts'
import type { Clock } from '../shared/runtime/ports.ts'
import { Operation } from '../shared/recipes/recipe.ts'
import { Accounts } from './accounts.ts'
import { admitByKey, admitByToken, PartnerTokens } from './admission.ts'
import { jsonAnswer } from './answer.ts'
import { listChargePoints } from './charger-endpoints.ts'
import { FixedWindow } from './fixed-window.ts'
import { answerPlainly, passGate } from './gate.ts'
import type { Admission, GateDeps, Respond, Route } from './gate.ts'
import { checkAffordable, dispatch, listLanguages, sendOptimized, showBalance, showJob } from './image-endpoints.ts'
import type { Admitted, ImageEndpointDeps } from './image-endpoints.ts'
import { inBackground } from './in-background.ts'
import { JobBook } from './job-book.ts'
import { Ledger } from './ledger.ts'
import { MALFORMED_URL, MAX_BODY_BYTES, NO_SUCH_ENDPOINT } from './not-shown.ts'
import { PictureWork } from './picture-work.ts'
import { PracticeConfig } from './protocol.ts'
import type { LedgerLine, PracticeAddress, PracticeOptions } from './protocol.ts'
import type { Query } from './query-rules.ts'
import { FORM_OPTIONS } from './receive-upload.ts'
import { makeChargers } from './sample-chargers.ts'
import type { StoredCharger } from './sample-chargers.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import { seededRandom } from './seeded-random.ts'

/** What both services are made of. */
export interface Services {
  accounts: Accounts
  tokens: PartnerTokens
  jobs: JobBook
  work: PictureWork
  ledger: Ledger
  keyWindow: FixedWindow
  addressWindow: FixedWindow
  seed: number
  chargers: StoredCharger[]
}

export interface PracticeServer extends PracticeAddress {
  port: number
  readonly services: Services
  /** Does not wait: open connections are cut. Removes what was uploaded. */
  close(): Promise<void>
}

const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Monotonic time drives the windows and the jobs; the ledger's times are wall time. */
interface PracticeDeps {
  clock?: Clock
  /** How requests are answered; by default as the documents say. */
  respond?: Respond
  /** Hears of every line of the ledger. */
  onLedgerLine?: (line: LedgerLine) => void
}

const LOOPBACK = '127.0.0.1'

/** A route that answers everyone alike, subject to the ledger and the Host check. */
function refusal(gate: GateDeps, { status, body }: { status: number; body: unknown }): ReturnType<typeof passGate> {
  const answer = jsonAnswer(status, body)
  return passGate(gate, { id: 'unknown', admit: () => ({ ok: false, keyId: null, answer }), work: () => answer })
}

const SERVER_OPTIONS = {
  requestTimeout: 120_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 5000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

function makeApp(gate: GateDeps): FastifyInstance {
  const refuseUrl = refusal(gate, MALFORMED_URL)
  const app = Fastify({
    frameworkErrors: (_error, request, reply) => {
      inBackground('request.refuse', () => refuseUrl(request, reply))
    },
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    serverFactory: (handler) => {
      const server = createServer(SERVER_OPTIONS)
      server.maxConnections = 512
      answerOneAtATime(server, handler)
      return server
    },
  })
  // The gate decides first; bodies other than forms are left unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}

function addImageRoutes(app: FastifyInstance, gate: GateDeps, deps: ImageEndpointDeps, admit: Route['admit']): void {
  const withKey = (id: Route['id'], work: (admitted: Admitted) => ReturnType<Route['work']>) =>
    passGate(gate, {
      id,
      admit,
      work: (request, key, seq) => {
        if (!key) throw new Error('admitted without a key')
        return work({ request, key, seq })
      },
    })
  const open = (): Admission => ({ ok: true, keyId: null, key: null })
  app.get('/api/v1/languages', passGate(gate, { id: 'languages', admit: open, work: listLanguages }))
  for (const operation of Operation.options) {
    app.post(
      `/api/v1/images/${operation}`,
      withKey(operation, (admitted) => dispatch(deps, operation, admitted)),
    )
  }
  app.get('/api/v1/credits/afford', withKey('afford', checkAffordable))
  app.get('/api/v1/credits/balance', withKey('balance', showBalance))
  app.get(
    '/api/v1/jobs/:id',
    withKey('job', (admitted) => showJob(deps, admitted)),
  )
  app.get(
    '/api/v1/images/:id/optimized',
    withKey('optimized', (admitted) => sendOptimized(deps, admitted)),
  )
}

function addChargerRoute(app: FastifyInstance, gate: GateDeps, service: Services, admit: Route['admit']): void {
  const work: Route['work'] = (request) => listChargePoints(service.chargers, request.query as Query, gate.clock)
  app.get('/api/v1/charge-points', passGate(gate, { id: 'charge-points', admit, work }))
}

/**
 * Starts both services of the interface documents on one loopback port; resolves when they are listening. Rejects when
 * the options are invalid or the port is taken.
 */
export async function startPractice(options: PracticeOptions = {}, deps: PracticeDeps = {}): Promise<PracticeServer> {
  const config = PracticeConfig.parse(options)
  const clock = deps.clock ?? realClock
  const newId = (): string => ulid(clock.nowMs())
  const scratch = makeScratchFolder()
  const service = makeServices(config, { clock, newId, folder: scratch.path, ...deps })
  const { accounts } = service
  let port = 0
  const gate = { ledger: service.ledger, clock, respond: deps.respond ?? answerPlainly, port: () => port }
  const app = makeApp(gate)
  await app.register(multipart, FORM_OPTIONS)
  const imageDeps = { accounts, jobs: service.jobs, ledger: service.ledger, clock, newId, folder: scratch.path }
  addImageRoutes(app, gate, imageDeps, admitByKey(accounts, service.keyWindow, clock))
  addChargerRoute(app, gate, service, admitByToken(service.tokens, service.addressWindow, clock))
  app.setNotFoundHandler(refusal(gate, NO_SUCH_ENDPOINT))
  try {
    await app.listen({ host: LOOPBACK, port: config.port })
  } catch (error) {
    scratch.remove()
    throw error
  }
  port = portOf(app)
  const origin = `http://${LOOPBACK}:${port}`
  return {
    port,
    imageBaseUrl: `${origin}/api/v1`,
    chargerBaseUrl: origin,
    apiKey: accounts.currentKey,
    partnerToken: service.tokens.current,
    services: service,
    close: async () => {
      await app.close()
      await service.jobs.settle()
      scratch.remove()
    },
  }
}

function makeServices(
  config: PracticeConfig,
  {
    clock,
    newId,
    folder,
    onLedgerLine = () => undefined,
  }: Pick<ImageEndpointDeps, 'clock' | 'newId' | 'folder'> & Pick<PracticeDeps, 'onLedgerLine'>,
): Services {
  const seed = config.seed ?? randomInt(2 ** 31)
  const random = seededRandom(seed)
  const work = new PictureWork(folder, config)
  return {
    accounts: new Accounts(config.apiKey, config.credits, newId),
    tokens: new PartnerTokens(config.partnerToken),
    jobs: new JobBook({ clock, random, newId, work, jobTime: config.jobTime }),
    work,
    ledger: new Ledger(config.ledgerFile, onLedgerLine),
    keyWindow: new FixedWindow(config.requestsPerMinute),
    addressWindow: new FixedWindow(config.ipRequestsPerMinute),
    seed,
    chargers: makeChargers(config.chargers, seed),
  }
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the practice service has no port')
  return address.port
}
