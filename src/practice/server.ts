import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { ulid } from 'ulid'
import type { Clock } from '../shared/runtime/ports.ts'
import { Operation } from '../shared/recipes/recipe.ts'
import { listChargePoints } from './charger-endpoints.ts'
import { admitAll, admitByKey, admitByToken, answerPlainly, FixedWindow, passGate, refuseAll } from './gate.ts'
import type { GateDeps, Respond, Route } from './gate.ts'
import { checkAffordable, dispatch, listLanguages, sendOptimized, showBalance, showJob } from './image-endpoints.ts'
import type { Admitted, ImageEndpointDeps } from './image-endpoints.ts'
import { inBackground } from './in-background.ts'
import { JobBook } from './jobs.ts'
import { Keys, newAccount, type Account } from './keys.ts'
import { Ledger } from './ledger.ts'
import { MALFORMED_URL, MAX_BODY_BYTES, NO_SUCH_ENDPOINT } from './not-shown.ts'
import { PictureWork } from './picture-work.ts'
import { PracticeConfig, type LedgerLine, type PracticeAddress, type PracticeOptions } from './protocol.ts'
import { makeChargers, type StoredCharger } from './sample-chargers.ts'
import { seededRandom } from './seeded-random.ts'
import { FORM_OPTIONS } from './uploads.ts'

/** What both services are made of. */
export interface Services {
  keys: Keys<Account>
  tokens: Keys<null>
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

const SERVER_OPTIONS = {
  headersTimeout: 15_000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

function makeApp(gate: GateDeps): FastifyInstance {
  const refuseUrl = passGate(gate, { id: 'unknown', ...refuseAll(MALFORMED_URL) })
  const app = Fastify({
    frameworkErrors: (_error, request, reply) => {
      inBackground('request.refuse', () => refuseUrl(request, reply))
    },
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    requestTimeout: 120_000,
    keepAliveTimeout: 5000,
    http: SERVER_OPTIONS,
  })
  app.server.maxConnections = 512
  // The gate decides first; bodies other than forms are left unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return app
}

function addRoutes(app: FastifyInstance, gate: GateDeps, service: Services, deps: ImageEndpointDeps): void {
  const { keys, tokens, chargers, keyWindow, addressWindow } = service
  const withKey = (id: Route['id'], work: (admitted: Admitted) => ReturnType<Route['work']>) =>
    passGate(gate, {
      id,
      admit: admitByKey(keys, keyWindow, gate.clock),
      work: (request, { account, keyId }, seq) => work({ request, account: account!, keyId: keyId!, seq }),
    })
  app.get('/api/v1/languages', passGate(gate, { id: 'languages', admit: admitAll, work: listLanguages }))
  for (const operation of Operation.options)
    app.post(
      `/api/v1/images/${operation}`,
      withKey(operation, (admitted) => dispatch(deps, operation, admitted)),
    )
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
  const admit = admitByToken(tokens, addressWindow, gate.clock)
  const work: Route['work'] = ({ query }) => listChargePoints(chargers, query, gate.clock)
  app.get('/api/v1/charge-points', passGate(gate, { id: 'charge-points', admit, work }))
  app.setNotFoundHandler(passGate(gate, { id: 'unknown', ...refuseAll(NO_SUCH_ENDPOINT) }))
}

/** A folder of this process for uploads and compressed pictures; removed by what is returned, or when the process exits. */
function makeScratchFolder(): { folder: string; removeFolder: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `hangar-practice-${process.pid}-`))
  const removeFolder = (): void => {
    process.off('exit', removeFolder)
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', removeFolder)
  return { folder, removeFolder }
}

/** Both services of the interface documents on one loopback port. Rejects when the options are invalid or the port is taken. */
export async function startPractice(options: PracticeOptions = {}, deps: PracticeDeps = {}): Promise<PracticeServer> {
  const config = PracticeConfig.parse(options)
  const clock = deps.clock ?? realClock
  const newId = (): string => ulid(clock.nowMs())
  const { folder, removeFolder } = makeScratchFolder()
  const service = makeServices(config, { clock, newId, ...deps })
  const { keys, tokens, jobs, ledger } = service
  let port = 0
  const gate = { ledger, clock, respond: deps.respond ?? answerPlainly, port: () => port }
  const app = makeApp(gate)
  await app.register(multipart, FORM_OPTIONS)
  addRoutes(app, gate, service, { jobs, ledger, clock, newId, folder })
  try {
    await app.listen({ host: LOOPBACK, port: config.port })
  } catch (error) {
    removeFolder()
    throw error
  }
  port = portOf(app)
  const origin = `http://${LOOPBACK}:${port}`
  return {
    port,
    imageBaseUrl: `${origin}/api/v1`,
    chargerBaseUrl: origin,
    apiKey: keys.current,
    partnerToken: tokens.current,
    services: service,
    close: async () => {
      await app.close()
      await jobs.settle()
      removeFolder()
    },
  }
}

function makeServices(
  config: PracticeConfig,
  {
    clock,
    newId,
    onLedgerLine = () => undefined,
  }: Pick<ImageEndpointDeps, 'clock' | 'newId'> & Pick<PracticeDeps, 'onLedgerLine'>,
): Services {
  const seed = config.seed ?? randomInt(2 ** 31)
  const random = seededRandom(seed)
  const work = new PictureWork(config)
  return {
    keys: new Keys('key', 'hpk', newAccount(1, config.credits), config.apiKey),
    tokens: new Keys('token', 'hpt', null, config.partnerToken),
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
