import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { SESSION_IDLE_MS } from './sessions.ts'
import { cookieOf, type WebContext } from './web-context.ts'

/** All clients are this computer, so they share one budget: a page loads seldom, and guessing must stay slow. */
const TRIES = { max: 60, timeWindow: 60_000, keyGenerator: () => 'sign-in' }

const LinkBody = z.object({ link: z.string().max(200) })
const RenewBody = z.object({ renewal: z.string().max(200) })

/** `POST /session` with a link, `POST /session/renew` after a reload, and `GET /about` for `hangar serve --link`. */
export async function addSignIn(app: FastifyInstance, context: WebContext, instance: string): Promise<void> {
  const { sessions, links, cookieName, onSignIn } = context
  await app.register(rateLimit, { global: false })

  app.post('/session', { bodyLimit: 1000, config: { rateLimit: TRIES } }, (request, reply) => {
    const body = LinkBody.safeParse(request.body)
    if (!body.success) return refuse(reply, 400)
    if (!links.take(body.data.link)) return refuse(reply, 401)
    const { cookie, renewal, token } = sessions.open()
    onSignIn()
    const maxAgeSeconds = SESSION_IDLE_MS / 1000
    return reply
      .header('set-cookie', `${cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`)
      .send({ token, renewal })
  })

  app.post('/session/renew', { bodyLimit: 1000, config: { rateLimit: TRIES } }, (request, reply) => {
    const body = RenewBody.safeParse(request.body)
    if (!body.success) return refuse(reply, 400)
    const token = sessions.renew(cookieOf(context, request), body.data.renewal)
    return token === null ? refuse(reply, 401) : reply.send({ token })
  })

  app.get('/about', (_request, reply) => reply.send({ instance }))
}

function refuse(reply: FastifyReply, status: 400 | 401): FastifyReply {
  return reply.code(status).send({ message: 'Open a new link: hangar serve --link.' })
}
