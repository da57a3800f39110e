import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const PLACES: Readonly<Record<string, string>> = {
  pages: join(import.meta.dirname, 'pages'),
  leaflet: join(ROOT, 'node_modules', 'leaflet', 'dist'),
  markercluster: join(ROOT, 'node_modules', 'leaflet.markercluster', 'dist'),
}
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
}

/** Serves the pages to compare with, and the chargers that Hangar shows. */
export async function servePlain(chargers: Uint8Array): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench')
    if (pathname === '/chargers.json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(chargers)
      return
    }
    const [place = '', ...rest] = pathname.split('/').slice(1)
    const folder = PLACES[place]
    const file = folder === undefined || rest.includes('..') ? null : join(folder, ...rest)
    if (file === null) {
      response.writeHead(404).end()
      return
    }
    const stream = createReadStream(file)
    stream.on('open', () => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }))
    stream.on('error', () => response.writeHead(404).end())
    stream.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
