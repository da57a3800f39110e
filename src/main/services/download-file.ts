import type { HttpOutcome, HttpPort, HttpRequest } from '../../shared/runtime/ports.ts'
import { isLoopbackHost } from './base-url.ts'
import { reachOf, reachOfHost } from './reach.ts'

/** The body: the text of what is no file. */
export type FileOutcome = HttpOutcome<string | null>
type Sink = (chunk: Uint8Array) => Promise<void>

const MAX_HOPS = 3
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

export const isRedirect = (status: number) => REDIRECTS.includes(status)

/**
 * Follows a download that the service redirected to a storage provider: `first` is its answer to `asked`, whose limits apply to each hop.
 * None of the original headers are sent, so the key reaches no other host. Redirects must lead to https (on this computer also
 * from and to http), and into a private network only from within (SSRF). Null for a redirect that is not followed.
 */
export async function followDownload(
  http: HttpPort,
  asked: HttpRequest,
  first: FileOutcome,
  sink: Sink,
): Promise<FileOutcome | null> {
  const home = await reachOfHost(new URL(asked.url).hostname)
  const mayConnectTo = (address: string) => {
    const reach = reachOf(address)
    return reach === 'public' || (reach !== 'none' && reach === home)
  }
  let from = asked.url
  let outcome = first
  for (let hop = 0; outcome.kind === 'response' && isRedirect(outcome.response.status); hop += 1) {
    const target = readTarget(outcome.response.headers['location'], from)
    if (hop === MAX_HOPS || target === null) return null
    from = target.href
    const { connectTimeoutMs, idleTimeoutMs, maxBytes, signal } = asked
    const request: HttpRequest = {
      method: 'GET',
      url: from,
      headers: { accept: 'image/*' },
      connectTimeoutMs,
      idleTimeoutMs,
      maxBytes,
      mayConnectTo,
      freshConnection: true,
    }
    outcome = await http.download(signal === undefined ? request : { ...request, signal }, sink)
  }
  return outcome
}

function readTarget(location: string | undefined, from: string): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null
  const [source, target] = [new URL(from), new URL(location, from)]
  if (target.username !== '' || target.password !== '') return null
  if (target.protocol === 'https:') return target
  const staysHere = isLoopbackHost(source.hostname) && isLoopbackHost(target.hostname)
  return target.protocol === 'http:' && staysHere ? target : null
}
