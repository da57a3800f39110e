import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { ListensAt } from './server-note.ts'
import { listenOnSocket } from './unix-socket.ts'

export const DEFAULT_PORT = 4780
/** How many ports after the default are tried when none was asked for. */
const MORE_PORTS = 20
/** This computer only; people elsewhere come through `ssh -L` or a reverse proxy. */
const LOOPBACK = '127.0.0.1'

/** An IP address of this computer, or a Unix socket. */
export type ListenOn = { address: string } | { socketPath: string }

interface Wanted {
  /** Null: 127.0.0.1. */
  on: ListenOn | null
  /** Null: 4780. 0: any free one. */
  port: number | null
  /** No other port than the default one, because a proxy asks there: whoever else listens there would be taken for Hangar. */
  isFixed: boolean
}

/** Throws `bad_request` when the port is taken, for an address that this computer does not have, and as `listenOnSocket` does. */
export async function listen(app: FastifyInstance, { on, port: wanted, isFixed }: Wanted): Promise<ListensAt> {
  if (on !== null && 'socketPath' in on) {
    await listenOnSocket(app, on.socketPath)
    return on
  }
  const address = on?.address ?? LOOPBACK
  const more = wanted === null && !isFixed ? MORE_PORTS : 0
  const first = wanted ?? DEFAULT_PORT
  for (let port = first; port <= first + more; port += 1)
    try {
      await app.listen({ host: address, port })
      const bound = app.server.address()
      if (bound === null || typeof bound === 'string') throw new Error('the web server has no port')
      return { address, port: bound.port }
    } catch (cause) {
      const code = errorCode(cause)
      if (code === 'EADDRNOTAVAIL') throw new AppError('bad_request', say('address_not_here', { address }), { cause })
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause
    }
  throw new AppError(
    'bad_request',
    more === 0
      ? say('port_taken', { port: String(first) })
      : say('ports_taken', { first: String(first), last: String(first + more) }),
  )
}
