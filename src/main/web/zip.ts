import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance } from 'fastify'
import { ZipFile } from 'yazl'
import { localDay } from '../../shared/runtime/local-day.ts'
import { collisionKey, numberedName, portableName } from '../core/naming.ts'
import { openFileInside } from '../files/regular-file.ts'
import { DATA_POLICY } from '../page/page-policy.ts'
import type { ResultFile } from '../page/ui-host.ts'
import { forOwnPage, signInOfAddress, type WebContext, type WebHost } from './web-context.ts'

/** `GET /zip/<token>`: results as one archive, read from disk while it is sent. */
export function addZip(app: FastifyInstance, context: WebContext): void {
  app.get<{ Params: { token: string } }>('/zip/:token', forOwnPage(context), async (request, reply) => {
    const ids = context.zips.get(`${signInOfAddress(context, request)?.id} ${request.params.token}`)
    if (ids === undefined) return reply.code(404).send({ message: 'That archive is not there any more.' })
    const zip = new ZipFile()
    const gone = new AbortController()
    const out = zip.outputStream as Readable
    reply.raw.once('close', () => {
      gone.abort()
      out.destroy()
    })
    // An archive without its end tells the browser that the download failed.
    zip.on('error', () => reply.raw.destroy())
    await fill(zip, context.host, ids, gone.signal)
    return reply
      .header('content-security-policy', DATA_POLICY)
      .header('content-disposition', contentDisposition(`hangar-${localDay(context.clock.nowMs())}.zip`))
      .type('application/zip')
      .send(out)
  })
}

/** Lists the files; each is read when its turn comes. */
async function fill(zip: ZipFile, host: WebHost, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const nameOf = zipNamer()
  // Jobs of the same picture share its sidecar, and may share files.
  const listed = new Set<string>()
  for (const id of ids) {
    if (signal.aborted) return
    for (const file of await host.results(id)) {
      if (listed.has(file.path)) continue
      listed.add(file.path)
      const bytes = Readable.from(bytesOf(file, signal)).on('error', (error) => zip.emit('error', error))
      // Pictures are already compressed.
      zip.addReadStream(bytes, nameOf(file.name), { compress: false, mode: 0o644 })
    }
  }
  zip.end()
}

/** If the file is gone or was swapped, the download ends without the end of the archive. */
async function* bytesOf({ path, rootDir }: ResultFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = await openFileInside(path, rootDir)
  if (file === null) throw new Error('a result is not there any more')
  yield* file.handle.createReadStream({ signal }) as AsyncIterable<Buffer>
}

/**
 * Gives each file a unique relative path that every system can have; names that differ only in case or Unicode form would overwrite each
 * other on some.
 */
export function zipNamer(): (given: string) => string {
  const taken = new Set<string>()
  /** Where to go on counting: from the start each time would be quadratic. */
  const numbers = new Map<string, number>()
  return (given) => {
    const folders = given.split('/').map(portableName)
    const name = folders.pop() ?? ''
    const nth = (n: number) => [...folders, numberedName(name, n)].join('/')
    const wanted = collisionKey(nth(1))
    let n = numbers.get(wanted) ?? 1
    while (taken.has(collisionKey(nth(n)))) n += 1
    numbers.set(wanted, n + 1)
    taken.add(collisionKey(nth(n)))
    return nth(n)
  }
}
