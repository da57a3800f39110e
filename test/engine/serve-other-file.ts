import { once } from 'node:events'
import { createServer, request } from 'node:http'

export interface OtherFile {
  /** `…/api/v1` of the service whose files are exchanged. */
  baseUrl: string
  /** What is served as every compressed file; null for the service's own. */
  file: Buffer | null
  downloads: number
  close(): Promise<void>
}

/** The practice service with another file as each compressed one. */
export async function serveOtherFile(practiceBaseUrl: string): Promise<OtherFile> {
  const behind = new URL(practiceBaseUrl)
  const server = createServer((asked, answer) => {
    if (asked.method === 'GET' && asked.url?.endsWith('/optimized') === true) {
      other.downloads += 1
      if (other.file !== null) {
        answer.writeHead(200, { 'content-type': 'image/any', 'content-length': other.file.length })
        answer.end(other.file)
        return
      }
    }
    const headers = { ...asked.headers, host: behind.host }
    // On a connection of its own: one that is kept may be closed at this very moment.
    const to = { port: behind.port, method: asked.method, path: asked.url, headers, agent: false }
    const passed = request(to, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const other: OtherFile = {
    baseUrl: `http://127.0.0.1:${port}${behind.pathname}`,
    file: null,
    downloads: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return other
}
