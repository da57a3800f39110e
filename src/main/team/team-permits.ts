import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { PermitAnswer, Urgency } from '../core/account-ledger.ts'
import { RETRIES } from '../core/retries.ts'
import { numberOf, statement, stopwatch } from './ledger-calls.ts'
import type { Statement } from './ledger-connection.ts'
import type { Membership } from './membership.ts'

const TAKE = statement('take', 'integer text uuid integer boolean boolean')
const ANSWERED = statement('answered', 'integer uuid integer')
const UNUSED = statement('unused', 'integer uuid')

/** The ledger counts a call for ten minutes without its answer, and a request takes nine at most (`services/http.ts`). */
const PERMIT_FRESH_MS = 60_000
const RETRY_MS = RETRIES.ledgerSlot.firstMs
const MAX_PAUSE_MS = 3_600_000

/** The calls that an account's computers may make, from one computer's point of view. */
export class TeamPermits {
  readonly #clock: Clock
  readonly #membership: Membership
  #share: number | null = null
  #limit = 60
  #backlog = false
  /** Slots of calls under way. */
  readonly #open = new Set<string>()
  /** A pause that the service asked for and the ledger does not know of yet; monotonic time. */
  #unreportedPause: { slot: string; untilMs: number } | null = null

  constructor(clock: Clock, membership: Membership) {
    this.#clock = clock
    this.#membership = membership
  }

  /** What a beat says of them. */
  get state(): { limit: number; hasBacklog: boolean; open: string[] } {
    return { limit: this.#limit, hasBacklog: this.#backlog, open: [...this.#open] }
  }

  share(limit: number): number {
    this.#limit = limit
    return Math.min(limit, Math.max(1, this.#share ?? limit))
  }

  /** Takes the share from an answer of the ledger; whether it is another one. */
  noteShare(plan: unknown): boolean {
    const before = this.#share
    this.#share = numberOf(plan, { least: 1, else: 1 })
    return this.#share !== before
  }

  async permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer> {
    this.#limit = limit
    this.#backlog = hasBacklog
    if (!this.#membership.isCurrent) return { kind: 'denied', retryMs: RETRY_MS }
    const slot = randomUUID()
    const elapsedMs = stopwatch(this.#clock)
    this.#open.add(slot)
    try {
      const [row] = await this.#membership.ask(TAKE, slot, limit, urgency === 'person', hasBacklog)
      this.noteShare(row?.['plan'])
      const permit = this.#permitOf(slot, () => elapsedMs() < PERMIT_FRESH_MS)
      if (row?.['granted'] === true) {
        if (permit.isCurrent()) return { kind: 'granted', permit }
        // This computer was suspended in between.
        permit.unused()
        return { kind: 'denied', retryMs: RETRY_MS }
      }
      this.#open.delete(slot)
      return { kind: 'denied', retryMs: numberOf(row?.['retry_ms'], { least: 50, most: 60_000, else: RETRY_MS }) }
    } catch {
      // If the slot was granted after all, the next beat does not list it, and the ledger counts it as answered then.
      this.#open.delete(slot)
      return { kind: 'denied', retryMs: RETRY_MS }
    }
  }

  #permitOf(slot: string, isCurrent: () => boolean) {
    // If this does not arrive, the next beat makes up for it.
    const close = (what: Statement, ...values: unknown[]) => {
      this.#open.delete(slot)
      return this.#membership.askForAll(what, slot, ...values)
    }
    return {
      isCurrent,
      answered: (givenMs: number | null) => {
        const pauseMs = Math.min(MAX_PAUSE_MS, Math.ceil(givenMs ?? 0))
        const untilMs = this.#clock.monotonicMs() + pauseMs
        close(ANSWERED, pauseMs).catch(() => {
          if (pauseMs > 0 && untilMs > (this.#unreportedPause?.untilMs ?? 0)) this.#unreportedPause = { slot, untilMs }
        })
      },
      unused: () => {
        close(UNUSED).catch(() => undefined)
      },
    }
  }

  /** A pause that one computer was asked for applies to the whole team. */
  async reportPause(): Promise<void> {
    const unreported = this.#unreportedPause
    if (unreported === null) return
    const leftMs = Math.ceil(unreported.untilMs - this.#clock.monotonicMs())
    if (leftMs > 0) await this.#membership.askForAll(ANSWERED, unreported.slot, leftMs)
    if (this.#unreportedPause === unreported) this.#unreportedPause = null
  }
}
