import { AppError } from '../../shared/sentences/errors.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { AccountLedger, Urgency } from '../core/account-ledger.ts'
import type { Slot, TakenSlot } from '../core/image-service.ts'
import { countUpTo, type RateBudget, type RateBudgetState } from '../core/rate-budget.ts'
import { sleep } from '../core/sleep.ts'

const SECOND = 1000

export interface LaneSlotsDeps {
  clock: Clock
  log: Logger
  budget: RateBudget
  /** Called with the budget's new state before a request is made, so that it survives a restart. */
  saveBudget: (state: RateBudgetState) => void
  /** Whether nothing can be stored any more, because the engine has ended. */
  hasEnded: () => boolean
  /** A slot was taken or freed: the runner should plan again. */
  onChange: () => void
  /** The account's ledger, which may change with the key. */
  ledger: () => AccountLedger
}

/** The calls that a lane may make: this computer's rate budget and, in a team, the ledger's permission for each of them. */
export class LaneSlots {
  /** More work is waiting than there are slots; maintained by the runner. */
  hasBacklog = false
  requests = 0
  readonly #deps: LaneSlotsDeps
  readonly #interactiveWaiters: (() => void)[] = []
  /** Of the settings; the budget has fewer while others share the account. */
  #limit: number
  /** The ledger is not asked for a slot before this time (monotonic). */
  #deniedUntilMs = -Infinity

  constructor(deps: LaneSlotsDeps) {
    this.#deps = deps
    this.#limit = deps.budget.limit
  }

  /** See `Lane.nowMs`. */
  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }

  get left(): number {
    return this.#deps.budget.freeSlots(this.#nowMs())
  }

  /** When the queue may spend slots, as of `nowMs` (monotonic), ascending; empty while a caller waits in `take`. */
  times(nowMs: number): number[] {
    return this.#interactiveWaiters.length > 0 ? [] : this.schedule(nowMs)
  }

  /** The same as if no caller waited. */
  schedule(nowMs: number): number[] {
    this.#applyShare()
    const { budget } = this.#deps
    // While computers share the slots, the ledger lets people go first: a reserve at each of them would add up.
    const isShared = budget.limit < this.#limit
    const times = isShared ? budget.slotTimes(nowMs) : budget.backgroundSlotTimes(nowMs)
    return this.#deniedUntilMs <= nowMs ? times : times.map((timeMs) => Math.max(timeMs, this.#deniedUntilMs))
  }

  setLimit(requestsPerMinute: number): void {
    this.#limit = requestsPerMinute
    this.#applyShare()
    this.#deps.onChange()
  }

  /** The account's ledger could not answer: the queue sends nothing for a moment. */
  backOff(): void {
    this.#deniedUntilMs = this.#nowMs() + SECOND
  }

  #applyShare(): void {
    const share = this.#deps.ledger().share(this.#limit)
    if (share !== this.#deps.budget.limit) this.#deps.budget.setLimit(share)
  }

  /** A slot for the queue's work, or null when none is free. */
  async tryTake(): Promise<TakenSlot | null> {
    const nowMs = this.#nowMs()
    if (countUpTo(this.times(nowMs), nowMs) === 0) return null
    return (await this.#permitted(this.#begin(), 'queue')).slot
  }

  /** A slot of this computer, if the account's ledger permits the call; otherwise when to ask it again. */
  async #permitted(slot: TakenSlot, urgency: Urgency): Promise<{ slot: TakenSlot } | { slot: null; retryMs: number }> {
    const answer = await this.#deps.ledger().permit(urgency, this.#limit, this.hasBacklog)
    if (answer.kind === 'denied') {
      slot.unused()
      if (urgency === 'queue') this.#deniedUntilMs = this.#nowMs() + answer.retryMs
      return { slot: null, retryMs: answer.retryMs }
    }
    const { permit } = answer
    return {
      slot: {
        isCurrent: () => permit.isCurrent(),
        answered: () => {
          permit.answered(null)
          slot.answered()
        },
        rateLimited: (retryAfterMs) => {
          slot.rateLimited(retryAfterMs)
          const nowMs = this.#nowMs()
          permit.answered((this.#deps.budget.pausedUntilMs(nowMs) ?? nowMs) - nowMs)
        },
        unused: () => {
          permit.unused()
          slot.unused()
        },
      },
    }
  }

  /** A slot for a call that a person or a command waits for, ahead of the queue's work. Throws as the ledger, such as `ledger_away`. */
  async take(signal?: AbortSignal): Promise<Slot> {
    signal?.throwIfAborted()
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    const begin = () => resolve()
    this.#interactiveWaiters.push(begin)
    this.#interactiveWaiters[0]!()
    // A cancelled caller does not wait for those ahead of it: some pauses are long.
    signal?.addEventListener('abort', begin, { once: true })
    try {
      await turn
      for (;;) {
        signal?.throwIfAborted()
        await this.#deps.ledger().ready()
        const { trouble } = this.#deps.ledger()
        if (trouble !== null) throw new AppError(trouble.code, trouble.detail ?? say('ledger_away'))
        // The share of this computer is for its queue: the ledger decides which of the account's slots a person gets.
        this.#deps.budget.setLimit(this.#limit)
        const now = this.#nowMs()
        if (this.#deps.budget.freeSlots(now) > 0) {
          const permitted = await this.#permitted(this.#begin(), 'person')
          if (permitted.slot !== null) return permitted.slot
          await sleep(this.#deps.clock, permitted.retryMs, signal)
          continue
        }
        await sleep(this.#deps.clock, Math.max(10, this.#deps.budget.nextFreeAtMs(now) - now), signal)
      }
    } finally {
      signal?.removeEventListener('abort', begin)
      this.#interactiveWaiters.splice(this.#interactiveWaiters.indexOf(begin), 1)
      this.#interactiveWaiters[0]?.()
      this.#deps.onChange()
    }
  }

  #begin(): TakenSlot {
    const { budget, log, hasEnded } = this.#deps
    const id = budget.take(this.#nowMs())
    this.requests += 1
    const save = () => this.#deps.saveBudget(budget.state(this.#nowMs()))
    try {
      save()
    } catch (error) {
      // When the budget's log cannot be stored, the request is not made.
      budget.cancel(id)
      throw error
    }
    // An answer must not be lost: the stored state, with the call still in flight, errs on the safe side.
    const saveIfPossible = () => {
      try {
        save()
      } catch (error) {
        if (!hasEnded()) log.error('the rate log cannot be written', { error: String(error) })
      }
    }
    return {
      unused: () => {
        budget.cancel(id)
        this.requests -= 1
        saveIfPossible()
      },
      answered: () => {
        budget.answered(id, this.#nowMs())
        saveIfPossible()
        this.#deps.onChange()
      },
      rateLimited: (retryAfterMs) => {
        budget.rateLimited(id, this.#nowMs(), retryAfterMs)
        saveIfPossible()
        log.warn('rate limited by the service', { retryAfterMs })
        this.#deps.onChange()
      },
    }
  }
}
