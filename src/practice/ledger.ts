import { appendFileSync } from 'node:fs'
import type { LedgerCharge, LedgerEntry, LedgerLine, LedgerSnapshot, RouteId } from './protocol.ts'

/** How many requests and charges are kept in memory; the file has all. */
const KEEP = 50_000

interface ArrivedRequest {
  atMs: number
  method: string
  route: RouteId
  path: string
  keyId: string | null
}

/**
 * Every request, answer and charge, in the order they happened. Each line is in the file (if there is one) before the call
 * returns, and each call is made before the bytes it describes are sent: the ledger contains everything that a client can
 * know. Each line is a single write to a file opened for appending, so that a kill loses the last line as a whole at worst.
 */
export class Ledger {
  readonly #file: string | undefined
  readonly #requests = new Map<number, LedgerEntry>()
  #charges: LedgerCharge[] = []
  #totals = { requests: 0, charges: 0, credits: 0 }

  constructor(file: string | undefined) {
    this.#file = file
  }

  /** Returns the request's number, counted from 1. */
  arrived(request: ArrivedRequest): number {
    const seq = ++this.#totals.requests
    this.#write({ type: 'request', seq, ...request })
    this.#requests.set(seq, { seq, ...request, status: null, answeredAtMs: null })
    if (this.#requests.size > KEEP) this.#requests.delete(this.#requests.keys().next().value ?? seq)
    return seq
  }

  /** `status` null: the connection ends without one. */
  answered(seq: number, atMs: number, status: number | null): void {
    this.#write({ type: 'answer', seq, atMs, status })
    const entry = this.#requests.get(seq)
    if (entry) this.#requests.set(seq, { ...entry, status, answeredAtMs: atMs })
  }

  charged(charge: Omit<LedgerCharge, 'type'>): void {
    const line: LedgerCharge = { type: 'charge', ...charge }
    this.#write(line)
    this.#totals.charges += 1
    this.#totals.credits += charge.credits
    this.#charges.push(line)
    if (this.#charges.length > KEEP * 1.5) this.#charges = this.#charges.slice(-KEEP)
  }

  snapshot(): LedgerSnapshot {
    return { requests: [...this.#requests.values()], charges: [...this.#charges], totals: { ...this.#totals } }
  }

  #write(line: LedgerLine): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
