import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

export const DEFAULT_PORT = 4780
/** How many ports after the default are tried when none was asked for. */
const MORE_PORTS = 20

interface Wanted {
  /** An IP address of this computer. */
  address: string
  /** Null: 4780. 0: any free one. */
  port: number | null
  /** No other port than the default one, because a proxy asks there: whoever else listens there would be taken for Hangar. */
  isFixed: boolean
}

/** Returns the port. Throws `bad_request` when it is taken, and for an address that this computer does not have. */
export async function listen(app: FastifyInstance, { address, port: wanted, isFixed }: Wanted): Promise<number> {
  const first = wanted ?? DEFAULT_PORT
  const last = wanted === null && !isFixed ? first + MORE_PORTS : first
  for (let port = first; port <= last; port += 1)
    try {
      await app.listen({ host: address, port })
      return (app.server.address() as AddressInfo).port
    } catch (cause) {
      const code = errorCode(cause)
      if (code === 'EADDRNOTAVAIL') throw new AppError('bad_request', say('address_not_here', { address }), { cause })
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause
    }
  throw new AppError(
    'bad_request',
    first === last
      ? say('port_taken', { port: String(first) })
      : say('ports_taken', { first: String(first), last: String(last) }),
  )
}
