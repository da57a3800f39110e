import { createHmac, randomUUID } from 'node:crypto'
import { AppError } from '../../shared/sentences/errors.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import type { PaidKey, ServiceId } from '../../shared/recipes/recipe.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type {
  AccountLedger,
  AccountSpend,
  Claim,
  ClaimAnswer,
  ClaimRequest,
  KnownPayment,
  LedgerTrouble,
  Outcome,
  PermitAnswer,
  Urgency,
} from '../core/account-ledger.ts'
import { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'
import {
  claimOf,
  forgetLearned,
  isKnownClaim,
  isLearnedUnknown,
  keptDecisions,
  rememberClaim,
} from '../journal/team-claims.ts'
import { digest, idOf, numberOf, resultOf, statement, stopwatch, textOf, zoneMinutes } from './ledger-calls.ts'
import type { Row, Statement } from './ledger-connection.ts'
import { LEDGER_VERSION } from './ledger-schema.ts'
import { Membership } from './membership.ts'
import { PaymentReports } from './payment-reports.ts'
import type { TeamIdentity } from './team-identity.ts'
import type { TeamLedger } from './team-ledger.ts'
import { TeamPermits } from './team-permits.ts'

const ENTER = statement('enter', 'text text text text integer')
const BEAT = statement('beat', 'integer text integer integer integer boolean uuid[] integer')
const CLAIM = statement('claim', 'integer text bytea text text integer integer integer integer')
const CONFIRM = statement('confirm', 'integer text integer bytea text')
const TAKE_BACK = statement('take_back', 'integer text integer bytea text integer')
const MINE: Statement = {
  name: 'mine',
  text: `SELECT key, claim FROM hangar.payments WHERE account = $1::integer AND computer = $2::text AND state = 'sending'`,
}
/** A person changed the name of this computer: the latest change counts. */
const NAME: Statement = {
  name: 'name',
  text: `UPDATE hangar.computers SET name = $4, renamed = false
    WHERE account = $1::integer AND computer = $2::text AND run = $3::integer`,
}

/** A row for each key: `gone` without a payment, `dropped` since `changed_ms`. */
const OUTCOMES: Statement = {
  name: 'outcomes',
  text: `SELECT k AS key, p.claim AS known_claim, p.remote_job, p.result, NULL AS who,
      CASE WHEN p.key IS NULL THEN 'gone' WHEN p.state = 'unknown' AND p.dropped_at IS NOT NULL THEN 'dropped' ELSE p.state END AS verdict,
      extract(epoch FROM clock_timestamp() - coalesce(p.dropped_at, p.changed_at))::double precision * 1000 AS changed_ms,
      extract(epoch FROM clock_timestamp() - p.claimed_at)::double precision * 1000 AS age_ms
    FROM unnest($2::bytea[]) AS k LEFT JOIN hangar.payments p ON p.account = $1::integer AND p.key = k`,
}

/** An answer that took longer may be outdated: others consider a computer lost two minutes after its last beat. */
const ANSWER_FRESH_MS = 60_000
/** Claims whose answer was lost are looked for once in this many beats. */
const BEATS_BETWEEN_CLEANING = 12

interface TeamAccountDeps {
  ledger: TeamLedger
  identity: TeamIdentity
  db: Db
  clock: Clock
  log: Logger
  serviceId: ServiceId
  /** The account's name in the journal. */
  accountId: string
  apiKey: string
  computerName: () => string
  version: string
  onChange: () => void
}

/** One account of a team ledger, from one computer's point of view. */
export class TeamAccount implements AccountLedger {
  readonly #deps: TeamAccountDeps
  readonly #documents: Documents
  readonly #membership: Membership
  readonly #permits: TeamPermits
  readonly #reports: PaymentReports
  #spent: (AccountSpend & { own: AccountSpend }) | null = null
  #beats = 0
  /** This computer's name as the ledger knows it; empty until it does. */
  #reportedName = ''
  /** Claims that may be in the ledger and are not in the journal yet. */
  readonly #claiming = new Set<string>()
  /** Releases under way, by paid key. */
  readonly #releasing = new Map<PaidKey, Promise<void>>()

  constructor(deps: TeamAccountDeps) {
    this.#deps = deps
    this.#documents = new Documents(deps.db)
    this.#membership = new Membership(deps.ledger)
    this.#permits = new TeamPermits(deps.clock, this.#membership)
    const onReported = (claim: string) => this.#claiming.delete(claim)
    this.#reports = new PaymentReports({ ...deps, documents: this.#documents, onReported }, this.#membership)
  }

  get trouble(): LedgerTrouble | null {
    return this.#deps.ledger.trouble
  }

  get isEntered(): boolean {
    return this.#membership.run > 0
  }

  /** For the report on the team. */
  report(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#deps.ledger.report(statement, values)
  }

  isOf(ledger: TeamLedger, accountId: string, apiKey: string): boolean {
    const mine = this.#deps
    return mine.ledger === ledger && mine.accountId === accountId && mine.apiKey === apiKey
  }

  ready(): Promise<void> {
    return this.#deps.ledger.ready()
  }

  get account(): number {
    return this.#membership.account
  }

  get computer(): string {
    return this.#membership.computer
  }

  share(limit: number): number {
    return this.#permits.share(limit)
  }

  permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer> {
    return this.#permits.permit(urgency, limit, hasBacklog)
  }

  /** The journal's payment for this key changed: the ledger is informed now, or once it is reachable again. */
  paymentChanged(paidKey: PaidKey): void {
    this.#reports.paymentChanged(paidKey)
  }

  spent(): AccountSpend | null {
    return this.#spent
  }

  async claim({ paidKey, isRepetition, caps }: ClaimRequest): Promise<ClaimAnswer> {
    // An earlier claim by this computer must be out of the way first.
    await this.#releasing.get(paidKey)
    if (!this.#membership.isCurrent) return { kind: 'noAnswer' }
    const { db, clock } = this.#deps
    const claim = randomUUID()
    const over = isRepetition ? claimOf(db, this.#membership.name, paidKey) : null
    this.#claiming.add(claim)
    let row: Row | undefined
    try {
      const limits = [capOf(caps.perDay), capOf(caps.perMonth), zoneMinutes(clock)]
      ;[row] = await this.#membership.ask(CLAIM, digest(paidKey), claim, over, this.#membership.run, ...limits)
    } catch {
      // It may be in the ledger; if so, `#clean` finds it there.
      this.#claiming.delete(claim)
      return { kind: 'noAnswer' }
    }
    this.#noteSpent(row)
    const verdict = String(row?.['verdict'])
    if (verdict === 'granted') return { kind: 'granted', claim: this.#claimOf(paidKey, claim) }
    this.#claiming.delete(claim)
    switch (verdict) {
      case 'elsewhere': {
        const computer = textOf(row?.['who'])
        // If it is this computer's own claim whose answer was lost, `#clean` finds and releases it.
        return computer === null ? { kind: 'askAgain' } : { kind: 'elsewhere', computer }
      }
      case 'again':
        return { kind: 'askAgain' }
      case 'dropped':
        return { kind: 'dropped', payment: this.#known(paidKey, 'unknown', row!) }
      case 'capped':
        return { kind: 'capped' }
      case 'accepted':
      case 'paid':
      case 'unknown':
      case 'ended':
        return { kind: 'known', payment: this.#known(paidKey, verdict, row!) }
      default:
        return { kind: 'noAnswer' }
    }
  }

  #claimOf(paidKey: PaidKey, claim: string): Claim {
    const { db, clock, log } = this.#deps
    const membership = this.#membership
    return {
      begun: () => rememberClaim(db, membership.name, paidKey, claim, 'sending'),
      confirm: async () => {
        const elapsedMs = stopwatch(clock)
        try {
          const [row] = await membership.ask(CONFIRM, membership.run, digest(paidKey), claim)
          // If this computer was suspended in between, others may consider it lost by now.
          if (row?.['holds'] === true && elapsedMs() < ANSWER_FRESH_MS) return true
          log.warn('a claim in the team ledger no longer holds')
        } catch (error) {
          log.debug('a claim in the team ledger could not be confirmed', { error: String(error) })
        }
        return false
      },
      release: () => {
        const forget = () => {
          this.#claiming.delete(claim)
          this.#releasing.delete(paidKey)
        }
        // If it does not arrive, `#clean` repeats it.
        this.#releasing.set(paidKey, this.#reports.release(paidKey, claim).then(forget, forget))
      },
    }
  }

  #known(paidKey: PaidKey, state: KnownPayment['state'], row: Row): KnownPayment {
    const { db } = this.#deps
    const claim = String(row['known_claim'])
    return {
      state,
      remoteJobId: idOf(row['remote_job']),
      result: resultOf(row['result']),
      ageMs: numberOf(row['age_ms'], { least: 0, else: 0 }),
      changedMs: numberOf(row['changed_ms'], { least: 0, else: 0 }),
      computer: textOf(row['who']),
      learn: () => rememberClaim(db, this.#membership.name, paidKey, claim, state),
    }
  }

  /** What became of these keys, as far as it is known. Empty while the ledger does not answer. */
  async outcomes(paidKeys: readonly PaidKey[]): Promise<Map<PaidKey, Outcome>> {
    const found = new Map<PaidKey, Outcome>()
    if (paidKeys.length === 0 || !this.#membership.isCurrent) return found
    const byDigest = new Map(paidKeys.map((paidKey) => [digest(paidKey).toString('hex'), paidKey]))
    const rows = await this.#membership.askForAll(OUTCOMES, paidKeys.map(digest))
    for (const row of rows) {
      const paidKey = byDigest.get((row['key'] as Buffer).toString('hex'))
      const outcome = paidKey === undefined ? null : this.#outcomeOf(paidKey, row)
      if (paidKey !== undefined && outcome !== null) found.set(paidKey, outcome)
    }
    return found
  }

  #outcomeOf(paidKey: PaidKey, row: Row): Outcome | null {
    const { db, serviceId } = this.#deps
    const verdict = row['verdict']
    switch (verdict) {
      case 'accepted':
      case 'paid':
      case 'ended':
        return { kind: 'known', payment: this.#known(paidKey, verdict, row) }
      case 'dropped':
        // Reopened here meanwhile.
        if (keptDecisions(this.#documents, serviceId).some((kept) => kept.paidKey === paidKey)) return null
        return { kind: 'dropped', agoMs: numberOf(row['changed_ms'], { least: 0, else: 0 }) }
      case 'gone':
        // What this computer itself may have sent stays unknown, whatever the ledger has lost.
        if (!isLearnedUnknown(db, this.#membership.name, paidKey)) return null
        return { kind: 'notSent', forget: () => forgetLearned(db, this.#membership.name, paidKey) }
      default:
        return null
    }
  }

  /** Waits until everything known by now was sent to the ledger, if it answers. */
  flush(): Promise<void> {
    return this.#reports.flush()
  }

  async enter(secret: string): Promise<void> {
    const { ledger, identity, serviceId, apiKey, version } = this.#deps
    const name = this.#computerName()
    this.#membership.name = accountName(secret, serviceId, apiKey)
    let next = identity.next()
    for (let tries = 1; ; tries += 1) {
      const [row] = await ledger.query(ENTER, [this.#membership.name, next.id, name, version, next.run])
      this.#membership.account = Number(row?.['account_id'])
      if (row?.['verdict'] === 'entered') break
      // An id just generated cannot already be in the ledger.
      if (tries > 2) throw new AppError('ledger_refused', say('ledger_refuses', { why: raw('hangar.enter') }))
      next = identity.renew()
    }
    this.#membership.computer = next.id
    this.#membership.run = next.run
    // If it has changed since, `beat` reports the change.
    if (this.#reportedName === '') this.#reportedName = name
    await this.#reports.catchUp()
    await this.#clean()
    await this.beat()
  }

  /** Takes back claims without an intent in the journal: an answer was lost, a process killed, or the journal is an older copy. */
  async #clean(): Promise<void> {
    const { db, clock } = this.#deps
    const membership = this.#membership
    for (const row of await membership.ask(MINE)) {
      const claim = String(row['claim'])
      if (this.#claiming.has(claim) || isKnownClaim(db, membership.name, claim)) continue
      await membership.ask(TAKE_BACK, membership.run, row['key'], claim, zoneMinutes(clock))
    }
  }

  /** PostgreSQL stores no NUL, and a name is one line. */
  #computerName(): string {
    return this.#deps
      .computerName()
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
  }

  async reportName(): Promise<void> {
    const name = this.#computerName()
    if (!this.isEntered || name === this.#reportedName) return
    await this.#membership.ask(NAME, this.#membership.run, name)
    this.#reportedName = name
  }

  async beat(): Promise<void> {
    const { ledger, clock, onChange } = this.#deps
    const { limit, hasBacklog, open } = this.#permits.state
    const values = [LEDGER_VERSION, limit, hasBacklog, open, zoneMinutes(clock)]
    const [row] = await this.#membership.ask(BEAT, this.#membership.run, ...values)
    // A newer Hangar has migrated the ledger since this one connected.
    if (row?.['verdict'] === 'outdated')
      throw new AppError(
        'ledger_newer',
        say('ledger_is_newer', { version: Number(row['version']), known: LEDGER_VERSION }),
      )
    if (row?.['verdict'] !== 'there') {
      // The computer was removed from the team, or a copy of its journal took its place: it joins again.
      this.#deps.log.warn('the team ledger does not know this computer any more')
      this.#membership.run = 0
      ledger.join(this)
      return
    }
    await this.#permits.reportPause()
    await this.reportName()
    const before = JSON.stringify(this.#spent)
    const isOtherShare = this.#permits.noteShare(row['plan'])
    this.#noteSpent(row)
    if (this.#spent !== null) this.#spent.own = { today: Number(row['own_today']), thisMonth: Number(row['own_month']) }
    if (isOtherShare || JSON.stringify(this.#spent) !== before) onChange()
    this.#beats += 1
    if (this.#beats % BEATS_BETWEEN_CLEANING === 0) await this.#clean()
    this.#reports.reportSoon()
  }

  #noteSpent(row: Row | undefined): void {
    const { today, this_month: thisMonth } = row ?? {}
    if (typeof today !== 'number' || typeof thisMonth !== 'number') return
    this.#spent = { own: { today: 0, thisMonth: 0 }, ...this.#spent, today, thisMonth }
  }
}

/** The account's name in the ledger. It does not reveal the key, and differs from ledger to ledger. */
export function accountName(secret: string, serviceId: ServiceId, apiKey: string): string {
  return createHmac('sha256', secret).update(`${serviceId}\n${apiKey}`, 'utf8').digest('hex').slice(0, 32)
}

/** As PostgreSQL's `integer`; a larger cap is never reached. */
const capOf = (cap: number | null) => (cap === null ? null : Math.min(cap, 2_147_483_647))
