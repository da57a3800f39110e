import { createHash, createHmac, randomUUID } from 'node:crypto'
import { AppError } from '../../shared/sentences/errors.ts'
import { ServiceResult } from '../../shared/jobs/job.ts'
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
import { type Db, transact } from '../journal/journal.ts'
import {
  claimOf,
  decisionReported,
  forgetLearned,
  isKnownClaim,
  isLearnedUnknown,
  keptDecisions,
  noteReported,
  rememberClaim,
  type TeamClaim,
  uncontributed,
  unreportedClaims,
} from '../journal/team-claims.ts'
import { isUsableId } from '../core/usable-id.ts'
import type { Row, Statement } from './ledger-connection.ts'
import { LEDGER_VERSION } from './ledger-schema.ts'
import { GUEST, type Identity } from './team-identity.ts'
import type { TeamLedger } from './team-ledger.ts'

const statement = (name: string, types: string): Statement => {
  const marks = types.split(' ').map((type, index) => `$${index + 1}::${type}`)
  return { name, text: `SELECT * FROM hangar.${name}(${marks.join(', ')})` }
}
const ENTER = statement('enter', 'text text text text integer')
const BEAT = statement('beat', 'integer text integer integer integer boolean uuid[] integer')
const TAKE = statement('take', 'integer text uuid integer boolean boolean')
const ANSWERED = statement('answered', 'integer uuid integer')
const UNUSED = statement('unused', 'integer uuid')
const CLAIM = statement('claim', 'integer text bytea text text integer integer integer integer')
const CONFIRM = statement('confirm', 'integer text integer bytea text')
const TAKE_BACK = statement('take_back', 'integer text integer bytea text integer')
const TELL = statement('tell', 'integer text bytea text text text text integer')
const CONTRIBUTE = statement('contribute', 'integer text bytea[] text[] text[] text[] integer')
const DECIDE = statement('decide', 'integer bytea text boolean')
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
const FORGET: Statement = {
  name: 'forget',
  text: 'DELETE FROM hangar.computers WHERE account = $1::integer AND computer = $2::text',
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
/** The ledger counts a call for ten minutes without its answer, and a request takes nine at most (`services/http.ts`). */
const PERMIT_FRESH_MS = 60_000
/** The retry interval for slots while the ledger is unreachable. */
const RETRY_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000
const CONTRIBUTED_AT_ONCE = 500
/** Claims whose answer was lost are looked for once in this many beats. */
const BEATS_BETWEEN_CLEANING = 12

interface TeamAccountDeps {
  ledger: TeamLedger
  identity: Identity
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
  /** The account's name in the ledger; empty until the ledger was reached. */
  #name = ''
  #account = 0
  #computer = ''
  #run = 0
  #share: number | null = null
  #limit = 60
  #backlog = false
  #spent: (AccountSpend & { own: AccountSpend }) | null = null
  #beats = 0
  /** This computer's name as the ledger knows it; empty until it does. */
  #reportedName = ''
  /** Slots of calls under way. */
  readonly #open = new Set<string>()
  /** A pause that the service asked for and the ledger does not know of yet; monotonic time. */
  #unreportedPause: { slot: string; untilMs: number } | null = null
  /** Claims that may be in the ledger and are not in the journal yet. */
  readonly #claiming = new Set<string>()
  /** Releases under way, by paid key. */
  readonly #releasing = new Map<PaidKey, Promise<void>>()
  readonly #unreported = new Set<PaidKey>()
  #reporting: Promise<void> | null = null

  constructor(deps: TeamAccountDeps) {
    this.#deps = deps
    this.#documents = new Documents(deps.db, () => deps.clock.nowMs())
  }

  get trouble(): LedgerTrouble | null {
    return this.#deps.ledger.trouble
  }

  get isEntered(): boolean {
    return this.#run > 0
  }

  /** For the report on the team. */
  report(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#deps.ledger.report(statement, values)
  }

  isOf(ledger: TeamLedger, accountId: string, apiKey: string): boolean {
    const mine = this.#deps
    return mine.ledger === ledger && mine.accountId === accountId && mine.apiKey === apiKey
  }

  join(): void {
    this.#deps.ledger.join(this)
  }

  leave(): void {
    this.#deps.ledger.leave(this)
  }

  ready(): Promise<void> {
    return this.#deps.ledger.ready()
  }

  get account(): number {
    return this.#account
  }

  get computer(): string {
    return this.#computer
  }

  share(limit: number): number {
    this.#limit = limit
    return Math.min(limit, Math.max(1, this.#share ?? limit))
  }

  spent(): AccountSpend | null {
    return this.#spent
  }

  /** This computer's dispatches as counted by the ledger. */
  ownSpent(): AccountSpend | null {
    return this.#spent?.own ?? null
  }

  async permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer> {
    this.#limit = limit
    this.#backlog = hasBacklog
    if (this.trouble !== null || !this.isEntered) return { kind: 'later', retryMs: RETRY_MS }
    const slot = randomUUID()
    const elapsedMs = stopwatch(this.#deps.clock)
    this.#open.add(slot)
    try {
      const values = [this.#account, this.#computer, slot, limit, urgency === 'person', hasBacklog]
      const [row] = await this.#deps.ledger.query(TAKE, values)
      this.#share = numberOf(row?.['plan'], { least: 1, else: 1 })
      const permit = this.#permitOf(slot, () => elapsedMs() < PERMIT_FRESH_MS)
      if (row?.['granted'] === true) {
        if (permit.isCurrent()) return { kind: 'granted', permit }
        // This computer was suspended in between.
        permit.unused()
        return { kind: 'later', retryMs: RETRY_MS }
      }
      this.#open.delete(slot)
      return { kind: 'later', retryMs: numberOf(row?.['retry_ms'], { least: 50, most: 60_000, else: RETRY_MS }) }
    } catch {
      // If the slot was granted after all, the next beat does not list it, and the ledger counts it as answered then.
      this.#open.delete(slot)
      return { kind: 'later', retryMs: RETRY_MS }
    }
  }

  #permitOf(slot: string, isCurrent: () => boolean) {
    const account = this.#account
    // If this does not arrive, the next beat makes up for it.
    const close = (what: Statement, values: unknown[]) => {
      this.#open.delete(slot)
      return this.#deps.ledger.query(what, [account, slot, ...values])
    }
    return {
      isCurrent,
      answered: (givenMs: number | null) => {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.ceil(givenMs ?? 0))
        const untilMs = this.#deps.clock.monotonicMs() + pauseMs
        close(ANSWERED, [pauseMs]).catch(() => {
          if (pauseMs > 0 && untilMs > (this.#unreportedPause?.untilMs ?? 0)) this.#unreportedPause = { slot, untilMs }
        })
      },
      unused: () => {
        close(UNUSED, []).catch(() => undefined)
      },
    }
  }

  /** A pause that one computer was asked for applies to the whole team. */
  async #reportPause(): Promise<void> {
    const unreported = this.#unreportedPause
    if (unreported === null) return
    const leftMs = Math.ceil(unreported.untilMs - this.#deps.clock.monotonicMs())
    if (leftMs > 0) await this.#deps.ledger.query(ANSWERED, [this.#account, unreported.slot, leftMs])
    if (this.#unreportedPause === unreported) this.#unreportedPause = null
  }

  async claim({ paidKey, isRepetition, caps }: ClaimRequest): Promise<ClaimAnswer> {
    // An earlier claim by this computer must be out of the way first.
    await this.#releasing.get(paidKey)
    if (this.trouble !== null || !this.isEntered) return { kind: 'later' }
    const { ledger, db, clock } = this.#deps
    const claim = randomUUID()
    const over = isRepetition ? claimOf(db, this.#name, paidKey) : null
    this.#claiming.add(claim)
    let row: Row | undefined
    try {
      const values = [this.#account, this.#computer, digest(paidKey), claim, over, this.#run]
      ;[row] = await ledger.query(CLAIM, [...values, capOf(caps.perDay), capOf(caps.perMonth), zoneMinutes(clock)])
    } catch {
      // It may be in the ledger; if so, `#clean` finds it there.
      this.#claiming.delete(claim)
      return { kind: 'later' }
    }
    this.#noteSpent(row)
    const verdict = String(row?.['verdict'])
    if (verdict === 'granted') return { kind: 'granted', claim: this.#claimOf(paidKey, claim) }
    this.#claiming.delete(claim)
    switch (verdict) {
      case 'elsewhere': {
        const computer = textOf(row?.['who'])
        // If it is this computer's own claim whose answer was lost, `#clean` finds and releases it.
        return computer === null ? { kind: 'soon' } : { kind: 'elsewhere', computer }
      }
      case 'again':
        return { kind: 'soon' }
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
        return { kind: 'later' }
    }
  }

  #claimOf(paidKey: PaidKey, claim: string): Claim {
    const { db, ledger, clock, log } = this.#deps
    const account = this.#account
    return {
      begun: () => rememberClaim(db, this.#name, paidKey, claim, 'sending'),
      confirm: async () => {
        const elapsedMs = stopwatch(clock)
        try {
          const [row] = await ledger.query(CONFIRM, [account, this.#computer, this.#run, digest(paidKey), claim])
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
        this.#releasing.set(paidKey, this.#release(digest(paidKey), claim).then(forget, forget))
      },
    }
  }

  /** If the release does not arrive, `#clean` repeats it. */
  async #release(key: Buffer, claim: string): Promise<void> {
    const values = [this.#account, this.#computer, key, claim, 'none', null, null, zoneMinutes(this.#deps.clock)]
    await this.#deps.ledger.query(TELL, values)
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
      learn: () => rememberClaim(db, this.#name, paidKey, claim, state),
    }
  }

  /** What became of these keys, as far as it is known. Empty while the ledger does not answer. */
  async outcomes(paidKeys: readonly PaidKey[]): Promise<Map<PaidKey, Outcome>> {
    const found = new Map<PaidKey, Outcome>()
    if (paidKeys.length === 0 || this.trouble !== null || !this.isEntered) return found
    const byDigest = new Map(paidKeys.map((paidKey) => [digest(paidKey).toString('hex'), paidKey]))
    const rows = await this.#deps.ledger.query(OUTCOMES, [this.#account, paidKeys.map(digest)])
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
        if (!isLearnedUnknown(db, this.#name, paidKey)) return null
        return { kind: 'notSent', forget: () => forgetLearned(db, this.#name, paidKey) }
      default:
        return null
    }
  }

  /** The journal's payment for this key changed: the ledger is informed now, or once it is reachable again. */
  paymentChanged(paidKey: PaidKey): void {
    this.#unreported.add(paidKey)
    this.#reportSoon()
  }

  #reportSoon(): void {
    if (this.#reporting !== null || this.trouble !== null || !this.isEntered) return
    const failed = (error: unknown) => {
      this.#deps.log.debug('the team ledger could not be informed', { error: String(error) })
      return true
    }
    this.#reporting = this.#reportAll()
      .then(() => false, failed)
      .then((hasFailed) => {
        this.#reporting = null
        // Added when this was nearly over. After a failure, the next beat tries again.
        if (!hasFailed && this.#unreported.size > 0) this.#reportSoon()
      })
  }

  async #reportAll(): Promise<void> {
    // Also covers keys added while this runs.
    for (const paidKey of this.#unreported) {
      this.#unreported.delete(paidKey)
      try {
        const { db } = this.#deps
        for (const claim of unreportedClaims(db, this.#name, paidKey)) await this.#report(claim)
        // It was sent just before the account was shared.
        if (claimOf(db, this.#name, paidKey) === null) await this.#contribute({ paidKey })
      } catch (error) {
        this.#unreported.add(paidKey)
        throw error
      }
    }
    await this.#reportDecisions()
  }

  /** What people decided here about unknown payments. */
  async #reportDecisions(): Promise<void> {
    const { db, ledger, serviceId } = this.#deps
    for (const { paidKey, isDropped } of keptDecisions(this.#documents, serviceId)) {
      const claim = claimOf(db, this.#name, paidKey)
      if (claim !== null) await ledger.query(DECIDE, [this.#account, digest(paidKey), claim, isDropped])
      decisionReported(this.#documents, paidKey, isDropped)
    }
  }

  async #report(reported: TeamClaim): Promise<void> {
    const { db, ledger, clock } = this.#deps
    const { paidKey, claim, state, remoteJobId, result } = reported
    const values = [this.#account, this.#computer, digest(paidKey), claim, state, remoteJobId]
    await ledger.query(TELL, [...values, state === 'paid' ? result : null, zoneMinutes(clock)])
    this.#claiming.delete(claim)
    transact(db, () => noteReported(db, this.#name, reported))
  }

  /** Waits until everything known by now was sent to the ledger, if it answers. A guest leaves only its calls behind. */
  async settle(): Promise<void> {
    this.#reportSoon()
    while (this.#reporting !== null) await this.#reporting
    if (this.#computer.endsWith(GUEST) && this.trouble === null)
      await this.#deps.ledger.query(FORGET, [this.#account, this.#computer]).catch(() => undefined)
  }

  async enter(secret: string): Promise<void> {
    const { ledger, identity, serviceId, apiKey, version, db } = this.#deps
    const name = this.#computerName()
    this.#name = accountName(secret, serviceId, apiKey)
    let next = identity.next()
    for (let tries = 1; ; tries += 1) {
      const [row] = await ledger.query(ENTER, [this.#name, next.id, name, version, next.run])
      this.#account = Number(row?.['account_id'])
      if (row?.['verdict'] === 'entered') break
      // An id just generated cannot already be in the ledger.
      if (tries > 2) throw new AppError('ledger_refused', say('ledger_refuses', { why: raw('hangar.enter') }))
      next = identity.renew()
    }
    this.#computer = next.id
    this.#run = next.run
    // If it has changed since, `beat` reports the change.
    if (this.#reportedName === '') this.#reportedName = name
    for (const claim of unreportedClaims(db, this.#name)) await this.#report(claim)
    while ((await this.#contribute({ most: CONTRIBUTED_AT_ONCE })) > 0);
    await this.#clean()
    await this.beat()
  }

  /** Adds what this computer paid for before it joined, so that no other computer pays for it again. */
  async #contribute(which: { most: number } | { paidKey: PaidKey }): Promise<number> {
    const { ledger, db, serviceId, accountId, clock } = this.#deps
    const some = uncontributed(db, { account: this.#name, serviceId, accountId }, which)
    if (some.length === 0) return 0
    await ledger.query(CONTRIBUTE, [
      this.#account,
      this.#computer,
      some.map(({ paidKey }) => digest(paidKey)),
      some.map(({ state }) => state),
      some.map(({ remoteJobId }) => remoteJobId),
      some.map(({ result }) => result),
      zoneMinutes(clock),
    ])
    transact(db, () => {
      for (const { paidKey, state } of some) rememberClaim(db, this.#name, paidKey, this.#computer, state)
    })
    return some.length
  }

  /**
   * Handles this computer's claims in the ledger that have no intent in its journal: the answer was lost, the process was killed
   * first, or the journal is an older copy.
   */
  async #clean(): Promise<void> {
    const { db, ledger, clock } = this.#deps
    for (const row of await ledger.query(MINE, [this.#account, this.#computer])) {
      const claim = String(row['claim'])
      if (this.#claiming.has(claim) || isKnownClaim(db, this.#name, claim)) continue
      const values = [this.#account, this.#computer, this.#run, row['key'], claim, zoneMinutes(clock)]
      await ledger.query(TAKE_BACK, values)
    }
  }

  /** PostgreSQL stores no NUL, and a name is one line. */
  #computerName(): string {
    return this.#deps
      .computerName()
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
  }

  /** Reports a new name of this computer. */
  async reportName(): Promise<void> {
    const name = this.#computerName()
    if (!this.isEntered || name === this.#reportedName) return
    await this.#deps.ledger.query(NAME, [this.#account, this.#computer, this.#run, name])
    this.#reportedName = name
  }

  async beat(): Promise<void> {
    const { ledger, clock, onChange } = this.#deps
    const values = [
      this.#account,
      this.#computer,
      this.#run,
      LEDGER_VERSION,
      this.#limit,
      this.#backlog,
      [...this.#open],
    ]
    const [row] = await ledger.query(BEAT, [...values, zoneMinutes(clock)])
    // A newer Hangar has migrated the ledger since this one connected.
    if (row?.['verdict'] === 'outdated')
      throw new AppError(
        'ledger_newer',
        say('ledger_is_newer', { version: Number(row['version']), known: LEDGER_VERSION }),
      )
    if (row?.['verdict'] !== 'there') {
      // The computer was removed from the team, or a copy of its journal took its place: it joins again.
      this.#deps.log.warn('the team ledger does not know this computer any more')
      this.#run = 0
      ledger.join(this)
      return
    }
    await this.#reportPause()
    await this.reportName()
    const before = JSON.stringify([this.#share, this.#spent])
    this.#share = numberOf(row['plan'], { least: 1, else: 1 })
    this.#noteSpent(row)
    if (this.#spent !== null) this.#spent.own = { today: Number(row['own_today']), thisMonth: Number(row['own_month']) }
    if (JSON.stringify([this.#share, this.#spent]) !== before) onChange()
    this.#beats += 1
    if (this.#beats % BEATS_BETWEEN_CLEANING === 0) await this.#clean()
    this.#reportSoon()
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

/** Measures time by both clocks: the monotonic one stops during sleep, and the wall clock may be set. */
function stopwatch(clock: Clock): () => number {
  const [wallMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()]
  return () => Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs)
}

function digest(paidKey: PaidKey): Buffer {
  return createHash('sha256').update(paidKey, 'utf8').digest()
}

/** Days are those of this computer's time zone, by the database's clock. */
function zoneMinutes(clock: Clock): number {
  return -new Date(clock.nowMs()).getTimezoneOffset()
}

/** As PostgreSQL's `integer`; a larger cap is never reached. */
const capOf = (cap: number | null) => (cap === null ? null : Math.min(cap, 2_147_483_647))

/** A ledger's answers are not trusted to make sense. */
function numberOf(value: unknown, range: { least: number; most?: number; else: number }): number {
  const number = Number(value ?? NaN)
  return Number.isFinite(number) ? Math.min(range.most ?? 1e12, Math.max(range.least, Math.floor(number))) : range.else
}

/** Null for anything that cannot be a job id of the service. */
const idOf = (value: unknown): string | null => (typeof value === 'string' && isUsableId(value) ? value : null)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Null if it does not parse: asking the service again is free. */
function resultOf(value: unknown): ServiceResult | null {
  try {
    const result = ServiceResult.safeParse(JSON.parse(String(value))).data
    return result !== undefined && isUsableId(result.imageId) ? result : null
  } catch {
    return null
  }
}
