import { appendFileSync } from 'node:fs'
import type { LedgerCharge, LedgerLine } from './protocol.ts'

type Arrived = Omit<Extract<LedgerLine, { type: 'request' }>, 'type' | 'seq'>

/**
 * Every request, answer and charge, in the order they happened. Each line is in the file (if there is one) before the call
 * returns, and each call is made before the bytes it describes are sent: the ledger contains everything that a client can
 * know. Each line is a single write to a file opened for appending, so that a kill loses the last line as a whole at worst.
 */
export class Ledger {
  readonly #file: string | undefined
  readonly #onLine: (line: LedgerLine) => void
  #requests = 0

  constructor(file: string | undefined, onLine: (line: LedgerLine) => void) {
    this.#file = file
    this.#onLine = onLine
  }

  /** Returns the request's number, counted from 1. */
  arrived(request: Arrived): number {
    this.#requests += 1
    this.#write({ type: 'request', seq: this.#requests, ...request })
    return this.#requests
  }

  /** `status` null: the connection ends without one. */
  answered(seq: number, atMs: number, status: number | null): void {
    this.#write({ type: 'answer', seq, atMs, status })
  }

  charged(charge: Omit<LedgerCharge, 'type'>): void {
    this.#write({ type: 'charge', ...charge })
  }

  #write(line: LedgerLine): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
    this.#onLine(line)
  }
}
