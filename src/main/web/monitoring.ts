import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from '../../shared/runtime/ports.ts'
import { hashOf } from './secrets.ts'

export interface MetricsOptions {
  /** What a request has to bring as `Authorization: Bearer …`. */
  token: string
  /** The answer, in Prometheus' text format. */
  read: () => Promise<string>
}

interface MonitoringDeps {
  works: () => Promise<boolean>
  metrics: MetricsOptions | null
  log: Logger
}

/**
 * For machines that watch this server. `GET /healthz` needs no sign-in and tells one word; `GET /metrics` needs a token of its own,
 * which signs in nowhere else, and is not there without one.
 */
export function addMonitoring(app: FastifyInstance, { works, metrics, log }: MonitoringDeps): void {
  app.get('/healthz', async (_request, reply) => {
    const isWell = await works().catch((error: unknown) => {
      log.error('whether the engine works could not be found out', { error: String(error) })
      return false
    })
    return reply
      .code(isWell ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .send(isWell ? 'ok' : 'unavailable')
  })
  if (metrics === null) return
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, metrics.token))
      return reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'This needs the token for metrics.' })
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.read())
  })
}

/** Hashes are compared, so that neither time nor length tells anything of the token. */
function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(Buffer.from(hashOf(given)), Buffer.from(hashOf(token)))
}
