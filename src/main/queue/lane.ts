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
import { Refusals } from './refusals.ts'

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
interface LaneDeps extends Omit<LaneSlotsDeps, 'ledger'> {
  serviceId: ServiceId
  random: Random
  onBalance: (balance: number) => void
  /** A hold began or ended: pictures should be held or released. */
  onHold: () => void
}

/**
 * The state of one service with one key: its slots, the gate that closes when an answer is lost, and holds. `service` is
 * null while there is no key.
 */
export class Lane {
  readonly serviceId: ServiceId
  service: ImageService | null = null
  /** Which account the key belongs to; a random id. */
  accountId = ''
  /** The calls that may be made in a minute. */
  readonly slots: LaneSlots
  /** Decides together with this computer about the account's rate and payments. */
  ledger: AccountLedger = OWN_LEDGER
  hold: LaneHold | null = null
  /** There may be a key in a keychain that is locked. */
  isKeychainLocked = false
  /** Set while the gate is closed. `sinceMs` (monotonic): since when no free call has been answered. */
  closed: { reason: WaitReason; sinceMs: number; attempts: number; probeAtMs: number } | null = null
  /** How many times in a row the price for a batch was asked for and not given. */
  readonly priceless = new Map<string, number>()
  refusals = new Refusals()
  /** Serialises looks at the balance. */
  readonly oneAtATime = createKeyedMutex()
  readonly #deps: LaneDeps
  /** The balance at which a picture was refused for lack of credits: once it is higher, pictures are sent again. */
  #shortAt = 0
  /** None was accepted since pictures were held for lack of credits. */
  #isTryingCredits = false
  #nextReleaseProbeMs = 0
  /** How many times the address was found wrong since a dispatch was accepted or the address was set. */
  #wrongAddress = 0
  #probing = false
  /** Something changed during a probe that its answers do not reflect: probe again afterwards. */
  #repeatProbe = false
  #losses = new LostDispatches()

  constructor(deps: LaneDeps) {
    this.serviceId = deps.serviceId
    this.#deps = deps
    this.slots = new LaneSlots({ ...deps, ledger: () => this.ledger })
  }

  /**
   * The budget's clock: time since the machine started, so that setting the wall clock, even between two runs, never makes a
   * call look older than it is. After a reboot the stored log lies in the future and its calls count as just made.
   */
  nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** Whether free calls may be made for pictures that were sent. A lack of credits stops only paid calls. */
  get usable(): boolean {
    if (this.service === null || this.closed !== null || this.ledger.trouble !== null) return false
    return this.hold === null || this.hold.code === 'credits_short'
  }

  /** Whether dispatches are allowed. */
  get sends(): boolean {
    return this.usable && this.hold === null && this.trialAtMs() === null
  }

  /** How many dispatches may be under way. */
  get maxDispatches(): number {
    return this.#isTryingCredits ? 1 : this.#losses.most
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

  /**
   * Applies what an answer says about the service, as `classify.ts` decided; `detail` is for a hold, `leftAtMs` (monotonic) is when a dispatch
   * left.
   */
  follow(step: LaneStep, detail: Sentence | null, leftAtMs = this.nowMs()): void {
    switch (step.gate) {
      case 'stay':
        return
      case 'open':
        return this.opened()
      case 'accepted':
        this.opened()
        this.#losses.accepted(leftAtMs)
        this.#isTryingCredits = false
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

  /** Closes the gate after an answer was lost or a call failed: no dispatch leaves until a free call is answered. */
  close(reason: WaitReason): void {
    const nowMs = this.#deps.clock.monotonicMs()
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
    this.#wrongAddress = 0
  }

  /** Opens the gate: a free call was answered. */
  opened(): void {
    this.#losses.freeAnswered()
    if (this.closed === null) return
    this.closed = null
    this.#deps.onChange()
  }

  /**
   * Another account, or the first: what went wrong with the one before says nothing about it. `lostBefore`: how many of its own dispatches
   * in a row were lost when it was last in use.
   */
  accountChanged(lostBefore: number): void {
    this.#losses = new LostDispatches(lostBefore)
    this.refusals = new Refusals()
    this.opened()
  }

  setHold(hold: LaneHold | null): void {
    const nowMs = this.#deps.clock.monotonicMs()
    // Concurrent calls tend to get the same answer: only an answer to the last probe moves the next one.
    const isSame = hold?.code === this.hold?.code && this.#nextReleaseProbeMs > nowMs
    if (!isSame) this.#probeForRelease(hold)
    if (hold?.code === this.hold?.code) return
    if (this.hold?.code === 'credits_short') this.#isTryingCredits = true
    this.hold = hold
    this.#deps.onHold()
  }

  #probeForRelease(hold: LaneHold | null): void {
    const { clock, random } = this.#deps
    const failures = hold?.code === 'address_wrong' ? (this.#wrongAddress += 1) : 1
    const waitMs = hold === null ? 0 : retryMs(RELEASE_PROBES[hold.code], failures, random)
    this.#nextReleaseProbeMs = clock.monotonicMs() + waitMs
  }

  /** Records a balance. One that is higher than when credits ran short ends the hold. */
  noteBalance(credits: number): void {
    this.#deps.onBalance(credits)
    if (this.hold?.code === 'credits_short' && credits > this.#shortAt) this.setHold(null)
    this.#deps.onChange()
  }

  /** The service refused a picture for lack of credits. */
  runShort(balance: number, missing: number): void {
    this.#shortAt = balance
    this.#deps.onBalance(balance)
    this.setHold({ code: 'credits_short', detail: say('credits_missing', { credits: missing }) })
  }

  /** A person expects the service to work now: probes, and sends, at once instead of at the next scheduled time. */
  askSoon(): void {
    this.#losses.tryNow()
    // A picture may cost less than the one that was refused.
    this.#shortAt = 0
    this.#nextReleaseProbeMs = this.#deps.clock.monotonicMs()
    this.#repeatProbe = this.#probing
    if (this.closed !== null) this.closed.probeAtMs = this.#deps.clock.monotonicMs()
    this.#deps.onChange()
  }

  /** When (monotonic) the service should be probed next; null while there is no need to. */
  probeAtMs(): number | null {
    if (this.service === null || this.#probing || this.ledger.trouble !== null) return null
    if (this.hold !== null) return Number.isFinite(this.#nextReleaseProbeMs) ? this.#nextReleaseProbeMs : null
    return this.closed?.probeAtMs ?? null
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
    try {
      const verdict = classifyFree(await service.balance({ slot: await this.slots.take(signal), signal }))
      this.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
      if (verdict.kind === 'ok') {
        this.noteBalance(verdict.value)
        if (this.hold !== null && this.hold.code !== 'credits_short') this.setHold(null)
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
      if (this.#repeatProbe) this.#nextReleaseProbeMs = this.#deps.clock.monotonicMs()
      this.#repeatProbe = false
      this.#deps.onChange()
    }
  }
}
