import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from '../../shared/contract.ts'
import { AppError, toAppError, type AppErrorCode } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { Clock, Logger } from '../../shared/ports.ts'
import type { UiHost } from '../ui/ui-host.ts'
import type { Grants } from './grants.ts'
import { cookieIn } from './request-rules.ts'
import type { PendingUploads } from './pending-uploads.ts'
import type { Caller, SignIn, SignIns } from './sign-ins.ts'

/** What the web shell needs of the host. */
export type WebHost = Pick<
  UiHost,
  'background' | 'call' | 'connect' | 'places' | 'picture' | 'output' | 'chargerData' | 'tileOrigin'
>

/** What every route works with. */
export interface WebContext {
  host: WebHost
  signIns: SignIns
  grants: Grants
  uploads: PendingUploads
  cookieName: string
  clock: Clock
  log: Logger
  onSignIn: () => void
  /** Where uploads go; null until a person chose a folder. */
  inboxDir: () => Promise<string | null>
}

export function callerOf(context: WebContext, request: FastifyRequest): Caller {
  const { host = '', cookie } = request.headers
  return { host, port: request.socket.localPort ?? 0, cookie: cookieIn(cookie, context.cookieName) }
}

/** The sign-in of a request that carries cookie and token. */
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

/** A failure as the page gets it from every call: `{ ok: false, error }`. What was not expected is told as such and logged. */
export function fail(context: WebContext, reply: FastifyReply, thrown: unknown, status?: number): FastifyReply {
  const { code, message, retryable } = toAppError(thrown)
  if (code === 'internal') context.log.error('a request failed', { error: message })
  const shown = code === 'internal' ? ownSentence('went_wrong') : message
  const result: Result<never> = { ok: false, error: { code, message: shown, retryable } }
  return reply.code(status ?? STATUS[code] ?? 409).send(result)
}

export const notSignedIn = () => new AppError('bad_request', ownSentence('signed_out'))
