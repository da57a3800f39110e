import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { PictureKind } from '../../shared/contract/jobs.ts'
import { openFileInside } from '../files/regular-file.ts'
import type { UiHost } from '../page/ui-host.ts'
import { PAGE_HOST } from './page-address.ts'
import type { PageFile } from './page-files.ts'
import { DATA_POLICY, EVERY_ANSWER, pagePolicy } from '../page/page-policy.ts'

interface PageServerDeps {
  files: ReadonlyMap<string, PageFile>
  /** Its files are served before there is a host. */
  host: Promise<Pick<UiHost, 'picture' | 'output' | 'chargerData'>>
}

/**
 * Answers the page's requests to its own origin: its files, renderings of pictures (`/picture/<job>/<kind>`), outputs
 * to save (`/download/<job>/<index>`) and all chargers (`/chargers.json`). Anything else is not found; never rejects.
 */
export function createPageServer({ files, host }: PageServerDeps): (request: Request) => Promise<Response> {
  const answer = async (request: Request): Promise<Response> => {
    if (request.method !== 'GET') return refuse(405)
    const url = new URL(request.url)
    if (url.host !== PAGE_HOST) return refuse(404)
    if (url.pathname === '/chargers.json') return chargers(await host)
    const [place, jobId, what, ...more] = url.pathname.split('/').slice(1)
    if (more.length === 0 && jobId !== undefined && what !== undefined) {
      if (place === 'picture') return picture(await host, jobId, what)
      if (place === 'download') return download(await host, jobId, what)
    }
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === undefined) return refuse(404)
    const headers = pageHeaders(file.contentType)
    return new Response(new Uint8Array(await readFile(file.path)), { headers })
  }
  return (request) => answer(request).catch(() => refuse(500))
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: dataHeaders('text/plain', 'never') })
}

async function chargers(host: Awaited<PageServerDeps['host']>): Promise<Response> {
  const data = await host.chargerData()
  if (data === null) return refuse(404)
  const headers = dataHeaders('application/json; charset=utf-8', 'never')
  return new Response(data.bytes as Uint8Array<ArrayBuffer>, { headers })
}

async function picture(host: Awaited<PageServerDeps['host']>, jobId: string, what: string): Promise<Response> {
  const kind = PictureKind.safeParse(what)
  const made = kind.success ? await host.picture(jobId, kind.data) : null
  if (made === null) return refuse(404)
  return new Response(new Uint8Array(made.bytes), { headers: dataHeaders(made.type, 'by-address') })
}

async function download(host: Awaited<PageServerDeps['host']>, jobId: string, what: string): Promise<Response> {
  if (what !== 'original' && !/^\d{1,3}$/.test(what)) return refuse(404)
  const output = await host.output(jobId, what === 'original' ? null : Number(what))
  const file = output === null ? null : await openFileInside(output.path, output.rootDir)
  if (output === null || file === null) return refuse(404)
  const headers = {
    ...dataHeaders('application/octet-stream', 'never'),
    'content-disposition': contentDisposition(output.name.toWellFormed()),
  }
  return new Response(Readable.toWeb(file.handle.createReadStream()) as ReadableStream, { headers })
}

function pageHeaders(contentType: string): Record<string, string> {
  return {
    ...EVERY_ANSWER,
    'content-type': contentType,
    'content-security-policy': pagePolicy(),
    'cache-control': 'no-cache',
  }
}

/** Renderings are cached by their address, which contains the version; downloads are not cached. */
function dataHeaders(contentType: string, cache: 'by-address' | 'never'): Record<string, string> {
  return {
    ...EVERY_ANSWER,
    'content-type': contentType,
    'content-security-policy': DATA_POLICY,
    'cache-control': cache === 'never' ? 'no-store' : 'private, max-age=3600',
  }
}
