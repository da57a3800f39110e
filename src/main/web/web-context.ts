import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from '../../shared/contract/call.ts'
import { AppError, toAppError, type AppErrorCode } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { UiHost } from '../page/ui-host.ts'
import type { Grants } from './grants.ts'
import { cookieIn, originOf } from './request-rules.ts'
import type { PendingUploads } from './pending-uploads.ts'
import type { ZipWishes } from './zip-wishes.ts'
import type { Caller, SignIn, SignIns } from './sign-ins.ts'

/** The part of the host that the web shell needs. */
export type WebHost = Pick<
  UiHost,
  'background' | 'call' | 'connect' | 'places' | 'picture' | 'output' | 'results' | 'chargerData' | 'tileOrigin'
>

/** What every route works with. */
export interface WebContext {
  host: WebHost
  signIns: SignIns
  grants: Grants
  uploads: PendingUploads
  zips: ZipWishes
  /** The origin of the page where it is published; null for a page at 127.0.0.1. */
  publicOrigin: string | null
  cookieName: string
  clock: Clock
  log: Logger
  onSignIn: () => void
  /** The folder for uploads; null until a person chose one. */
  inboxDir: () => Promise<string | null>
}

export function callerOf(context: WebContext, request: FastifyRequest): Caller {
  const { publicOrigin, cookieName } = context
  const { host, cookie } = request.headers
  return {
    origin: originOf(host, publicOrigin) ?? '',
    port: publicOrigin === null ? (request.socket.localPort ?? 0) : 0,
    cookie: cookieIn(cookie, cookieName),
  }
}

/** The sign-in of a request with a valid cookie and token. */
export function signedIn(context: WebContext, request: FastifyRequest): SignIn | null {
  const token = request.headers['x-hangar-token']
  return context.signIns.withToken(callerOf(context, request), typeof token === 'string' ? token : undefined)
}

const STATUS: Partial<Record<AppErrorCode, number>> = {
  bad_request: 400,
  not_found: 404,
  path_outside_root: 400,
  rate_limited: 429,
  disk_full: 507,
  internal: 500,
}

/**
 * Sends a failure in the form of every call: `{ ok: false, error }`. Unexpected errors are reported as such and logged.
 */
export function fail(context: WebContext, reply: FastifyReply, thrown: unknown, status?: number): FastifyReply {
  const { code, message, shape } = toAppError(thrown)
  if (code === 'internal') context.log.error('a request failed', { error: message })
  const error = code === 'internal' ? { ...shape, sentence: say('went_wrong') } : shape
  const result: Result<never> = { ok: false, error }
  return reply.code(status ?? STATUS[code] ?? 409).send(result)
}

export const notSignedIn = () => new AppError('bad_request', say('signed_out'))
