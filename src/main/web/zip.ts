import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance } from 'fastify'
import { ZipFile } from 'yazl'
import { localDay } from '../../shared/runtime/local-day.ts'
import { openFileInside } from '../files/open-regular-file.ts'
import { DATA_POLICY } from '../page/page-policy.ts'
import type { ResultFile } from '../page/ui-host.ts'
import { callerOf, signedIn, type WebContext } from './web-context.ts'
import { zipNamer } from './zip-names.ts'

/** `GET /zip/<token>`: the results of the requested jobs as one archive, read from disk while it is sent. */
export function addZip(app: FastifyInstance, context: WebContext): void {
  app.get<{ Params: { token: string } }>('/zip/:token', async (request, reply) => {
    // The token is as secret as a picture's address, and another page may not even start the download.
    const site = request.headers['sec-fetch-site']
    const viewer =
      site === undefined
        ? signedIn(context, request)
        : site === 'same-origin'
          ? context.signIns.withCookie(callerOf(context, request))
          : null
    if (viewer === null) return reply.code(403).send({ message: "This is for Hangar's own page only." })
    const ids = context.zips.get(request.params.token, viewer.id)
    if (ids === null) return reply.code(404).send({ message: 'That archive is not there any more.' })
    const zip = new ZipFile()
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, viewer.ended])
    const out = zip.outputStream as Readable
    // An archive without its end tells the browser that the download failed.
    const breakOff = () => reply.raw.destroy()
    zip.on('error', breakOff)
    signal.addEventListener('abort', () => out.destroy())
    await fill(zip, context, ids, { signal, breakOff })
    return reply
      .header('content-security-policy', DATA_POLICY)
      .header('content-disposition', contentDisposition(`hangar-${localDay(context.clock.nowMs())}.zip`))
      .type('application/zip')
      .send(out)
  })
}

interface Sending {
  /** Aborted when the browser is gone. */
  signal: AbortSignal
  breakOff: () => void
}

/** Lists the files; each is read when its turn comes. */
async function fill(
  zip: ZipFile,
  { host }: WebContext,
  ids: readonly string[],
  { signal, breakOff }: Sending,
): Promise<void> {
  const nameOf = zipNamer()
  // Jobs of the same picture share its sidecar, and may share files.
  const listed = new Set<string>()
  for (const id of ids) {
    if (signal.aborted) return
    for (const file of await host.results(id)) {
      if (listed.has(file.path)) continue
      listed.add(file.path)
      const bytes = Readable.from(bytesOf(file, signal)).on('error', breakOff)
      // Pictures are already compressed.
      zip.addReadStream(bytes, nameOf(file.name), { compress: false, mode: 0o644 })
    }
  }
  zip.end()
}

/** Opened when the file's turn comes. If it is gone or was swapped by then, the download ends without the archive's end. */
async function* bytesOf({ path, rootDir }: ResultFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = await openFileInside(path, rootDir)
  if (file === null) throw new Error('a result is not there any more')
  yield* file.handle.createReadStream({ signal }) as AsyncIterable<Buffer>
}
