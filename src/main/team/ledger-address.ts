import { isIP } from 'node:net'
import { AppError } from '../../shared/errors.ts'
import { say } from '../../shared/sentence.ts'

/** Where a team ledger is, and how to get there. The password is apart from it. */
export interface LedgerAddress {
  /** As people see it and as the keychain names it: `postgres://user@host:port/database`. */
  name: string
  host: string
  port: number
  user: string
  database: string
  /** Whether the server has to prove with a certificate who it is: everywhere but on this computer. */
  tls: boolean
  /** A file of certificates to trust in place of the system's; null for those. */
  certificates: string | null
}

const PORT = 5432

/**
 * Reads `postgres://user@host/database`, with `?host=/folder` (at `localhost`) for a socket and `?sslrootcert=/file` for the office's own
 * certificates. Throws `bad_request`, also for a password: an address is stored and shown, a password is neither.
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
    tls: socket === null && !isLoopback(host),
    certificates: url.searchParams.get('sslrootcert'),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new AppError('bad_request', say('ledger_address_invalid'))
  }
}
