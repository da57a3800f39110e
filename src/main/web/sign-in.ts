import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { SignInAnswer } from '../../shared/contract/browsers.ts'
import { SIGN_IN_MS } from './sign-ins.ts'
import { callerOf, signedIn, type WebContext } from './web-context.ts'

const Body = z.object({ link: z.string().max(200).optional() })

/**
 * `POST /sign-in`: a link signs a browser in; without one the answer is whether it is signed in. Wrong links are not counted: a link
 * has 256 bits, and a limit would let others lock the owner out. `GET /about` is for the page, which derives
 * its token from what it says.
 */
export function addSignIn(app: FastifyInstance, context: WebContext): void {
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
