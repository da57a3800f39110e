import { readFile } from 'node:fs/promises'
import { DATA_POLICY, EVERY_ANSWER, pagePolicy } from '../page/page-policy.ts'
import { PAGE_HOST } from './page-address.ts'
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'

interface PageServerDeps {
  files: ReadonlyMap<string, PageFile>
  /** Answers requests for anything but the page's files; null for not found. */
  data: (pathname: string) => Promise<Response | null>
}

/** Serves the files of the page, and its data. Never rejects. */
export function createPageServer({ files, data }: PageServerDeps): (request: Request) => Promise<Response> {
  const answer = async (request: Request): Promise<Response> => {
    if (request.method !== 'GET') return refuse(405)
    const url = new URL(request.url)
    if (url.host !== PAGE_HOST) return refuse(404)
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === undefined) return dataAnswer(await data(url.pathname), url.pathname)
    const headers = {
      ...EVERY_ANSWER,
      'content-type': file.contentType,
      'content-security-policy': pagePolicy(),
      'cache-control': 'no-cache',
    }
    return new Response(new Uint8Array(await readFile(file.path)), { headers })
  }
  return (request) => answer(request).catch(() => refuse(500))
}

function dataAnswer(answer: Response | null, pathname: string): Response {
  if (answer === null) return refuse(404)
  for (const [name, value] of Object.entries(EVERY_ANSWER)) answer.headers.set(name, value)
  // The address of a rendering contains its version.
  answer.headers.set('cache-control', pathname.startsWith('/picture/') ? 'private, max-age=3600' : 'no-store')
  return answer
}

function refuse(status: number): Response {
  const headers = { ...EVERY_ANSWER, 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' }
  return new Response(null, { status, headers })
}

/** The types of files the page consists of. No other type is served. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.geojson': 'application/geo+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

interface PageFile {
  path: string
  contentType: string
}

/**
 * The files of the page by their paths. Only these can be requested, so no spelling of a path leads out of the
 * folder; links are not followed.
 */
export function listPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  const visit = (dir: string, address: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      const contentType = TYPES[extname(entry.name).toLowerCase()]
      if (entry.isDirectory()) visit(path, `${address}${entry.name}/`)
      else if (entry.isFile() && contentType !== undefined) files.set(`${address}${entry.name}`, { path, contentType })
    }
  }
  visit(folder, '/')
  return files
}
