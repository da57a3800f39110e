import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { isLoopbackHost } from '../services/base-url.ts'

export interface LedgerAddress {
  /** As shown to people and used as the keychain entry: `postgres://user@host:port/database`. */
  name: string
  host: string
  port: number
  user: string
  database: string
  /** Whether the server has to present a valid certificate: always, except on this computer. */
  tls: boolean
  /** A file of certificates to trust instead of the system's; null for the system's. */
  certificates: string | null
}

const PORT = 5432

/**
 * Parses `postgres://user@host/database`. `?host=/folder` (with host `localhost`) selects a socket, `?sslrootcert=/file` private
 * certificates. Throws `bad_request`, also for a password: addresses are stored and shown.
 */
export function readLedgerAddress(given: string): LedgerAddress {
  const url = URL.parse(given)
  const invalid = () => new AppError('bad_request', say('ledger_address_invalid'))
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '') throw invalid()
  if (url.password !== '') throw new AppError('bad_request', say('ledger_address_password'))
  const params = [...url.searchParams]
  if (params.some(([name, value]) => !['host', 'sslrootcert'].includes(name) || !value.startsWith('/'))) throw invalid()
  const socket = url.searchParams.get('host')
  const host = socket ?? decoded(url.hostname.replace(/^\[|\]$/g, ''))
  const user = decoded(url.username)
  const database = decoded(url.pathname.slice(1))
  const isComplete = [host, user, database].every((part) => part !== '') && !database.includes('/')
  if (!isComplete || (socket !== null && url.hostname !== 'localhost')) throw invalid()
  const port = url.port === '' ? PORT : Number(url.port)
  const query = url.search
  return {
    name: `postgres://${encodeURIComponent(user)}@${url.hostname}:${port}/${encodeURIComponent(database)}${query}`,
    host,
    port,
    user,
    database,
    tls: socket === null && !isLoopbackHost(url.hostname),
    certificates: url.searchParams.get('sslrootcert'),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new AppError('bad_request', say('ledger_address_invalid'))
  }
}
