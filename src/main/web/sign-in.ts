import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SignInRefusal } from '../../shared/contract/browsers.ts'
import type { BrowserProofs } from './browser-proof.ts'
import { SIGN_IN_IDLE_MS, type GivenAccess } from './sign-ins.ts'
import { callerOf, type WebContext } from './web-context.ts'

const Body = z.object({
  key: z.string().max(200),
  challenge: z.string().max(200),
  proof: z.string().max(100),
  link: z.string().max(200).optional(),
})

interface SignInDeps {
  proofs: BrowserProofs
  /** Random, per process; also in the journal, so that `hangar serve --link` recognises this server. */
  instance: string
  /** The command line of `serve` with these arguments for this data folder, for a person to type. */
  command: (...args: string[]) => string
}

/**
 * `POST /sign-in/challenge`, then `POST /sign-in` with the answer to it: a signed-in browser gets a fresh token, any
 * other needs a link or an approved code. There is no limit on wrong links: a link has 256 bits, and a limit would let
 * others lock the owner out. `GET /about` is for `hangar serve --link`.
 */
export function addSignIn(app: FastifyInstance, context: WebContext, deps: SignInDeps): void {
  const { signIns, grants, onSignIn } = context
  const { proofs, instance, command } = deps

  app.post('/sign-in/challenge', { bodyLimit: 1000 }, (_request, reply) =>
    reply.send({ challenge: proofs.newChallenge() }),
  )

  app.post('/sign-in', { bodyLimit: 2000 }, (request, reply) => {
    const body = Body.safeParse(request.body)
    const caller = callerOf(context, request)
    if (!body.success || !proofs.holds(body.data, caller.origin))
      return reply.code(400).send({ message: 'This is for browsers that show their key.' })
    const { key, link } = body.data
    const code = proofs.codeOf(key, caller.origin)
    const isGranted = (link !== undefined && grants.take('webLink', link)) || grants.take('webCode', code)
    if (!isGranted) {
      const access = signIns.renew(key, caller)
      return access === null ? refuse(code, request, reply) : give(access, reply)
    }
    const access = signIns.open(key, caller, request.headers['user-agent'])
    onSignIn()
    return give(access, reply)
  })

  app.get('/about', (_request, reply) => reply.send({ instance }))

  function give({ token, cookie }: GivenAccess, reply: FastifyReply): FastifyReply {
    const set = cookie === null ? {} : { 'set-cookie': cookieHeader(context, cookie, SIGN_IN_IDLE_MS / 1000) }
    return reply.headers(set).send({ token })
  }

  /** Refuses a browser and clears what it kept of an earlier sign-in. */
  function refuse(code: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal: SignInRefusal = { code, approve: command('--approve', code), newLink: command('--link') }
    const isOver = callerOf(context, request).cookie !== null
    return reply
      .code(401)
      .headers(isOver ? { 'set-cookie': cookieHeader(context, '', 0), 'clear-site-data': '"cache"' } : {})
      .send(refusal)
  }
}

/** A cookie for this host alone that no script can read. Browsers hold names with `__Host-` to that (`ServerNote.cookieName`). */
function cookieHeader({ cookieName, publicOrigin }: WebContext, value: string, maxAgeSeconds: number): string {
  const secure = publicOrigin === null ? '' : '; Secure'
  return `${cookieName}=${value}; Path=/; HttpOnly${secure}; SameSite=Strict; Max-Age=${maxAgeSeconds}`
}
