import { hostname } from 'node:os'
import type { Background } from '../../shared/runtime/background.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { PRACTICE_SERVICE, type ServiceId } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { type AccountLedger, type LedgerTrouble, OWN_LEDGER } from '../core/account-ledger.ts'
import { keepDecision } from '../journal/team-claims.ts'
import { resolveUnknown } from '../queue/claim-payment.ts'
import type { QueueContext } from '../queue/context.ts'
import { type LedgerAddress, readLedgerAddress } from '../team/ledger-address.ts'
import { TeamAccount } from '../team/team-account.ts'
import type { TeamIdentity } from '../team/team-identity.ts'
import { TeamLedger } from '../team/team-ledger.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineRun } from './engine-run.ts'
import { VERSION } from './version.ts'

/** How often the ledger is asked about pictures in the state unknown. */
const UNKNOWN_MS = 30_000
const UNKNOWN_AT_ONCE = 200
/** In place of a password that the keychain does not give. */
const UNREADABLE: unique symbol = Symbol('unreadable')

interface TeamDeps
  extends Pick<EngineRun, 'clock' | 'random' | 'log' | 'secrets'>, Pick<EngineData, 'db' | 'documents' | 'settings'> {
  identity: TeamIdentity
  onChange: () => void
}

/** This computer's name in the team, unless a person set one. */
export const computerName = ({ computerName: given }: Settings): string => given ?? hostname()

/** The team ledger from the settings, and this computer's accounts in it. Does nothing without a ledger. */
export class Team {
  readonly #deps: TeamDeps
  readonly #accounts = new Map<ServiceId, TeamAccount>()
  #ledger: TeamLedger | null = null
  #password: string | typeof UNREADABLE | null = null
  #refreshing: Promise<unknown> = Promise.resolve()
  #cancelTimer: () => void = () => undefined
  /** Sets the timer of `watchUnknown`, once that was called. */
  #watch: () => void = () => undefined
  #isClosed = false

  constructor(deps: TeamDeps) {
    this.#deps = deps
  }

  accountAt(serviceId: ServiceId): TeamAccount | null {
    return this.#accounts.get(serviceId) ?? null
  }

  /** Null without a ledger. */
  address(): string | null {
    return this.#ledger?.address.name ?? null
  }

  trouble(): LedgerTrouble | null {
    return this.#ledger?.trouble ?? null
  }

  /** Reads the settings again. Throws `bad_request` for an invalid address. A password that cannot be read is trouble with the ledger. */
  refresh(): Promise<void> {
    const refreshing = this.#refreshing.then(() => this.#refresh())
    this.#refreshing = refreshing.catch(() => undefined)
    return refreshing
  }

  async #refresh(): Promise<void> {
    const { clock, random, log, settings, onChange } = this.#deps
    const { ledgerUrl } = settings()
    const address = ledgerUrl === null ? null : readLedgerAddress(ledgerUrl)
    const password =
      address === null ? null : await this.#passwordOf(address).catch((): typeof UNREADABLE => UNREADABLE)
    // A ledger that works goes on while its password cannot be read again.
    const isSame = password === this.#password || password === UNREADABLE
    if (address?.name === this.#ledger?.address.name && isSame) {
      // What does not arrive is reported with the next beat.
      for (const account of this.#accounts.values()) await account.reportName().catch(() => undefined)
      return
    }
    await this.#leave()
    this.#password = password
    if (address === null) return
    this.#ledger = new TeamLedger({ address, password: () => this.#passwordOf(address), clock, random, log, onChange })
    this.#ledger.start()
  }

  async #passwordOf({ name }: LedgerAddress): Promise<string | null> {
    const password = await this.#deps.secrets.get('ledger', name)
    if (password !== null) this.#deps.log.hideSecret?.(password)
    return password
  }

  /** The ledger that decides about an account at a service. The practice service belongs to this computer alone. */
  ledgerOf(serviceId: ServiceId, accountId: string, apiKey: string): AccountLedger {
    const ledger = this.#ledger
    if (ledger === null || serviceId === PRACTICE_SERVICE) return OWN_LEDGER
    const known = this.#accounts.get(serviceId)
    if (known?.isOf(ledger, accountId, apiKey) === true) return known
    if (known !== undefined) ledger.leave(known)
    const { db, clock, log, identity, settings, onChange } = this.#deps
    const account = new TeamAccount({
      ledger,
      identity,
      db,
      clock,
      log,
      serviceId,
      accountId,
      apiKey,
      computerName: () => computerName(settings()),
      version: VERSION,
      onChange,
    })
    const isFirst = this.#accounts.size === 0
    this.#accounts.set(serviceId, account)
    ledger.join(account)
    if (isFirst) this.#watch()
    return account
  }

  /** Call after every change of a job: tells the ledger what became of its claim. */
  jobChanged({ paidKey, serviceId }: Job): void {
    if (paidKey !== null) this.#accounts.get(serviceId)?.paymentChanged(paidKey)
  }

  /** A person dropped an unknown job, or reopened it: decided for the whole team. Runs in the transaction of the job's change. */
  decided({ paidKey, serviceId }: Job, isDropped: boolean): void {
    if (paidKey === null || this.#ledger === null || serviceId === PRACTICE_SERVICE) return
    keepDecision(this.#deps.documents, paidKey, serviceId, isDropped)
  }

  /** From now on, pictures that are unknown here continue once another computer knows what became of them. */
  watchUnknown(context: QueueContext, background: Background): void {
    this.#watch = () => this.watchUnknown(context, background)
    this.#cancelTimer()
    if (this.#accounts.size === 0) return
    this.#cancelTimer = this.#deps.clock.setTimer(UNKNOWN_MS, () => {
      background.run('queue', async () => {
        try {
          for (const [serviceId, account] of this.#accounts) await this.#resolveUnknown(context, serviceId, account)
        } finally {
          if (!this.#isClosed) this.#watch()
        }
      })
    })
  }

  async #resolveUnknown(context: QueueContext, serviceId: ServiceId, account: TeamAccount): Promise<void> {
    if (account.trouble !== null) return
    for (let afterId: string | undefined; ;) {
      const page = {
        states: ['unknown'] as const,
        serviceId,
        limit: UNKNOWN_AT_ONCE,
        ...(afterId !== undefined && { afterId }),
      }
      const jobs = context.store.list(page)
      const found = await account.outcomes(jobs.flatMap(({ paidKey }) => paidKey ?? [])).catch(() => null)
      for (const job of jobs) {
        const outcome = found?.get(job.paidKey ?? '')
        if (outcome !== undefined) resolveUnknown(context, job, outcome)
      }
      if (found === null || jobs.length < UNKNOWN_AT_ONCE) return
      afterId = jobs.at(-1)!.id
    }
  }

  /** Sends the ledger what it does not know yet, if it answers. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    await this.#leave()
  }

  async #leave(): Promise<void> {
    for (const account of this.#accounts.values()) {
      await account.flush()
      this.#ledger?.leave(account)
    }
    this.#accounts.clear()
    const ledger = this.#ledger
    this.#ledger = null
    await ledger?.close()
  }
}
