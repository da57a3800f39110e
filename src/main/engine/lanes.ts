import { z } from 'zod'
import { say } from '../../shared/sentences/sentence.ts'
import { PRACTICE_SERVICE, type ServiceId } from '../../shared/recipes/recipe.ts'
import type { AccountLedger } from '../core/account-ledger.ts'
import { createBudget, RateBudgetState } from '../core/rate-budget.ts'
import { accountOf, nameAccount } from '../journal/accounts.ts'
import { servicesBoundTo } from '../journal/batches.ts'
import { recordBalance } from '../journal/history.ts'
import { servicesInFlight } from '../journal/job-ids.ts'
import { lostInARow } from '../journal/payments.ts'
import { Lane, type LaneHold } from '../queue/lane.ts'
import { creditsWanted } from '../queue/short-of-credits.ts'
import { imageBaseUrl } from '../services/base-url.ts'
import { createImageService } from '../services/image-service.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineRun } from './engine-run.ts'

interface LaneSetDeps
  extends
    Pick<EngineRun, 'clock' | 'random' | 'log' | 'http' | 'secrets' | 'practice'>,
    Pick<EngineData, 'db' | 'documents' | 'settings' | 'fingerprint' | 'makeId'> {
  /** Who has a say about an account (`team.ts`). */
  ledgerOf: (serviceId: ServiceId, accountId: string, apiKey: string) => AccountLedger
  onChange: () => void
  onHold: () => void
}

const KnownService = z.object({ baseUrl: z.string() })

/** A lane for each image service that is in use, has work in flight, or has a batch bound to it. */
export class LaneSet {
  readonly #deps: LaneSetDeps
  readonly #lanes = new Map<ServiceId, Lane>()
  readonly #keys = new Map<ServiceId, string | null>()
  #activeId: ServiceId | null = null

  constructor(deps: LaneSetDeps) {
    this.#deps = deps
  }

  all(): Lane[] {
    return [...this.#lanes.values()]
  }

  askSoon(): void {
    for (const lane of this.#lanes.values()) if (lane.hold !== null || lane.trouble !== null) lane.askSoon()
  }

  get(serviceId: ServiceId): Lane | null {
    return this.#lanes.get(serviceId) ?? null
  }

  /** The service for new jobs; null if none is chosen. */
  get activeId(): ServiceId | null {
    return this.#activeId
  }

  active(): Lane | null {
    return this.#activeId === null ? null : this.get(this.#activeId)
  }

  /** Null for the practice service where there is none. */
  baseUrlOf(serviceId: ServiceId): string | null {
    const { practice, documents } = this.#deps
    if (serviceId === PRACTICE_SERVICE) return practice?.imageBaseUrl ?? null
    return documents.get('service', serviceId, KnownService)?.baseUrl ?? null
  }

  /** The lane of the service at an address, with its stored key. Throws for an invalid address. */
  async laneAt(given: string): Promise<Lane> {
    const { baseUrl, origin } = imageBaseUrl(given)
    if (origin !== this.activeId) {
      this.#deps.documents.put('service', origin, { baseUrl })
      await this.#refreshLane(origin)
    }
    return this.#lanes.get(origin)!
  }

  /** Reads settings and keys again; called at start and after every change. Throws for an invalid address. */
  async refresh(): Promise<void> {
    this.#activeId = this.#chosen()
    const bound = servicesBoundTo(this.#deps.db)
    const active = this.#activeId ?? []
    for (const serviceId of new Set([servicesInFlight(this.#deps.db), bound, active].flat()))
      await this.#refreshLane(serviceId)
    this.#deps.onHold()
  }

  #chosen(): ServiceId | null {
    const { settings, documents, practice } = this.#deps
    const given = settings().imageBaseUrl
    if (given === null) return practice === null ? null : PRACTICE_SERVICE
    const { baseUrl, origin } = imageBaseUrl(given)
    documents.put('service', origin, { baseUrl })
    return origin
  }

  async #refreshLane(serviceId: ServiceId): Promise<void> {
    const { http, clock, settings } = this.#deps
    const lane = this.#lanes.get(serviceId) ?? this.#makeLane(serviceId)
    lane.slots.setLimit(settings().requestsPerMinute)
    const baseUrl = this.baseUrlOf(serviceId)
    const key = serviceId === PRACTICE_SERVICE ? (this.#deps.practice?.apiKey ?? null) : await this.#keyOf(serviceId)
    if (baseUrl === null || key === null) {
      lane.service = null
      lane.isKeychainLocked = await this.#isKeychainLocked(serviceId)
      lane.setHold({ code: 'key_missing', detail: whyNoKey(lane) })
      return
    }
    const accountId = this.#accountOf(serviceId, this.#deps.fingerprint(key))
    const changed = lane.service === null || lane.accountId !== accountId
    lane.accountId = accountId
    lane.isKeychainLocked = false
    lane.ledger = this.#deps.ledgerOf(serviceId, accountId, key)
    lane.service = createImageService({ http, clock, baseUrl, key: () => key, settings: settings() })
    lane.addressIsRight()
    // The hold was about the old key or address; the new one may be fine.
    if (changed || lane.hold?.code !== 'credits_short') lane.setHold(null)
    // With an unchanged key only an answered call opens a closed lane.
    if (changed) lane.accountChanged(lostInARow(this.#deps.db, serviceId, accountId))
  }

  /** If the keychain fails for the moment, the key that it gave last; null without one, which holds the lane and nothing else. */
  async #keyOf(serviceId: ServiceId): Promise<string | null> {
    try {
      const key = await this.#deps.secrets.get('image', serviceId)
      this.#keys.set(serviceId, key)
      return key
    } catch (error) {
      this.#deps.log.warn('a key cannot be read', { error: String(error) })
      return this.#keys.get(serviceId) ?? null
    }
  }

  async #isKeychainLocked(serviceId: ServiceId): Promise<boolean> {
    if (serviceId === PRACTICE_SERVICE) return false
    const { because } = await this.#deps.secrets.describe('image', serviceId)
    return because === 'locked' || because === 'silent'
  }

  #makeLane(serviceId: ServiceId): Lane {
    const { clock, random, log, documents, settings, db, onChange, onHold } = this.#deps
    const budget = createBudget(
      documents.get('budget', serviceId, RateBudgetState),
      { limit: settings().requestsPerMinute },
      clock.monotonicMs(),
    )
    const lane = new Lane({
      serviceId,
      clock,
      random,
      log,
      budget,
      saveBudget: (state) => documents.put('budget', serviceId, state),
      hasEnded: () => !db.open,
      creditsWanted: () => creditsWanted(db, serviceId),
      onBalance: (balance) => recordBalance(db, serviceId, balance, clock.nowMs()),
      onChange,
      onHold,
    })
    this.#lanes.set(serviceId, lane)
    return lane
  }

  /** The account of a key. An unknown key counts as another account unless a person says otherwise. */
  #accountOf(serviceId: ServiceId, fingerprint: string): string {
    const known = accountOf(this.#deps.db, serviceId, fingerprint)
    if (known !== null) return known
    // The practice service has one account, although its key is new at every start.
    const accountId = serviceId === PRACTICE_SERVICE ? PRACTICE_SERVICE : this.#deps.makeId()
    nameAccount(this.#deps.db, serviceId, fingerprint, accountId)
    return accountId
  }
}

function whyNoKey({ serviceId, isKeychainLocked }: Lane): LaneHold['detail'] {
  if (serviceId === PRACTICE_SERVICE) return say('practice_not_running')
  return isKeychainLocked ? say('keychain_locked') : null
}
