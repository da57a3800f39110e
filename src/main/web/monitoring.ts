import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HEALTH_ROUTE, METRICS_ROUTE } from './request-rules.ts'
import { isSecret } from './sign-ins.ts'

export interface MetricsOptions {
  /** What a request has to bring as `Authorization: Bearer …`. */
  token: string
  /** The answer, in Prometheus' text format. */
  read: () => Promise<string>
}

/**
 * For machines that watch this server. `GET` or `HEAD /healthz` needs no sign-in and tells one word; `GET /metrics` needs a token of its own,
 * which signs in nowhere else, and is not there without one.
 */
export function addMonitoring(
  app: FastifyInstance,
  works: () => Promise<boolean>,
  metrics: MetricsOptions | null,
): void {
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
    if (!bringsToken(request, metrics))
      return reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'This needs the token for metrics.' })
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.read())
  })
}

/** Whether a request has the token for metrics. */
export function bringsToken({ headers }: FastifyRequest, metrics: MetricsOptions | null): boolean {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  return metrics !== null && isSecret(given, metrics.token)
}
