import { ownSentence } from '../../shared/own-sentences.ts'
import type { Clock, Logger, Random } from '../../shared/ports.ts'
import type { HoldReason, Reason, WaitReason } from '../../shared/reasons.ts'
import type { ServiceId } from '../../shared/recipe.ts'
import { backoffMs } from '../core/backoff.ts'
import { classifyFree, type FreeVerdict } from '../core/classify.ts'
import type { ImageService, Slot } from '../core/image-service.ts'
import { priceQuestions, Purse, type PicturePrice } from '../core/purse.ts'
import type { SpendGroup } from '../core/spend-guard.ts'
import { countUpTo, type RateBudget, type RateBudgetState } from '../core/rate-budget.ts'
import type { CreditsWanted } from './short-of-credits.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Holds that concern every picture of a service, not one. */
export type LaneHold = Reason & {
  code: Extract<HoldReason, 'key_missing' | 'key_refused' | 'credits_short' | 'address_wrong'>
}

/** How often a held service is asked again by itself. A missing key is not asked about: there is nothing to ask with. */
const RELEASE_PROBE_MS: Record<Exclude<LaneHold['code'], 'address_wrong'>, number> = {
  key_missing: Number.POSITIVE_INFINITY,
  key_refused: 10 * MINUTE,
  credits_short: 5 * MINUTE,
}
/** A wrong address may be a portal that wants a sign-in first: asked again soon, then ever more rarely. */
const WRONG_ADDRESS_PROBE = { firstMs: 5 * SECOND, lastMs: 10 * MINUTE }
/** After this many redirects of free calls in a row, about a minute of them, the address is taken to be wrong. */
const REDIRECTS_IN_A_ROW = 7

/** After the last covered picture was sent the balance is asked for again: by then it has been charged. */
const SOON_MS = 10 * SECOND
/** What is asked about while nothing is held: whether anything can be afforded. */
const ANY_PICTURE: SpendGroup = { operation: 'process', languageCount: 1, format: 'webp', images: 1 }

export interface LaneDeps {
  serviceId: ServiceId
  clock: Clock
  random: Random
  log: Logger
  budget: RateBudget
  /** Called with the budget's new state before a request leaves, so that a restart knows of it. */
  saveBudget: (state: RateBudgetState) => void
  onBalance: (balance: number) => void
  creditsWanted: () => CreditsWanted
  /** A slot was taken or came free, or the gate moved: look again. */
  onChange: () => void
  /** A hold began or ended: pictures are to be held or released. */
  onHold: () => void
}

/**
 * Everything that concerns one service and its key: the rate budget, the gate that closes when an answer was lost, and
 * holds. `service` is null while there is no key.
 */
export class Lane {
  readonly serviceId: ServiceId
  service: ImageService | null = null
  /** Which account the key belongs to; a random id. */
  accountId = ''
  hold: LaneHold | null = null
  /** Since when (monotonic) no free call was answered; null while the gate is open. */
  closed: { reason: WaitReason; sinceMs: number; attempts: number; probeAtMs: number } | null = null
  /** Meters what is sent after credits had run short; null while they are not known to be short. */
  purse: Purse | null = null
  readonly #deps: LaneDeps
  /** The balance that was too small when that was last looked at. */
  #shortAt = 0
  #nextReleaseProbeMs = 0
  /** How often the address was found wrong since a dispatch was accepted or the address was set. */
  #wrongAddress = 0
  #probing = false
  /** Calls made since the start of this process. */
  requests = 0
  readonly #people: (() => void)[] = []

  constructor(deps: LaneDeps) {
    this.serviceId = deps.serviceId
    this.#deps = deps
  }

  /**
   * The budget's time: time since the machine started, so that no change of the wall clock, also between two runs, makes
   * a call look older than it is. After a restart of the machine the log lies in the future and counts as just made.
   */
  nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** When the queue may spend slots, as seen at `nowMs` (monotonic), ascending; nothing while somebody waits for a call. */
  slotTimes(nowMs: number): number[] {
    return this.#people.length > 0 ? [] : this.#deps.budget.backgroundSlotTimes(nowMs)
  }

  setLimit(requestsPerMinute: number): void {
    this.#deps.budget.setLimit(requestsPerMinute)
    this.#deps.onChange()
  }

  /** Whether free calls may be made for pictures that were sent. Too few credits stop only what costs. */
  get usable(): boolean {
    return this.service !== null && this.closed === null && (this.hold === null || this.hold.code === 'credits_short')
  }

  /** Whether pictures may be sent. */
  get sends(): boolean {
    return this.usable && this.hold === null
  }

  /** A slot for work of the queue, or null when none is free. */
  tryTakeSlot(): Slot | null {
    const nowMs = this.nowMs()
    return countUpTo(this.slotTimes(nowMs), nowMs) > 0 ? this.#take() : null
  }

  /** A slot for a call that a person, or a decision, waits for: goes before the queue's own. */
  async takeSlot(signal?: AbortSignal): Promise<Slot> {
    signal?.throwIfAborted()
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    const begin = () => resolve()
    this.#people.push(begin)
    this.#people[0]!()
    // Who no longer waits for a slot must not wait for those in front either: some pauses are long.
    signal?.addEventListener('abort', begin, { once: true })
    try {
      await turn
      for (;;) {
        signal?.throwIfAborted()
        const now = this.nowMs()
        if (this.#deps.budget.freeSlots(now) > 0) return this.#take()
        await this.#sleep(Math.max(10, this.#deps.budget.nextFreeAtMs(now) - now), signal)
      }
    } finally {
      signal?.removeEventListener('abort', begin)
      this.#people.splice(this.#people.indexOf(begin), 1)
      this.#people[0]?.()
      this.#deps.onChange()
    }
  }

  /** An answer was lost or could not be had: no dispatch leaves until a free call was answered. */
  close(reason: WaitReason): void {
    const nowMs = this.#deps.clock.monotonicMs()
    const attempts = (this.closed?.attempts ?? 0) + 1
    const waitMs = backoffMs({ attempt: attempts, baseMs: SECOND, capMs: MINUTE }, this.#deps.random)
    this.closed = { reason, sinceMs: this.closed?.sinceMs ?? nowMs, attempts, probeAtMs: nowMs + waitMs }
    this.#deps.onChange()
  }

  /** A free call was redirected: no redirect is followed, and nobody else's picture is at fault. */
  redirected(detail: string): void {
    if (this.hold?.code === 'address_wrong') this.setHold(this.hold)
    else if ((this.closed?.attempts ?? 0) + 1 >= REDIRECTS_IN_A_ROW) this.setHold({ code: 'address_wrong', detail })
    else this.close('service_doubtful')
  }

  /** A dispatch was accepted, or the address is another: a wrong one is a new matter. */
  addressIsRight(): void {
    this.#wrongAddress = 0
  }

  /** A free call was answered: the service is there. */
  opened(): void {
    if (this.closed === null) return
    this.closed = null
    this.#deps.onChange()
  }

  setHold(hold: LaneHold | null): void {
    const nowMs = this.#deps.clock.monotonicMs()
    // Calls that were under way together are answered alike: only an answer to the last probe moves the next one.
    const isSame = hold?.code === this.hold?.code && this.#nextReleaseProbeMs > nowMs
    if (!isSame) this.#askLater(this.#releaseProbeMs(hold))
    if (hold?.code === this.hold?.code) return
    this.hold = hold
    this.#deps.onHold()
  }

  #askLater(intervalMs: number): void {
    this.#nextReleaseProbeMs = this.#deps.clock.monotonicMs() + intervalMs * (0.9 + 0.2 * this.#deps.random())
  }

  #releaseProbeMs(hold: LaneHold | null): number {
    if (hold === null) return 0
    if (hold.code !== 'address_wrong') return RELEASE_PROBE_MS[hold.code]
    this.#wrongAddress += 1
    return Math.min(WRONG_ADDRESS_PROBE.firstMs * 2 ** (this.#wrongAddress - 1), WRONG_ADDRESS_PROBE.lastMs)
  }

  /** What an answer to a person's question said, besides, about the credits there are. */
  noteBalance(credits: number): void {
    this.#deps.onBalance(credits)
    const expected = this.hold?.code === 'credits_short' ? this.#shortAt : this.purse?.left
    if (expected !== undefined && credits > expected) this.#nextReleaseProbeMs = this.#deps.clock.monotonicMs()
    this.#deps.onChange()
  }

  /** The service refused a picture for want of credits, or none of those that wait is covered by this balance. */
  runShort(balance: number, missing: number): void {
    this.purse = null
    this.#shortAt = balance
    this.setHold({ code: 'credits_short', detail: ownSentence('credits_missing', { credits: missing }) })
  }

  /** Whether what is left covers a picture's price. Always true while credits are not known to be short. */
  covers(group: SpendGroup): boolean {
    if (this.purse === null || this.purse.covers(group)) return true
    if (!this.purse.knows(group)) this.askSoon()
    return false
  }

  /** A picture is being sent. */
  spend(group: SpendGroup): void {
    this.purse?.spend(group)
    if (!this.covers(group)) this.settlePurse()
  }

  /** Holds waiting pictures when the balance covers none of them any more. */
  settlePurse(): void {
    const { purse } = this
    if (purse === null || this.hold !== null) return
    const { held, ready } = this.#deps.creditsWanted()
    const waiting = [...held, ...ready]
    if (waiting.length === 0 || waiting.some((group) => purse.covers(group) || !purse.knows(group))) return
    const missing = Math.min(...waiting.map((group) => purse.missingFor(group)))
    this.runShort(purse.left, missing)
    // What was sent may have cost less, and the balance shown must be the current one.
    this.#askLater(SOON_MS)
  }

  /** A person says that it should work now: asks at once instead of at the next regular time. */
  askSoon(): void {
    this.#nextReleaseProbeMs = Math.min(this.#nextReleaseProbeMs, this.#deps.clock.monotonicMs())
    if (this.closed !== null) this.closed.probeAtMs = this.#deps.clock.monotonicMs()
    this.#deps.onChange()
  }

  /** When (monotonic) the service should be asked whether it is there again; null while there is no need to. */
  probeAtMs(): number | null {
    if (this.service === null || this.#probing) return null
    if (this.hold !== null) return Number.isFinite(this.#nextReleaseProbeMs) ? this.#nextReleaseProbeMs : null
    if (this.closed !== null) return this.closed.probeAtMs
    return this.purse === null ? null : this.#nextReleaseProbeMs
  }

  /** Asks for the balance, the free call, and draws the conclusions for the gate and the hold. */
  async probe(signal: AbortSignal): Promise<FreeVerdict<number>> {
    const service = this.service
    if (service === null) return { kind: 'hold', reason: 'key_refused', detail: ownSentence('no_key') }
    this.#probing = true
    try {
      const verdict = classifyFree(await service.balance({ slot: await this.takeSlot(signal), signal }))
      this.conclude(verdict)
      if (verdict.kind === 'ok') {
        this.#deps.onBalance(verdict.value)
        if (this.hold !== null && this.hold.code !== 'credits_short') this.setHold(null)
        if (this.hold?.code === 'credits_short' || this.purse !== null)
          await this.#askCredits(service, verdict.value, signal)
      }
      return verdict
    } catch (error) {
      // It failed for a local reason: the next one waits as after a bad answer.
      if (this.closed !== null) this.close(this.closed.reason)
      throw error
    } finally {
      this.#probing = false
      // In any case, do not ask at once again about what is still held.
      if (this.hold !== null) this.setHold(this.hold)
      else if (this.purse !== null) this.#askLater(RELEASE_PROBE_MS.credits_short)
      this.#deps.onChange()
    }
  }

  /** What any free call's answer says about the service as a whole. */
  conclude(verdict: FreeVerdict<unknown>): void {
    if (verdict.kind === 'redirected') return this.redirected(verdict.detail)
    if (verdict.kind === 'retry') this.close(verdict.reason)
    else this.opened()
    if (verdict.kind === 'hold') this.setHold({ code: verdict.reason, detail: verdict.detail })
    if (verdict.kind === 'notFound') this.setHold({ code: 'address_wrong', detail: '404' })
  }

  /** Asks for the price of held pictures, and resumes those that the balance covers. */
  async #askCredits(service: ImageService, asked: number, signal: AbortSignal): Promise<void> {
    const { held, sending } = this.#deps.creditsWanted()
    const groups = held.length === 0 ? [ANY_PICTURE] : held
    const prices: PicturePrice[] = []
    let balance = asked
    for (const question of priceQuestions(groups)) {
      const verdict = classifyFree(await service.afford(question, { slot: await this.takeSlot(signal), signal }))
      if (verdict.kind !== 'ok') return
      prices.push({ question, credits: verdict.value.required })
      balance = Math.min(balance, verdict.value.balance)
    }
    this.#deps.onBalance(balance)
    const purse = Purse.of(balance, prices)
    for (const group of sending) for (let n = 0; n < group.images; n += 1) purse.spend(group)
    // A balance no higher than one that was too low is no reason to try a picture of unknown price.
    if (balance <= this.#shortAt) purse.tryNothing()
    this.#shortAt = balance
    if (!groups.some((group) => purse.covers(group)))
      return this.runShort(balance, Math.min(...groups.map((group) => purse.missingFor(group))))
    this.purse = held.length === 0 ? null : purse
    this.setHold(null)
  }

  #take(): Slot {
    const { budget, log } = this.#deps
    const id = budget.take(this.nowMs())
    this.requests += 1
    const save = () => this.#deps.saveBudget(budget.state(this.nowMs()))
    try {
      save()
    } catch (error) {
      // No room for the log means that the request does not leave.
      budget.cancel(id)
      throw error
    }
    // An answer is worth more than the note of it: what is stored, the call still under way, is the careful reading.
    const saveIfPossible = () => {
      try {
        save()
      } catch (error) {
        log.error('the rate log cannot be written', { error: String(error) })
      }
    }
    return {
      answered: () => {
        budget.answered(id, this.nowMs())
        saveIfPossible()
        this.#deps.onChange()
      },
      rateLimited: (retryAfterMs) => {
        budget.rateLimited(id, this.nowMs(), retryAfterMs)
        saveIfPossible()
        log.warn('rate limited by the service', { retryAfterMs })
        this.#deps.onChange()
      },
    }
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#deps.clock.setTimer(ms, done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }
}
