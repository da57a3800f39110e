import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { DispatchRequest } from '../../src/main/core/image-service.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { CollectOptions } from '../../src/main/services/collect-chargers.ts'
import { createHttp, type HttpOptions } from '../../src/main/services/http.ts'
import { createImageService, type ImageServiceOptions } from '../../src/main/services/image-service.ts'
import type { Clock, HttpPort, HttpRequest } from '../../src/shared/runtime/ports.ts'
import { PATIENCE_MS, until as untilItHolds } from '../until.ts'

export { realClock }

/** Time that passes only when told to. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let nowMs = 1_000_000
  const timers = new Set<{ atMs: number; callback: () => void }>()
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    setTimer(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    advance(ms) {
      nowMs += ms
      for (const timer of Array.from(timers)) if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
    },
  }
}

const closers: (() => Promise<void>)[] = []

/** To be called after each test: ends what the functions below started. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}

export interface RawServer {
  origin: string
  port: number
  /** One per connection, in order. */
  sockets: Socket[]
}

/** A TCP server that does with each connection what `serve` says. */
export function startRaw(serve: (socket: Socket) => void): Promise<RawServer> {
  return listen(net.createServer((socket) => serve(socket.on('error', () => undefined))))
}

export interface SeenRequest {
  method: string
  url: string
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * An HTTP server that keeps what it was asked. The body is read to its end before `handle` is called. `port`: of `freePort` where it is
 * asked for again once it is closed, since the system gives one of its own choice to the next server.
 */
export async function startHttp(
  handle: (request: SeenRequest, response: http.ServerResponse) => void,
  port = 0,
): Promise<RawServer & { requests: SeenRequest[] }> {
  const requests: SeenRequest[] = []
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const seen = {
        method: incoming.method!,
        url: incoming.url!,
        headers: incoming.headers,
        body: Buffer.concat(chunks),
      }
      requests.push(seen)
      handle(seen, response)
    })
  })
  // Kept open although the machine may stand still between two requests.
  server.keepAliveTimeout = PATIENCE_MS
  return { ...(await listen(server, port)), requests }
}

/** Listens on a port of this computer; ended by `closeAll`. */
export async function listen(server: net.Server, wanted = 0, address = '127.0.0.1'): Promise<RawServer> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(wanted, address, resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://${address}:${port}`, port, sockets }
}

/** An outcome without an answer. */
export const notSent = (code: string) => ({ kind: 'notSent', error: { code } })
export const maybeSent = (code: string) => ({ kind: 'maybeSent', error: { code } })

/** A port with no proxy, whatever the environment says. */
export function openHttp(options: Partial<HttpOptions> = {}): HttpPort {
  const port = createHttp({
    clock: realClock,
    version: '0.0.0-test',
    proxy: { https: '', http: '', noProxy: '' },
    ...options,
  })
  closers.push(() => port.close())
  return port
}

export function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    idleTimeoutMs: PATIENCE_MS,
    connectTimeoutMs: PATIENCE_MS,
    maxBytes: 1_000_000,
    ...more,
  }
}

export function upload(url: string, bytes: Uint8Array, more: Partial<HttpRequest> = {}): HttpRequest {
  const image = { bytes, filename: 'a.jpg', contentType: 'image/jpeg' }
  return get(url, { method: 'POST', freshConnection: true, multipart: [{ name: 'image', value: image }], ...more })
}

export const until = (condition: () => boolean) => untilItHolds('the other side has come so far', condition)

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Waits for the request's head, then answers with the given bytes. */
export function answerRaw(socket: Socket, answer: string, then: (socket: Socket) => void = () => undefined): void {
  let head = ''
  const onData = (chunk: Buffer) => {
    head += chunk.toString('latin1')
    if (!head.includes('\r\n\r\n')) return
    socket.off('data', onData).resume()
    socket.write(answer, () => then(socket))
  }
  socket.on('data', onData)
}

export const KEY = 'canary-key-123'

export const openImageService = (baseUrl: string, options: Partial<ImageServiceOptions> = {}) =>
  createImageService({
    http: openHttp(),
    clock: realClock,
    baseUrl,
    key: () => KEY,
    settings: { keyHeader: 'bearer' },
    ...options,
  })

/** What a call is given; `spent`: what became of its slot. */
export function call() {
  const spent: (string | number | null)[] = []
  const slot = {
    answered: () => {
      spent.push('answered')
    },
    rateLimited: (retryAfterMs: number | null) => {
      spent.push('refused', retryAfterMs)
    },
  }
  return { slot, signal: new AbortController().signal, spent }
}

export const order = (more: Partial<DispatchRequest> = {}): DispatchRequest => ({
  operation: 'process',
  bytes: new TextEncoder().encode('picture'),
  filename: 'Größe "1".jpg',
  contentType: 'image/jpeg',
  languages: ['de', 'en'],
  format: 'avif',
  project: null,
  ...more,
})

/** How a list of chargers is read that nobody paces or looks at. */
export const COLLECT: CollectOptions = {
  signal: new AbortController().signal,
  pace: () => Promise.resolve(),
  onPause: () => undefined,
  onProgress: () => undefined,
  random: () => 0,
}
