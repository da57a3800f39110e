import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** When the proxy acts on a request that holds these bytes. */
export interface Cut {
  on: string
  /** Before the request goes on to the server, or once its answer came back; neither is passed on, unless it `passesOn`. */
  when: 'asked' | 'answered'
  act: () => void
  /** What was held goes on all the same, after it acted. */
  passesOn?: boolean
}

export interface CuttingProxy {
  port: number
  /** Armed once; null for none. */
  cut: Cut | null
  /** Passes nothing on in either direction while true; connections stay open. */
  stalled: boolean
  /** Words of an answer and others of the same length that take their place; null for none. */
  replaces: [string, string] | null
  /** Ends all connections. */
  cutAll(): void
  close(): Promise<void>
}

/** The practice service answers only to its own name; both ports have five digits. */
function withHost(chunk: Buffer, from: number, to: number): Buffer {
  const at = chunk.indexOf(`127.0.0.1:${from}`)
  if (at >= 0) chunk.write(`127.0.0.1:${to}`, at, 'latin1')
  return chunk
}

/** An address of this computer as it is reached through a proxy. */
export const urlThrough = ({ port }: CuttingProxy, url: string): string => url.replace(/:\d+\//, `:${port}/`)

/** A TCP proxy to a port of this computer that acts at one exact point of an exchange. */
export async function cuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let stalled = false
  const proxy: CuttingProxy = {
    port: 0,
    cut: null,
    replaces: null,
    get stalled() {
      return stalled
    },
    set stalled(now: boolean) {
      stalled = now
      if (!now) for (const pass of held.splice(0)) pass()
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      proxy.cutAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const pass = (write: () => void) => {
    if (stalled) held.push(write)
    else write()
  }
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    let armed: Cut | null = null
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    client.on('data', (given) => {
      const chunk = withHost(given, proxy.port, targetPort)
      const { cut } = proxy
      if (cut !== null && chunk.includes(cut.on)) {
        proxy.cut = null
        if (cut.when === 'answered') armed = cut
        else {
          cut.act()
          if (cut.passesOn !== true) return
        }
      }
      pass(() => target.write(chunk))
    })
    target.on('data', (chunk) => {
      if (armed !== null) {
        armed.act()
        if (armed.passesOn !== true) return
        armed = null
      }
      const { replaces } = proxy
      const at = replaces === null ? -1 : chunk.indexOf(replaces[0])
      if (at >= 0) chunk.write(replaces![1], at, 'latin1')
      pass(() => client.write(chunk))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
