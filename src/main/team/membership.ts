import type { Row, Statement } from './ledger-connection.ts'
import type { TeamLedger } from './team-ledger.ts'

/** A computer in the team of an account, as the ledger knows it; all empty until it has entered. */
export class Membership {
  /** The account's name in the ledger, which the journal's rows about it have. */
  name = ''
  account = 0
  computer = ''
  /** 0 if the ledger does not know the computer now. */
  run = 0
  readonly #ledger: TeamLedger

  constructor(ledger: TeamLedger) {
    this.#ledger = ledger
  }

  /** Whether the ledger answers, and knows this computer. */
  get isCurrent(): boolean {
    return this.#ledger.trouble === null && this.run > 0
  }

  /** Asks with the account and the computer as the first values. Throws as `TeamLedger.query` does. */
  ask(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return this.#ledger.query(statement, [this.account, this.computer, ...values])
  }

  askForAll(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return this.#ledger.query(statement, [this.account, ...values])
  }
}
