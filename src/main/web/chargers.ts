import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SANDBOX, viewerOf } from './pictures.ts'
import type { WebContext } from './web-context.ts'

type Encoding = 'br' | 'gzip'

/** Fast rather than small: most of it is the same words again and again, and a person waits. */
const PACK: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 5 }),
}

/** `GET /chargers.json`: all chargers, for our own page with its cookie; packed once for each set and encoding. */
export function addChargers(app: FastifyInstance, context: WebContext): void {
  const ownPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (viewerOf(context, request) === null)
      return reply.code(403).send({ message: "This is for Hangar's own page only." })
  }
  /** By the bytes themselves: what was packed is let go with them. */
  const packed = new WeakMap<Uint8Array, Map<Encoding, Promise<Buffer>>>()
  const pack = (bytes: Uint8Array, encoding: Encoding): Promise<Buffer> => {
    const known = packed.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
    packed.set(bytes, known)
    const made = known.get(encoding) ?? PACK[encoding](bytes)
    known.set(encoding, made)
    return made
  }

  app.get('/chargers.json', { preHandler: ownPage }, async (request, reply) => {
    const data = await context.host.chargerData()
    if (data === null) return reply.code(404).send({ message: 'There are no chargers yet.' })
    const encoding = encodingFor(request.headers['accept-encoding'])
    const bytes = encoding === null ? data.bytes : await pack(data.bytes, encoding)
    return reply
      .headers(encoding === null ? {} : { 'content-encoding': encoding })
      .header('content-security-policy', SANDBOX)
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .type('application/json; charset=utf-8')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}

/** The better of those that the header names and does not rule out (RFC 9110, section 12.5.3). */
export function encodingFor(header: string | string[] | undefined): Encoding | null {
  const named = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        return [name, !parameters.some((text) => /^q=0(?:\.0{1,3})?$/.test(text))]
      }),
  )
  return (['br', 'gzip'] as const).find((encoding) => named.get(encoding) === true) ?? null
}
