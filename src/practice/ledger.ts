import { appendFileSync } from 'node:fs'
import type { LedgerCharge, LedgerLine } from './protocol.ts'

type Arrived = Omit<Extract<LedgerLine, { type: 'request' }>, 'type' | 'seq'>

/** Requests, answers and charges in order. Each line is one write before the bytes it describes are sent: a kill loses only the last. */
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
