import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance } from 'fastify'
import { PictureKind } from '../../shared/contract/jobs.ts'
import { openFileInside } from '../files/regular-file.ts'
import { DATA_POLICY } from '../page/page-policy.ts'
import { forViewers, type WebContext } from './web-context.ts'

const JOB_ID = /^[0-9A-Za-z]{1,40}$/
const FILE_TOKEN = /^[\w-]{16,64}$/

/**
 * `GET /picture/<job or token>/<kind>`, `GET /download/<job>/<index or original>` and `GET /chargers.json`, which a reverse proxy may compress:
 * for our own page.
 */
export function addData(app: FastifyInstance, context: WebContext): void {
  const { host } = context

  app.get<{ Params: { jobId: string; kind: string } }>(
    '/picture/:jobId/:kind',
    forViewers(context),
    async ({ params: { jobId, kind: asked } }, reply) => {
      const kind = PictureKind.safeParse(asked)
      const isId = (kind.data === 'file' ? FILE_TOKEN : JOB_ID).test(jobId)
      const picture = kind.success && isId ? await host.picture(jobId, kind.data) : null
      if (picture === null) return reply.code(404).send({ message: 'There is no such picture.' })
      return reply
        .header('content-security-policy', DATA_POLICY)
        .type(picture.type)
        .send(Buffer.from(picture.bytes.buffer, picture.bytes.byteOffset, picture.bytes.byteLength))
    },
  )

  app.get<{ Params: { jobId: string; index: string } }>(
    '/download/:jobId/:index',
    forViewers(context),
    async ({ params: { jobId, index: asked } }, reply) => {
      const index = indexIn(asked)
      const output = index !== undefined && JOB_ID.test(jobId) ? await host.output(jobId, index) : null
      const file = output === null ? null : await openFileInside(output.path, output.rootDir)
      if (output === null || file === null) return reply.code(404).send({ message: 'That file is not there any more.' })
      const sizeBytes = Number(file.stats.size)
      return reply
        .header('content-security-policy', DATA_POLICY)
        .header('content-disposition', contentDisposition(output.name.toWellFormed()))
        .header('content-length', sizeBytes)
        .type('application/octet-stream')
        .send(file.handle.createReadStream({ end: Math.max(0, sizeBytes - 1) }))
    },
  )

  app.get('/chargers.json', forViewers(context), async (_request, reply) => {
    const data = await context.host.chargerData()
    if (data === null) return reply.code(404).send({ message: 'There are no chargers yet.' })
    return reply
      .header('content-security-policy', DATA_POLICY)
      .type('application/json; charset=utf-8')
      .send(Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength))
  })
}

/** Null for the original; undefined for an invalid index. */
function indexIn(text: string): number | null | undefined {
  if (text === 'original') return null
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
