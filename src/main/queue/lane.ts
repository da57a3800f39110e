import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Random } from '../../shared/runtime/ports.ts'
import { assertNever } from '../../shared/sentences/errors.ts'
import type { HoldReason, Reason, WaitReason } from '../../shared/sentences/reasons.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { classifyFree, type FreeVerdict, type LaneStep } from '../core/classify.ts'
import { type AccountLedger, OWN_LEDGER } from '../core/account-ledger.ts'
import type { ImageService } from '../core/image-service.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { LostDispatches } from '../core/lost-dispatches.ts'
import { mayRetry, RETRIES, type Retry, retryMs } from '../core/retries.ts'
import { LaneSlots, type LaneSlotsDeps } from './lane-slots.ts'
import { priceQuestions, CreditBudget, type PicturePrice } from '../core/credit-budget.ts'
import type { SpendGroup } from '../core/spend-guard.ts'
import { Refusals } from './refusals.ts'
import type { CreditsWanted } from './short-of-credits.ts'

/** Holds that apply to every picture of a service rather than to one. */
export type LaneHold = Reason & {
  code: Extract<HoldReason, 'key_missing' | 'key_refused' | 'credits_short' | 'address_wrong'>
}

/** How a held service is probed without being asked. There is no probe without a key. */
const RELEASE_PROBES: Record<LaneHold['code'], Retry> = {
  key_missing: { firstMs: Number.POSITIVE_INFINITY },
  key_refused: RETRIES.refusedKey,
  credits_short: RETRIES.shortCredits,
  address_wrong: RETRIES.wrongAddress,
}
/** The price asked for while nothing is held: whether any picture can be afforded. */
const ANY_PICTURE: SpendGroup = { operation: 'process', languageCount: 1, format: 'webp', images: 1 }

const groupsToPrice = ({ held }: CreditsWanted): readonly SpendGroup[] => (held.length === 0 ? [ANY_PICTURE] : held)

interface LaneDeps extends Omit<LaneSlotsDeps, 'ledger'> {
  serviceId: ServiceId
  random: Random
  onBalance: (balance: number) => void
  creditsWanted: () => CreditsWanted
  /** A hold began or ended: pictures should be held or released. */
  onHold: () => void
}

/** One service with one key: its slots, the gate that closes when an answer is lost, and holds. */
export class Lane {
  readonly serviceId: ServiceId
  service: ImageService | null = null
  /** Which account the key belongs to; a random id. */
  accountId = ''
  readonly slots: LaneSlots
  /** Decides together with this computer about the account's rate and payments. */
  ledger: AccountLedger = OWN_LEDGER
  hold: LaneHold | null = null
  /** There may be a key in a keychain that is locked. */
  isKeychainLocked = false
  /** Set while the gate is closed. `sinceMs` (monotonic): since when no free call has been answered. */
  closed: { reason: WaitReason; sinceMs: number; attempts: number; probeAtMs: number } | null = null
  /** Meters dispatches after credits ran short; null while they are not known to be short. */
  credits: CreditBudget | null = null
  /** How many times in a row the price for a batch was asked for and not given. */
  readonly priceFailures = new Map<string, number>()
  refusals = new Refusals()
  readonly balanceMutex = createKeyedMutex()
  readonly #deps: LaneDeps
  /** The balance that was too small at the last check. */
  #shortAt = 0
  #nextReleaseProbeMs = 0
  /** Answers in a row that say so, each of which makes the next wait longer. */
  #wrongAddresses = 0
  #probing = false
  /** Something changed during a probe: probe again afterwards. */
  #repeatProbe = false
  /** How many consecutive times the balance was answered and a price was not. */
  #priceFailuresInARow = 0
  #losses = new LostDispatches()

  constructor(deps: LaneDeps) {
    this.serviceId = deps.serviceId
    this.#deps = deps
    this.slots = new LaneSlots({ ...deps, ledger: () => this.ledger })
  }

  /** The budget's clock: the time since the machine started. After a reboot, stored calls lie in the future and count as just made. */
  nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** Whether free calls may be made for pictures that were sent. A lack of credits stops only paid calls. */
  get usable(): boolean {
    if (this.service === null || this.closed !== null || this.ledger.trouble !== null) return false
    return this.hold === null || this.hold.code === 'credits_short'
  }

  get sends(): boolean {
    return this.usable && this.hold === null && this.trialAtMs() === null
  }

  get maxDispatches(): number {
    return this.#losses.most
  }

  /** When (monotonic) a dispatch may leave again after several were lost; null when there is nothing to wait for. */
  trialAtMs(): number | null {
    const { nextAtMs } = this.#losses
    return nextAtMs !== null && nextAtMs > this.nowMs() ? nextAtMs : null
  }

  /** Why nothing is sent although there is no hold, and since when (monotonic); null while the service answers as it should. */
  get trouble(): { reason: WaitReason; sinceMs: number } | null {
    if (this.closed !== null) return this.closed
    return this.trialAtMs() === null ? null : { reason: 'service_doubtful', sinceMs: this.#losses.sinceMs }
  }

  /** Applies what an answer says about the service; `detail` is for a hold, `leftAtMs` (monotonic) is when a dispatch left. */
  follow(step: LaneStep, detail: Sentence | null, leftAtMs = this.nowMs()): void {
    switch (step.gate) {
      case 'stay':
        return
      case 'open':
        return this.opened()
      case 'accepted':
        this.opened()
        this.#losses.accepted(leftAtMs)
        return this.addressIsRight()
      case 'lost':
        this.#losses.lost(this.nowMs())
        return this.close('service_doubtful')
      case 'close':
        this.#losses.freeFailed()
        return this.close(step.reason)
      case 'redirected':
        return this.#redirected(detail)
      case 'hold':
        if (step.open === true) this.opened()
        return this.setHold({ code: step.reason, detail })
      default:
        return assertNever(step)
    }
  }

  /** Closes the gate: no dispatch leaves until a free call is answered. */
  close(reason: WaitReason): void {
    const nowMs = this.nowMs()
    const attempts = (this.closed?.attempts ?? 0) + 1
    const waitMs = retryMs(RETRIES.closedLane, attempts, this.#deps.random)
    this.closed = { reason, sinceMs: this.closed?.sinceMs ?? nowMs, attempts, probeAtMs: nowMs + waitMs }
    this.#deps.onChange()
  }

  /** A free call was redirected. Redirects are not followed, and no picture is to blame. */
  #redirected(detail: Sentence | null): void {
    if (this.hold?.code === 'address_wrong') this.setHold(this.hold)
    else if (mayRetry(RETRIES.redirected, (this.closed?.attempts ?? 0) + 1)) this.close('service_doubtful')
    else this.setHold({ code: 'address_wrong', detail })
  }

  /** Resets the wrong-address count: a dispatch was accepted, or the address was changed. */
  addressIsRight(): void {
    this.#wrongAddresses = 0
  }

  /** Opens the gate: a free call was answered. */
  opened(): void {
    this.#losses.freeAnswered()
    if (this.closed === null) return
    this.closed = null
    this.#deps.onChange()
  }

  /** Another account, or the first. `lostBefore`: how many of its dispatches in a row were lost when it was last in use. */
  accountChanged(lostBefore: number): void {
    this.#losses = new LostDispatches(lostBefore)
    this.refusals = new Refusals()
    this.opened()
  }

  setHold(hold: LaneHold | null): void {
    const nowMs = this.nowMs()
    // Concurrent calls tend to get the same answer: only an answer to the last probe moves the next one.
    const isSame = hold?.code === this.hold?.code && this.#nextReleaseProbeMs > nowMs
    if (!isSame) this.#probeForRelease(hold)
    const isOther = hold?.code !== this.hold?.code
    this.hold = hold
    if (isOther) this.#deps.onHold()
  }

  #askNow(): void {
    this.#nextReleaseProbeMs = Math.min(this.#nextReleaseProbeMs, this.nowMs())
    this.#repeatProbe = this.#probing
  }

  #askLater(retry: Retry, failures = 1): void {
    this.#nextReleaseProbeMs = this.nowMs() + retryMs(retry, failures, this.#deps.random)
  }

  #probeForRelease(hold: LaneHold | null): void {
    if (hold === null) this.#nextReleaseProbeMs = this.nowMs()
    else this.#askLater(RELEASE_PROBES[hold.code], hold.code === 'address_wrong' ? (this.#wrongAddresses += 1) : 1)
  }

  /** Records a balance that came with another answer. One that is higher than expected is asked about at once. */
  noteBalance(credits: number): void {
    this.#deps.onBalance(credits)
    const expected = this.hold?.code === 'credits_short' ? this.#shortAt : this.credits?.left
    if (expected !== undefined && credits > expected) this.#askNow()
    this.#deps.onChange()
  }

  /** The service refused a picture for lack of credits, or this balance covers none of the waiting ones. */
  markOutOfCredits(balance: number, missing: number): void {
    this.credits = null
    this.#shortAt = balance
    this.setHold({ code: 'credits_short', detail: say('credits_missing', { credits: missing }) })
  }

  /** Whether the remaining credits cover a picture's price. Always true while credits are not known to be short. */
  covers(group: SpendGroup): boolean {
    if (this.credits === null || this.credits.covers(group)) return true
    if (!this.credits.knows(group)) this.#probeSoon()
    return false
  }

  spend(group: SpendGroup): void {
    this.credits?.spend(group)
    if (!this.covers(group)) this.holdIfShort()
  }

  /** Holds waiting pictures once the balance covers none of them. */
  holdIfShort(): void {
    const { credits } = this
    if (credits === null || this.hold !== null) return
    const { held, ready } = this.#deps.creditsWanted()
    const waiting = [...held, ...ready]
    if (waiting.length === 0 || waiting.some((group) => credits.covers(group) || !credits.knows(group))) return
    const missing = Math.min(...waiting.map((group) => credits.missingFor(group)))
    this.markOutOfCredits(credits.left, missing)
    // The pictures sent may have cost less.
    this.#askLater(RETRIES.spentCredits)
  }

  /** A person expects the service to work now. */
  askSoon(): void {
    this.#losses.tryNow()
    this.#probeSoon()
  }

  #probeSoon(): void {
    this.#askNow()
    if (this.closed !== null) this.closed.probeAtMs = this.nowMs()
    this.#deps.onChange()
  }

  /** When (monotonic) the service should be probed next; null while there is no need to. */
  probeAtMs(): number | null {
    if (this.service === null || this.#probing || this.ledger.trouble !== null) return null
    if (this.hold !== null) return Number.isFinite(this.#nextReleaseProbeMs) ? this.#nextReleaseProbeMs : null
    if (this.closed !== null) return this.closed.probeAtMs
    return this.credits === null ? null : this.#nextReleaseProbeMs
  }

  /** Asks for the balance, a free call, and updates the gate and the hold accordingly. */
  async probe(signal: AbortSignal): Promise<FreeVerdict<number>> {
    const service = this.service
    if (service === null)
      return {
        kind: 'hold',
        reason: 'key_refused',
        detail: say('key_not_set'),
        lane: { gate: 'hold', reason: 'key_refused', open: true },
      }
    this.#probing = true
    const failuresBefore = this.#priceFailuresInARow
    try {
      const verdict = classifyFree(await service.balance({ slot: await this.slots.take(signal), signal }))
      this.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
      if (verdict.kind === 'ok') {
        this.#deps.onBalance(verdict.value)
        if (this.hold !== null && this.hold.code !== 'credits_short') this.setHold(null)
        if (this.hold?.code === 'credits_short' || this.credits !== null)
          await this.#askCredits(service, verdict.value, signal)
      }
      return verdict
    } catch (error) {
      // The call failed for a local reason: the next probe waits as after a bad answer.
      if (this.closed !== null) this.close(this.closed.reason)
      throw error
    } finally {
      this.#probing = false
      // What is still held is not probed again at once.
      if (this.hold !== null) this.setHold(this.hold)
      else if (this.credits !== null) this.#askLater(RETRIES.shortCredits)
      if (this.#priceFailuresInARow > failuresBefore) this.#askLater(RETRIES.missingPrice, this.#priceFailuresInARow)
      if (this.#repeatProbe) this.#nextReleaseProbeMs = this.nowMs()
      this.#repeatProbe = false
      this.#deps.onChange()
    }
  }

  /** Asks for the price of the held pictures, and resumes those that the balance covers. */
  async #askCredits(service: ImageService, asked: number, signal: AbortSignal): Promise<void> {
    const wanted = this.#deps.creditsWanted()
    const prices: PicturePrice[] = []
    let balance = asked
    for (const question of priceQuestions(groupsToPrice(wanted))) {
      const verdict = classifyFree(await service.afford(question, { slot: await this.slots.take(signal), signal }))
      this.#priceFailuresInARow = verdict.kind === 'ok' ? 0 : this.#priceFailuresInARow + 1
      if (verdict.kind !== 'ok') return
      prices.push({ question, credits: verdict.value.required })
      balance = Math.min(balance, verdict.value.balance)
    }
    this.#deps.onBalance(balance)
    this.#meter(balance, prices, wanted)
  }

  /** Lets continue what the balance covers by these prices, or holds everything. */
  #meter(balance: number, prices: readonly PicturePrice[], wanted: CreditsWanted): void {
    const { held, sending } = wanted
    const groups = groupsToPrice(wanted)
    const credits = CreditBudget.of(balance, prices)
    for (const group of sending) for (let n = 0; n < group.images; n += 1) credits.spend(group)
    // A balance no higher than one that was too small is no reason to try a picture of unknown price.
    if (balance <= this.#shortAt) credits.tryNothing()
    this.#shortAt = balance
    if (!groups.some((group) => credits.covers(group)))
      return this.markOutOfCredits(balance, Math.min(...groups.map((group) => credits.missingFor(group))))
    this.credits = held.length === 0 ? null : credits
    this.setHold(null)
  }
}
