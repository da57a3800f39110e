import type { HttpPort } from '../../src/shared/runtime/ports.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createHttp } from '../../src/main/services/http.ts'

export interface OtherFile extends HttpPort {
  bytes: Uint8Array
  downloads: number
}

/** HTTP by which every compressed file that the service made comes as these bytes instead. */
export function serveOtherFile(bytes: Uint8Array): OtherFile {
  const http = createHttp({ clock: realClock, version: 'test' })
  const other: OtherFile = {
    bytes,
    downloads: 0,
    request: (request) => http.request(request),
    close: () => http.close(),
    download: async (request, sink) => {
      if (!request.url.endsWith('/optimized')) return http.download(request, sink)
      const outcome = await http.download(request, async () => undefined)
      other.downloads += 1
      if (outcome.kind === 'response') await sink(other.bytes)
      return outcome
    },
  }
  return other
}
