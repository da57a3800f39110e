import { readFileSync } from 'node:fs'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { AppError } from '../../shared/errors.ts'
import { raw, say } from '../../shared/sentence.ts'
import type { LedgerAddress } from './ledger-address.ts'
import { LEDGER_MIGRATIONS, LEDGER_VERSION, MIGRATION_LOCK } from './ledger-schema.ts'

/** The server ends a statement or a wait for a lock after this long … */
const STATEMENT_MS = 5000
const LOCK_MS = 4000
/** … and after this long it is not waited for either: the connection is closed. */
const QUERY_MS = 8000
const CONNECT_MS = 5000
/** Enough for the calls of one computer; fifty computers fit into a server's usual hundred. */
const MOST_CONNECTIONS = 2

/** PostgreSQL 14, as `server_version_num`. */
const OLDEST_SERVER = 140_000

/** Not `to_regclass`: that may answer from what the connection knew before it waited for the lock. */
const IS_THERE = `EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'hangar' AND tablename = 'ledger')`

/** A query with its text, prepared once on each connection under its name. */
export interface Statement {
  name: string
  text: string
}

export type Row = Record<string, unknown>

/** Connections to one ledger. Knows PostgreSQL, and nothing of what is in it but its version. */
export class LedgerConnection {
  readonly #address: LedgerAddress
  readonly #password: string
  #pool: Pool | null = null

  constructor(address: LedgerAddress, password: string | null) {
    this.#address = address
    this.#password = password ?? ''
  }

  /** Connects, brings the tables to this version, and returns the ledger's secret. Throws as `query`, and `ledger_newer`. */
  async open(): Promise<{ secret: string }> {
    const found = await this.#version()
    if (found === null || found < LEDGER_VERSION) await this.#migrate()
    if (found !== null && found > LEDGER_VERSION)
      throw new AppError('ledger_newer', say('ledger_is_newer', { version: found, known: LEDGER_VERSION }))
    const [row] = await this.query({ name: 'secret', text: 'SELECT secret FROM hangar.ledger' }, [])
    return { secret: String(row?.['secret']) }
  }

  /** Throws `ledger_away` when there is no answer (whether it took effect is then not known), `ledger_refused` else. */
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
    if (server < OLDEST_SERVER)
      throw new AppError('ledger_refused', say('ledger_too_old', { version: Math.floor(server / 10_000) }))
    if (there[0]?.['there'] !== true) return null
    const [row] = await this.query({ name: 'version', text: 'SELECT version FROM hangar.ledger' }, [])
    return Number(row?.['version'])
  }

  #migrate(): Promise<void> {
    return this.#withClient(async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      // Read again under the lock: another computer may have migrated meanwhile.
      const there = await client.query<Row>(`SELECT ${IS_THERE} AS there`)
      const isThere = there.rows[0]?.['there'] === true
      const found = isThere
        ? Number((await client.query<Row>('SELECT version FROM hangar.ledger')).rows[0]?.['version'])
        : 0
      for (const sql of LEDGER_MIGRATIONS.slice(found)) await client.query(sql)
      if (found < LEDGER_VERSION) await client.query('UPDATE hangar.ledger SET version = $1', [LEDGER_VERSION])
      await client.query('COMMIT')
    })
  }

  /** A connection with which something went wrong is not used again. */
  async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient | null = null
    try {
      client = await (await this.#connections()).connect()
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client?.release(true)
      throw toLedgerError(error)
    }
  }

  async #connections(): Promise<Pool> {
    if (this.#pool !== null) return this.#pool
    // Loaded only where there is a ledger.
    const { default: pg } = await import('pg')
    const pool = new pg.Pool(poolConfig(this.#address, this.#password))
    // A connection that ends is replaced when it is needed; who is using it is told by the query.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return (this.#pool ??= pool)
  }
}

/** What is given here does not come from the PG… variables of the environment or from ~/.pgpass. */
function poolConfig({ host, port, user, database, tls, certificates }: LedgerAddress, password: string): PoolConfig {
  return {
    host,
    port,
    user,
    database,
    // A function: instead of an empty text, PGPASSWORD or ~/.pgpass would be taken.
    password: () => password,
    ssl: tls
      ? { rejectUnauthorized: true, host, ...(certificates === null ? {} : { ca: readCertificates(certificates) }) }
      : false,
    // What others may have put into another schema stands for nothing of PostgreSQL's own.
    options: '-c search_path=pg_catalog -c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    application_name: 'hangar',
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: QUERY_MS,
  }
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new AppError('ledger_refused', say('ledger_certificates_unreadable', { code }), { cause: error })
  }
}

/**
 * SQLSTATE classes (PostgreSQL documentation, appendix A) that mean that a person has to do something: authentication (28),
 * no such database (3D), rights (42501), a server that only reads (25006), and statements that it does not know, because the
 * tables are not Hangar's (42).
 */
const REFUSED = /^(28|3D|42|25006)/

function toLedgerError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why = raw(error instanceof Error ? error.message || code : String(error))
  // The second is what pg says when the server wants a password and none is set.
  if (code === '28P01' || /client password must be/.test(String(error)))
    return new AppError('ledger_refused', say('ledger_password_wrong'), { cause: error })
  if (REFUSED.test(code)) return new AppError('ledger_refused', say('ledger_refuses', { why }), { cause: error })
  if (/CERT|SIGNED|TLS|SSL|ERR_TLS/.test(code) || /does not support SSL/.test(String(error)))
    return new AppError('ledger_refused', say('ledger_not_secure', { why }), { cause: error })
  return new AppError('ledger_away', say('ledger_no_answer', { why }), { cause: error })
}
