import { AppError, type AppErrorCode, toAppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Clock, Logger, Random } from '../../shared/runtime/ports.ts'
import { RETRIES, retryMs } from '../core/retries.ts'
import type { LedgerTrouble } from '../core/account-ledger.ts'
import type { LedgerAddress } from './ledger-address.ts'
import { isBadValue, LedgerConnection, type LedgerLimits, type Row, type Statement } from './ledger-connection.ts'

const BEAT_MS = 5000

interface TeamLedgerDeps {
  address: LedgerAddress
  /** Asked for at each attempt to connect; null without one. Rejects if it cannot be read. */
  password: () => Promise<string | null>
  clock: Clock
  random: Random
  log: Logger
  limits?: LedgerLimits
  /** The ledger has become reachable, or stopped answering. */
  onChange: () => void
}

/** Uses the ledger while it is open. Both may reject with what `query` throws. */
interface Member {
  enter(secret: string): Promise<void>
  beat(): Promise<void>
}

/** The connection to the team ledger. While there is trouble, it only checks, at growing intervals, whether the ledger is back. */
export class TeamLedger {
  readonly address: LedgerAddress
  readonly #deps: TeamLedgerDeps
  #connection: LedgerConnection | null = null
  readonly #members = new Set<Member>()
  #secret: string | null = null
  #trouble: LedgerTrouble | null
  #tries = 0
  #cancelTimer: () => void = () => undefined
  #opening: Promise<void> | null = null
  #entering: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: TeamLedgerDeps) {
    this.#deps = deps
    this.address = deps.address
    this.#trouble = { code: 'ledger_away', detail: null, sinceMs: deps.clock.monotonicMs() }
  }

  /** Null while it answers. */
  get trouble(): LedgerTrouble | null {
    return this.#trouble
  }

  start(): void {
    this.#later(this.#open())
  }

  /** Resolves once it is known whether it answers. Never rejects. */
  async ready(): Promise<void> {
    await this.#opening
    await this.#entering
  }

  /** A member that joins while the ledger is open enters at once. */
  join(member: Member): void {
    this.#members.add(member)
    const secret = this.#secret
    if (secret === null || this.#trouble !== null) return
    const entering = this.#entering
      .then(() => member.enter(secret))
      .then(() => this.#deps.onChange())
      .catch((error: unknown) => this.#failed(toAppError(error)))
    this.#entering = entering
  }

  leave(member: Member): void {
    this.#members.delete(member)
  }

  /** Throws `ledger_away`, `ledger_refused` or `ledger_newer`; at once while there is trouble. */
  async query(statement: Statement, values: unknown[]): Promise<Row[]> {
    // Otherwise it would reconnect and keep the connection.
    if (this.#closed) throw new AppError('ledger_away', say('ledger_away'))
    if (this.#trouble !== null && this.#opening === null)
      throw new AppError(this.#trouble.code, this.#trouble.detail ?? say('ledger_away'))
    try {
      return await this.#connected().query(statement, values)
    } catch (error) {
      const known = toAppError(error)
      // A failure during opening is reported once, by the opening itself.
      if (this.#opening === null && !isBadValue(known)) this.#failed(known)
      throw known
    }
  }

  /** For what is only shown: throws like `query`, but a failure does not stop the sending. */
  async report(statement: Statement, values: unknown[]): Promise<Row[]> {
    if (this.#closed || this.#trouble !== null) throw new AppError('ledger_away', say('ledger_away'))
    return this.#connected().query(statement, values)
  }

  #connected(): LedgerConnection {
    if (this.#connection === null) throw new AppError('ledger_away', say('ledger_away'))
    return this.#connection
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer()
    await this.#opening
    await this.#connection?.close()
  }

  #open(): Promise<void> {
    return (this.#opening ??= this.#tryToOpen().finally(() => {
      this.#opening = null
      this.#schedule()
    }))
  }

  async #tryToOpen(): Promise<void> {
    try {
      this.#connection ??= new LedgerConnection(this.address, await this.#deps.password(), this.#deps.limits)
      const { secret } = await this.#connection.open()
      this.#secret = secret
      for (const member of this.#members) await member.enter(secret)
      if (this.#trouble === null) return
      this.#deps.log.info('the team ledger answers', { tries: this.#tries })
      this.#trouble = null
      this.#tries = 0
      this.#deps.onChange()
    } catch (error) {
      this.#failed(toAppError(error))
    }
  }

  #failed(error: AppError): void {
    if (this.#closed) return
    const code = troubleOf(error.code)
    const isNew = this.#trouble?.code !== code || this.#tries === 0
    if (isNew) this.#deps.log.warn('the team ledger cannot be used', { code, error: error.message })
    const sinceMs = this.#trouble?.sinceMs ?? this.#deps.clock.monotonicMs()
    this.#trouble = { code, detail: error.sentence, sinceMs }
    this.#tries += 1
    if (this.#opening === null) this.#schedule()
    if (isNew) this.#deps.onChange()
  }

  #schedule(): void {
    this.#cancelTimer()
    if (this.#closed) return
    const { clock, random } = this.#deps
    if (this.#trouble === null) {
      this.#cancelTimer = clock.setTimer(BEAT_MS, () => this.#later(this.#beat()))
      return
    }
    const retry = this.#trouble.code === 'ledger_away' ? RETRIES.ledgerAway : RETRIES.ledgerRefused
    const waitMs = retryMs(retry, this.#tries, random)
    this.#cancelTimer = clock.setTimer(Math.max(100, waitMs), () => this.#later(this.#open()))
  }

  async #beat(): Promise<void> {
    try {
      for (const member of this.#members) await member.beat()
    } finally {
      this.#schedule()
    }
  }

  /** A failed beat has already been handled as trouble. */
  #later(work: Promise<void>): void {
    work.catch((error: unknown) => this.#failed(toAppError(error)))
  }
}

function troubleOf(code: AppErrorCode): LedgerTrouble['code'] {
  if (code === 'ledger_refused' || code === 'ledger_newer') return code
  // Without the password there is nothing to connect with.
  return code === 'secret_store_unavailable' ? 'ledger_refused' : 'ledger_away'
}
