import { readFileSync } from 'node:fs'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { hideSecret } from '../core/hide-secret.ts'
import { trustedCertificates } from '../services/connections.ts'
import type { LedgerAddress } from './ledger-address.ts'
import { LEDGER_FUNCTIONS } from './ledger-functions.ts'
import { LEDGER_LOCK, LEDGER_TABLES, LEDGER_VERSION } from './ledger-schema.ts'

export interface LedgerLimits {
  /** The server aborts a statement or a wait for a lock after this long. */
  statementMs: number
  lockMs: number
  /** If it has not answered after this long, the connection is closed. */
  queryMs: number
  connectMs: number
}
const LIMITS: LedgerLimits = { statementMs: 5000, lockMs: 4000, queryMs: 8000, connectMs: 5000 }
/** Enough for one computer's calls; fifty computers fit into a server's usual limit of a hundred. */
const MAX_CONNECTIONS = 2

/** PostgreSQL 14, as `server_version_num`. */
const MIN_SERVER_VERSION = 140_000

/** Not `to_regclass`, which may answer from a cache older than the lock. */
const IS_THERE = `EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'hangar' AND tablename = 'ledger')`

/** A query and its text, prepared once per connection under its name. */
export interface Statement {
  name: string
  text: string
}

export type Row = Record<string, unknown>

export class LedgerConnection {
  readonly #address: LedgerAddress
  readonly #password: string
  readonly #limits: LedgerLimits
  #pool: Pool | null = null

  constructor(address: LedgerAddress, password: string | null, limits = LIMITS) {
    this.#address = address
    this.#password = password ?? ''
    this.#limits = limits
  }

  /** Connects and makes missing tables. Throws like `query`, and `ledger_newer`. */
  async open(): Promise<{ secret: string }> {
    const found = await this.#version()
    if (found === null) await this.#makeTables()
    if (found !== null && found > LEDGER_VERSION)
      throw new AppError('ledger_newer', say('ledger_is_newer', { version: found, known: LEDGER_VERSION }))
    const [row] = await this.query({ name: 'secret', text: 'SELECT secret FROM hangar.ledger' }, [])
    return { secret: String(row?.['secret']) }
  }

  /** Throws `ledger_away` if there is no answer (the statement may still have taken effect), otherwise `ledger_refused`. */
  async query(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#withClient(async (client) => (await client.query<Row>({ ...statement, values })).rows)
  }

  async close(): Promise<void> {
    const pool = this.#pool
    this.#pool = null
    await pool?.end().catch(() => undefined)
  }

  async #version(): Promise<number | null> {
    const there = await this.query(
      { name: 'there', text: `SELECT ${IS_THERE} AS there, current_setting('server_version_num') AS server` },
      [],
    )
    const server = Number(there[0]?.['server'])
    if (server < MIN_SERVER_VERSION)
      throw new AppError('ledger_refused', say('ledger_too_old', { version: Math.floor(server / 10_000) }))
    if (there[0]?.['there'] !== true) return null
    const [row] = await this.query({ name: 'version', text: 'SELECT version FROM hangar.ledger' }, [])
    return Number(row?.['version'])
  }

  #makeTables(): Promise<void> {
    return this.#withClient(async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [LEDGER_LOCK])
      // Another computer may have made them in the meantime.
      const there = await client.query<Row>(`SELECT ${IS_THERE} AS there`)
      if (there.rows[0]?.['there'] !== true) {
        await client.query(LEDGER_TABLES)
        await client.query(LEDGER_FUNCTIONS)
        await client.query('UPDATE hangar.ledger SET version = $1', [LEDGER_VERSION])
      }
      await client.query('COMMIT')
    })
  }

  /** Discards a connection on which anything failed. */
  async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient | null = null
    try {
      client = await (await this.#connections()).connect()
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client?.release(true)
      throw toLedgerError(error, this.#password)
    }
  }

  async #connections(): Promise<Pool> {
    if (this.#pool !== null) return this.#pool
    // pg would fill in whatever PGREPLICATION, PGBINARY and the like say.
    for (const name of Object.keys(process.env)) if (/^(PG|NODE_PG)/i.test(name)) delete process.env[name]
    // Loaded only if there is a ledger.
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ ...poolConfig(this.#address, this.#password), ...limitsOf(this.#limits) })
    // Connections are replaced on demand; a query in progress reports the failure itself.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return (this.#pool ??= pool)
  }
}

function poolConfig({ host, port, user, database, tls, certificates }: LedgerAddress, password: string): PoolConfig {
  return {
    host,
    port,
    user,
    database,
    // A function, because an empty string would make pg read ~/.pgpass.
    password: () => password,
    ssl: tls
      ? {
          rejectUnauthorized: true,
          host,
          ca: certificates === null ? trustedCertificates() : readCertificates(certificates),
        }
      : false,
    // So that objects in other schemas cannot shadow PostgreSQL's own.
    options: '-c search_path=pg_catalog -c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    application_name: 'hangar',
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  }
}

const limitsOf = ({ statementMs, lockMs, queryMs, connectMs }: LedgerLimits): PoolConfig => ({
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: statementMs,
  query_timeout: queryMs,
})

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new AppError('ledger_refused', say('ledger_certificates_unreadable', { code }), { cause: error })
  }
}

/** SQLSTATE: authentication (28), no such database (3D), permissions and unknown objects (42), a read-only server (25006). */
const REFUSED = /^(28|3D|42|25006)/

/** Classes 22 and 23: a value of this one statement cannot be stored. The ledger itself works. */
const BAD_VALUE = /^2[23]/

export const isBadValue = ({ cause }: AppError): boolean =>
  cause instanceof Error && 'code' in cause && BAD_VALUE.test(String(cause.code))

function toLedgerError(error: unknown, password: string): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Node appends advice about its own options.
  const message = error instanceof Error ? error.message.replace(/; if the root CA .*/, '') : String(error)
  const why = raw(hideSecret(message || code, password))
  // The second is pg's own error when the server requires a password and none is set.
  if (code === '28P01' || /client password must be/.test(String(error)))
    return new AppError('ledger_refused', say('ledger_password_wrong'), { cause: error })
  if (REFUSED.test(code) || BAD_VALUE.test(code))
    return new AppError('ledger_refused', say('ledger_refuses', { why }), { cause: error })
  if (/CERT|SIGN|TLS|SSL|INVALID_CA|HOSTNAME_MISMATCH/.test(code) || /does not support SSL/.test(String(error)))
    return new AppError('ledger_refused', say('ledger_not_secure', { why }), { cause: error })
  return new AppError('ledger_away', say('ledger_no_answer', { why }), { cause: error })
}
