import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { need, type Need } from '../needs.ts'
import { freePort } from '../free-port.ts'
import { PATIENCE_MS, until } from '../until.ts'

/** Debian keeps the server's programs apart, one folder for each version; HANGAR_POSTGRES is the folder of another. */
function serverPrograms(): string | null {
  const given = process.env['HANGAR_POSTGRES']
  if (given !== undefined) return given
  const base = '/usr/lib/postgresql'
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(base, version, 'bin')).find((dir) => existsSync(join(dir, 'initdb'))) ?? null
}

const PROGRAMS = serverPrograms()
export const POSTGRES: Need = need('postgresql', PROGRAMS !== null)

/** PostgreSQL does not run as root: then it runs as the user that Debian's package made. */
function serverUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const fields = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return fields === null ? { uid: 65_534, gid: 65_534 } : { uid: Number(fields[1]), gid: Number(fields[2]) }
}

const ADMIN = { user: 'admin', password: 'for-tests-only' }

/** A cluster of its own in a fresh folder, on loopback. */
export class PostgresServer {
  readonly dir: string
  readonly port: number
  #process: ChildProcess | null = null
  readonly #settings: Record<string, string>
  #databases = 0

  private constructor(dir: string, port: number, settings: Record<string, string>) {
    this.dir = dir
    this.port = port
    this.#settings = settings
  }

  static async start(settings: Record<string, string> = {}): Promise<PostgresServer> {
    const dir = mkdtempSync(join(tmpdir(), 'hangar-postgres-'))
    const user = serverUser()
    if (user.uid !== undefined) chownSync(dir, user.uid, user.gid)
    const passwords = join(dir, 'password')
    writeFileSync(passwords, ADMIN.password)
    chmodSync(passwords, 0o644)
    const admin = ['-U', ADMIN.user, '--pwfile', passwords, '-A', 'scram-sha-256']
    const options = ['-D', join(dir, 'data'), '-E', 'UTF8', '--no-locale', '--no-sync']
    execFileSync(join(PROGRAMS!, 'initdb'), [...options, ...admin], {
      ...user,
      cwd: dir,
      stdio: 'ignore',
    })
    const server = new PostgresServer(dir, await freePort(), settings)
    await server.run()
    return server
  }

  /** Starts it, also after `kill`. What it wrote is in the page cache, so it need not be synced to outlive a killed process. */
  async run(): Promise<void> {
    const place = { port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: this.dir, fsync: 'off' }
    const args = Object.entries({ ...place, ...this.#settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const start = () =>
      spawn(join(PROGRAMS!, 'postgres'), ['-D', join(this.dir, 'data'), ...args], {
        ...serverUser(),
        cwd: this.dir,
        stdio: 'ignore',
      })
    this.#process = start()
    await until('PostgreSQL answers', () => {
      // It does not start while a process of a killed one still holds the shared memory.
      if (this.#process!.exitCode !== null) this.#process = start()
      return this.query('SELECT 1').then(
        () => true,
        () => false,
      )
    })
  }

  get pid(): number {
    return this.#process!.pid!
  }

  /** kill -9 of the server and all that it started. */
  async kill(): Promise<void> {
    const server = this.#process!
    const ended = new Promise((resolve) => server.once('exit', resolve))
    // So that it starts no other while these are listed.
    server.kill('SIGSTOP')
    const backends = this.#backends()
    server.kill('SIGKILL')
    signalAll(backends, 'SIGKILL')
    await ended
    rmSync(join(this.dir, 'data', 'postmaster.pid'), { force: true })
  }

  /** Stops answering until `resume`, as a computer that swaps does; connections stay open. */
  pause(): void {
    signalAll([...this.#backends(), this.pid], 'SIGSTOP')
  }

  resume(): void {
    signalAll([...this.#backends(), this.pid], 'SIGCONT')
  }

  #backends(): number[] {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').trim().split(' ')
    return children.filter((each) => each !== '').map(Number)
  }

  /** A new database with an owner of its own, as docs/team.md says. */
  async database(): Promise<{ name: string; url: string; password: string; passwordFile: string }> {
    const name = `hangar_${(this.#databases += 1)}`
    const password = `secret-of-${name}`
    await this.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`)
    await this.query(`CREATE DATABASE ${name} OWNER ${name}`)
    await this.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
    const passwordFile = join(this.dir, `${name}.password`)
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    return { name, url: `postgres://${name}@127.0.0.1:${this.port}/${name}`, password, passwordFile }
  }

  /** As the administrator, in one database. */
  async query(text: string, values: unknown[] = [], database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      database,
      ...ADMIN,
      connectionTimeoutMillis: PATIENCE_MS,
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async stop(): Promise<void> {
    const server = this.#process!
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      this.resume()
      // Immediate shutdown: nothing of it is needed any more.
      server.kill('SIGQUIT')
      await ended
    }
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Backends come and go: one that ended since it was listed is left out. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
