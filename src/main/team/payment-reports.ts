import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { PaidKey, ServiceId } from '../../shared/recipes/recipe.ts'
import type { Documents } from '../journal/documents.ts'
import { type Db, transact } from '../journal/journal.ts'
import {
  claimOf,
  decisionReported,
  keptDecisions,
  noteReported,
  rememberClaim,
  type TeamClaim,
  uncontributed,
  unreportedClaims,
} from '../journal/team-claims.ts'
import { digest, statement, zoneMinutes } from './ledger-calls.ts'
import type { Membership } from './membership.ts'

const REPORT = statement('report', 'integer text bytea text text text text integer')
const CONTRIBUTE = statement('contribute', 'integer text bytea[] text[] text[] text[] integer')
const DECIDE = statement('decide', 'integer bytea text boolean')
/** Texts in many languages take a few kilobytes each, and all must arrive within a statement's time-out. */
const CONTRIBUTED_AT_ONCE = 100

interface PaymentReportsDeps {
  db: Db
  documents: Documents
  clock: Clock
  log: Logger
  serviceId: ServiceId
  /** The account's name in the journal. */
  accountId: string
  onReported: (claim: string) => void
}

/** What the journal knows of payments and decisions, reported to the ledger until it has everything. */
export class PaymentReports {
  readonly #deps: PaymentReportsDeps
  readonly #membership: Membership
  readonly #unreported = new Set<PaidKey>()
  #reporting: Promise<void> | null = null

  constructor(deps: PaymentReportsDeps, membership: Membership) {
    this.#deps = deps
    this.#membership = membership
  }

  /** On entering: everything that the ledger has not heard of. */
  async catchUp(): Promise<void> {
    for (const claim of unreportedClaims(this.#deps.db, this.#membership.name)) await this.#report(claim)
    while ((await this.#contribute({ most: CONTRIBUTED_AT_ONCE })) > 0);
  }

  /** Certainly nothing was sent with this claim. */
  async release(paidKey: PaidKey, claim: string): Promise<void> {
    await this.#membership.ask(REPORT, digest(paidKey), claim, 'none', null, null, zoneMinutes(this.#deps.clock))
  }

  async flush(): Promise<void> {
    this.reportSoon()
    while (this.#reporting !== null) await this.#reporting
  }

  paymentChanged(paidKey: PaidKey): void {
    this.#unreported.add(paidKey)
    this.reportSoon()
  }

  /** Starts to report what changed, unless that is under way. */
  reportSoon(): void {
    if (this.#reporting !== null || !this.#membership.isCurrent) return
    const failed = (error: unknown) => {
      this.#deps.log.debug('the team ledger could not be informed', { error: String(error) })
      return true
    }
    this.#reporting = this.#reportAll()
      .then(() => false, failed)
      .then((hasFailed) => {
        this.#reporting = null
        // Added when this was nearly over. After a failure, the next beat tries again.
        if (!hasFailed && this.#unreported.size > 0) this.reportSoon()
      })
  }

  async #reportAll(): Promise<void> {
    // Also covers keys added while this runs.
    for (const paidKey of this.#unreported) {
      this.#unreported.delete(paidKey)
      try {
        const { db } = this.#deps
        for (const claim of unreportedClaims(db, this.#membership.name, paidKey)) await this.#report(claim)
        // It was sent just before the account was shared.
        if (claimOf(db, this.#membership.name, paidKey) === null) await this.#contribute({ paidKey })
      } catch (error) {
        this.#unreported.add(paidKey)
        throw error
      }
    }
    await this.#reportDecisions()
  }

  /** What people decided here about unknown payments. */
  async #reportDecisions(): Promise<void> {
    const { db, documents, serviceId } = this.#deps
    for (const { paidKey, isDropped } of keptDecisions(documents, serviceId)) {
      const claim = claimOf(db, this.#membership.name, paidKey)
      if (claim !== null) await this.#membership.askForAll(DECIDE, digest(paidKey), claim, isDropped)
      decisionReported(documents, paidKey, isDropped)
    }
  }

  async #report(reported: TeamClaim): Promise<void> {
    const { db, clock } = this.#deps
    const { paidKey, claim, state, remoteJobId, result } = reported
    const values = [digest(paidKey), claim, state, remoteJobId, state === 'paid' ? result : null]
    await this.#membership.ask(REPORT, ...values, zoneMinutes(clock))
    this.#deps.onReported(claim)
    transact(db, () => noteReported(db, this.#membership.name, reported))
  }

  /** Adds what this computer paid for before it joined, so that no other computer pays for it again. */
  async #contribute(which: { most: number } | { paidKey: PaidKey }): Promise<number> {
    const { db, serviceId, accountId, clock } = this.#deps
    const some = uncontributed(db, { account: this.#membership.name, serviceId, accountId }, which)
    if (some.length === 0) return 0
    await this.#membership.ask(
      CONTRIBUTE,
      some.map(({ paidKey }) => digest(paidKey)),
      some.map(({ state }) => state),
      some.map(({ remoteJobId }) => remoteJobId),
      some.map(({ result }) => result),
      zoneMinutes(clock),
    )
    transact(db, () => {
      for (const { paidKey, state } of some)
        rememberClaim(db, this.#membership.name, paidKey, this.#membership.computer, state)
    })
    return some.length
  }
}
