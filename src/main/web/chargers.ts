import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DATA_POLICY } from '../page/page-policy.ts'
import { viewerOf } from './pictures.ts'
import type { WebContext } from './web-context.ts'

const ENCODINGS = ['br' as const, 'gzip' as const]
type Encoding = (typeof ENCODINGS)[number]

/** Favours speed over size: the data is highly repetitive, and a person is waiting. */
const PACK: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 5 }),
}

/** `GET /chargers.json`: all chargers, for our own page with its cookie; compressed once per set and encoding. */
export function addChargers(app: FastifyInstance, context: WebContext): void {
  const ownPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (viewerOf(context, request) === null)
      return reply.code(403).send({ message: "This is for Hangar's own page only." })
  }
  /** Keyed by the bytes, so that the compressed copies are released with them. */
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
    const encoding = negotiate(String(request.headers['accept-encoding'] ?? '').toLowerCase(), ENCODINGS)
    const bytes = encoding === null ? data.bytes : await pack(data.bytes, encoding)
    return reply
      .headers(encoding === null ? {} : { 'content-encoding': encoding })
      .header('content-security-policy', DATA_POLICY)
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .type('application/json; charset=utf-8')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}
