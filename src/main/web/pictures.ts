import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VIEW_PARAMETER } from '../../shared/contract/page-bridge.ts'
import { PictureKind } from '../../shared/contract/jobs.ts'
import { openFileInside } from '../files/open-regular-file.ts'
import { DATA_POLICY } from '../page/page-policy.ts'
import type { SignIn } from './sign-ins.ts'
import { callerOf, signedIn, type WebContext } from './web-context.ts'

const JOB_ID = /^[0-9A-Za-z]{1,40}$/

/** `GET /picture/<job>/<kind>` and `GET /download/<job>/<index or original>`: for our own page. */
export function addPictures(app: FastifyInstance, context: WebContext): void {
  const { host } = context
  const ownPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (viewerOf(context, request) === null)
      return reply.code(403).send({ message: "This is for Hangar's own page only." })
  }

  app.get<{ Params: { jobId: string; kind: string } }>(
    '/picture/:jobId/:kind',
    { preHandler: ownPage },
    async (request, reply) => {
      const kind = PictureKind.safeParse(request.params.kind)
      const picture =
        kind.success && JOB_ID.test(request.params.jobId) ? await host.picture(request.params.jobId, kind.data) : null
      if (picture === null) return reply.code(404).send({ message: 'There is no such picture.' })
      return reply
        .header('content-security-policy', DATA_POLICY)
        .type(picture.type)
        .send(Buffer.from(picture.bytes.buffer, picture.bytes.byteOffset, picture.bytes.byteLength))
    },
  )

  app.get<{ Params: { jobId: string; index: string } }>(
    '/download/:jobId/:index',
    { preHandler: ownPage },
    async (request, reply) => {
      const index = indexIn(request.params.index)
      const output =
        index !== undefined && JOB_ID.test(request.params.jobId) ? await host.output(request.params.jobId, index) : null
      const viewer = viewerOf(context, request)
      const file = output === null || viewer === null ? null : await openFileInside(output.path, output.rootDir)
      if (output === null || viewer === null || file === null)
        return reply.code(404).send({ message: 'That file is not there any more.' })
      return reply
        .header('content-security-policy', DATA_POLICY)
        .header('content-disposition', contentDisposition(output.name.toWellFormed()))
        .header('content-length', Number(file.stats.size))
        .type('application/octet-stream')
        .send(file.handle.createReadStream({ end: Math.max(0, Number(file.stats.size) - 1), signal: viewer.ended }))
    },
  )
}

/**
 * The sign-in that may see a picture, or null. A request of the page carries the cookie, the secret of `inView`, and
 * `Sec-Fetch-Site: same-origin`; another port would only be same-site. The cookie alone shows nothing: browsers hand it to every
 * port, and a program sends any header. A client that does not send that header needs the token.
 */
export function viewerOf(context: WebContext, request: FastifyRequest): SignIn | null {
  const site = request.headers['sec-fetch-site']
  if (site === undefined) return signedIn(context, request)
  const { [VIEW_PARAMETER]: view } = request.query as Record<string, unknown>
  if (site !== 'same-origin' || typeof view !== 'string') return null
  return context.signIns.withView(callerOf(context, request), view)
}

/** Null for the original; undefined for an invalid index. */
function indexIn(text: string): number | null | undefined {
  if (text === 'original') return null
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
