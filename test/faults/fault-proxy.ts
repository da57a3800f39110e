import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../free-port.ts'

/** What happens to one request on its way. Bytes are counted on the wire, heads included. */
export type ProxyFault =
  | { kind: 'pass' }
  /** So much of the request gets through, then both ends see a reset. */
  | { kind: 'resetUpload'; afterBytes: number }
  /** The whole request gets through; so much of the answer comes back, then a reset, or a plain end. */
  | { kind: 'cutAnswer'; afterBytes: number; how: 'reset' | 'end' }
  /** Nothing gets through and nothing comes back. */
  | { kind: 'stall' }
  /** So much of the request gets through, then silence. */
  | { kind: 'stallUpload'; afterBytes: number }
  /** The whole request gets through; so much of the answer comes back, then silence. */
  | { kind: 'stallAnswer'; afterBytes: number }
  /** Something else answers; the service hears nothing. */
  | { kind: 'say'; text: string }
  /** As `say`, and then `chunk` for ever. */
  | { kind: 'endless'; text: string; chunk: string }

export interface FaultProxy {
  /** `…/api/v1` behind the proxy. */
  baseUrl: string
  /** Decides for each request by its first line, e.g. `POST /api/v1/images/process HTTP/1.1`. */
  fault: (requestLine: string) => ProxyFault
  /** First lines of all requests so far. */
  requests: string[]
  /** Nobody listens any more, until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  close(): Promise<void>
}

/** A TCP proxy on loopback before a service on another port. The Host header is corrected on the way. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let server: Server
  // Nobody has it while it is not listened on.
  const port = await freePort()
  const proxy: FaultProxy = {
    baseUrl: '',
    fault: () => ({ kind: 'pass' }),
    requests: [],
    refuse: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
      await closed
    },
    listen: async () => {
      server = createServer((client) => carry(client))
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      proxy.baseUrl = `http://127.0.0.1:${port}/api/v1`
    },
    close: () => proxy.refuse(),
  }

  function carry(client: Socket): void {
    const target = connect(targetPort, '127.0.0.1')
    let fault: ProxyFault = { kind: 'pass' }
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        // Silence does not say that the service has hung up.
        if (socket === target && (fault.kind === 'stallUpload' || fault.kind === 'stallAnswer')) return
        for (const other of [client, target]) other.destroy()
      })
    }
    let requestBytes = 0
    let answerBytes = 0
    client.on('data', (chunk) => {
      const line = /^(?:GET|POST) .*(?=\r\n)/.exec(chunk.subarray(0, 2000).toString('latin1'))?.[0]
      if (line !== undefined) {
        proxy.requests.push(line)
        fault = proxy.fault(line)
        requestBytes = 0
        answerBytes = 0
      }
      requestBytes += chunk.length
      passOn(chunk)
    })
    target.on('data', (chunk) => {
      answerBytes += chunk.length
      if (fault.kind === 'cutAnswer' && answerBytes >= fault.afterBytes) {
        client.write(chunk.subarray(0, chunk.length - (answerBytes - fault.afterBytes)))
        if (fault.how === 'end') client.end()
        else setImmediate(() => client.resetAndDestroy())
        target.destroy()
      } else if (fault.kind === 'stallAnswer')
        client.write(chunk.subarray(0, Math.max(0, chunk.length - (answerBytes - fault.afterBytes))))
      else client.write(chunk)
    })

    function passOn(chunk: Buffer): void {
      if (fault.kind === 'stall') return
      if (fault.kind === 'stallUpload') {
        target.write(
          withHost(chunk, port, targetPort).subarray(0, Math.max(0, chunk.length - (requestBytes - fault.afterBytes))),
        )
        return
      }
      if (fault.kind === 'say' || fault.kind === 'endless') return say(client, fault)
      const forward = withHost(chunk, port, targetPort)
      if (fault.kind !== 'resetUpload' || requestBytes < fault.afterBytes) {
        target.write(forward)
        return
      }
      target.write(forward.subarray(0, forward.length - (requestBytes - fault.afterBytes)), () => {
        target.resetAndDestroy()
        client.resetAndDestroy()
      })
    }
  }

  await proxy.listen()
  return proxy
}

/** Both ports have as many digits, so no length changes. */
function withHost(chunk: Buffer, from: number, to: number): Buffer {
  const text = chunk.toString('latin1')
  return Buffer.from(text.replace(`127.0.0.1:${from}`, `127.0.0.1:${to}`), 'latin1')
}

function say(client: Socket, fault: Extract<ProxyFault, { kind: 'say' | 'endless' }>): void {
  client.write(fault.text)
  if (fault.kind === 'say') {
    client.end()
    return
  }
  const more = (): void => {
    while (!client.destroyed && client.write(fault.chunk));
    if (!client.destroyed) client.once('drain', more)
  }
  more()
}
