import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { PictureKind } from '../../shared/contract/jobs.ts'
import { openFileInside } from '../files/regular-file.ts'
import { DATA_POLICY } from './page-policy.ts'
import type { UiHost } from './ui-host.ts'

export type DataHost = Pick<UiHost, 'picture' | 'output' | 'chargerData'>

/**
 * Answers `/picture/<job or token>/<kind>`, `/download/<job>/<index or original>` and `/chargers.json`; null for what there is not. The
 * shell decides which pages may ask.
 */
export async function answerData(host: DataHost, pathname: string): Promise<Response | null> {
  const [place, id = '', what = '', ...more] = pathname.split('/').slice(1)
  if (pathname === '/chargers.json') {
    const data = await host.chargerData()
    return data === null ? null : answerOf(data, data.byteLength, 'application/json; charset=utf-8')
  }
  if (more.length > 0) return null
  if (place === 'picture') {
    const kind = PictureKind.safeParse(what)
    const made = kind.success ? await host.picture(id, kind.data) : null
    return made === null ? null : answerOf(made.bytes, made.bytes.byteLength, made.type)
  }
  if (place !== 'download' || (what !== 'original' && !/^\d{1,6}$/.test(what))) return null
  const output = await host.output(id, what === 'original' ? null : Number(what))
  const file = output === null ? null : await openFileInside(output.path, output.rootDir)
  if (output === null || file === null) return null
  const sizeBytes = Number(file.stats.size)
  const stream = Readable.toWeb(file.handle.createReadStream({ end: Math.max(0, sizeBytes - 1) }))
  const answer = answerOf(stream as ReadableStream, sizeBytes, 'application/octet-stream')
  answer.headers.set('content-disposition', contentDisposition(output.name.toWellFormed()))
  return answer
}

function answerOf(body: Uint8Array | ReadableStream, sizeBytes: number, type: string): Response {
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: { 'content-type': type, 'content-length': String(sizeBytes), 'content-security-policy': DATA_POLICY },
  })
}
