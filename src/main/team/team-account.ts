import { createHash, createHmac, randomUUID } from 'node:crypto'
import { AppError } from '../../shared/errors.ts'
import { ServiceResult } from '../../shared/job.ts'
import type { Clock, Logger } from '../../shared/ports.ts'
import type { PaidKey, ServiceId } from '../../shared/recipe.ts'
import { raw, say } from '../../shared/sentence.ts'
import type {
  AccountLedger,
  AccountSpend,
  Claim,
  ClaimAnswer,
  ClaimOrder,
  KnownPayment,
  LedgerTrouble,
  PermitAnswer,
  Urgency,
} from '../core/account-ledger.ts'
import { type Db, transact } from '../journal/journal.ts'
import {
  claimOf,
  forgetClaiming,
  forgetOldClaiming,
  isClaiming,
  isKnownClaim,
  noteClaiming,
  noteTold,
  rememberClaim,
  type TeamClaim,
  uncontributed,
  untoldClaims,
} from '../journal/team-claims.ts'
import { isUsableId } from '../core/usable-id.ts'
import type { Row, Statement } from './ledger-connection.ts'
import { GUEST, type Identity } from './team-identity.ts'
import type { TeamLedger } from './team-ledger.ts'

const statement = (name: string, types: string): Statement => {
  const marks = types.split(' ').map((type, index) => `$${index + 1}::${type}`)
  return { name, text: `SELECT * FROM hangar.${name}(${marks.join(', ')})` }
}
const ENTER = statement('enter', 'text text text text integer')
const BEAT = statement('beat', 'integer text integer integer boolean uuid[] integer')
const TAKE = statement('take', 'integer text uuid integer boolean boolean')
const ANSWERED = statement('answered', 'integer uuid integer')
const UNUSED = statement('unused', 'integer uuid')
const CLAIM = statement('claim', 'integer text integer bytea text text integer integer integer')
const TELL = statement('tell', 'integer text bytea text text text text integer')
const CONTRIBUTE = statement('contribute', 'integer text bytea[] text[] text[] text[] integer')
const MINE: Statement = {
  name: 'mine',
  text: `SELECT key, claim FROM hangar.payments WHERE account = $1::integer AND computer = $2::text AND state = 'sending'`,
}
/** Only while it still stands as it was found: it may have been taken back meanwhile. */
const DOUBT: Statement = {
  name: 'doubt',
  text: `UPDATE hangar.payments SET state = 'unknown', changed_at = clock_timestamp()
    WHERE account = $1::integer AND computer = $2::text AND key = $3::bytea AND claim = $4::text AND state = 'sending'`,
}
const FORGET: Statement = {
  name: 'forget',
  text: 'DELETE FROM hangar.computers WHERE account = $1::integer AND computer = $2::text',
}
const LOOK: Statement = {
  name: 'look',
  text: `SELECT key, claim AS known_claim, state AS verdict, remote_job, result, 0 AS changed_ms,
      extract(epoch FROM clock_timestamp() - claimed_at)::double precision * 1000 AS age_ms, NULL AS who
    FROM hangar.payments WHERE account = $1::integer AND key = ANY ($2::bytea[]) AND state IN ('accepted', 'paid')`,
}

/** A claim must be begun within this time: others take a computer for lost two minutes after it was last there. */
const CLAIM_FRESH_MS = 60_000
/** While the ledger cannot be asked, slots are asked for again after this long. */
const RETRY_MS = 1000
/** No claim of which there was no answer reaches the ledger after this time. */
const CLAIMING_KEPT_MS = 3_600_000
const CONTRIBUTED_AT_ONCE = 500
/** Every so many beats claims are looked for that nobody knows of: their answer was lost. */
const BEATS_BETWEEN_CLEANING = 12

interface TeamAccountDeps {
  ledger: TeamLedger
  identity: Identity
  db: Db
  clock: Clock
  log: Logger
  serviceId: ServiceId
  /** The journal's name of the account. */
  accountId: string
  apiKey: string
  computerName: () => string
  version: string
  onChange: () => void
}

/** One account in a team ledger, as one of its computers sees it. */
export class TeamAccount implements AccountLedger {
  readonly #deps: TeamAccountDeps
  /** As the ledger names it; empty until the ledger was reached. */
  #name = ''
  #account = 0
  #computer = ''
  #run = 0
  #share: number | null = null
  #limit = 60
  #backlog = false
  #spent: (AccountSpend & { own: AccountSpend }) | null = null
  #beats = 0
  /** Calls under way. */
  readonly #open = new Set<string>()
  /** Claims that may be in the ledger and are not in the journal yet. */
  readonly #claiming = new Set<string>()
  /** Claims that are being taken back, by the key that they are of. */
  readonly #releasing = new Map<PaidKey, Promise<void>>()
  readonly #untold = new Set<PaidKey>()
  #telling: Promise<void> | null = null

  constructor(deps: TeamAccountDeps) {
    this.#deps = deps
  }

  get trouble(): LedgerTrouble | null {
    return this.#deps.ledger.trouble
  }

  get isEntered(): boolean {
    return this.#run > 0
  }

  /** For what is shown about the team. */
  query(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.#deps.ledger.query(statement, values)
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

  /** What this computer sent, by the ledger's count. */
  ownSpent(): AccountSpend | null {
    return this.#spent?.own ?? null
  }

  async permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer> {
    this.#limit = limit
    this.#backlog = hasBacklog
    if (this.trouble !== null || !this.isEntered) return { kind: 'later', retryMs: RETRY_MS }
    const slot = randomUUID()
    const askedAtMs = this.#deps.clock.monotonicMs()
    this.#open.add(slot)
    try {
      const values = [this.#account, this.#computer, slot, limit, urgency === 'person', hasBacklog]
      const [row] = await this.#deps.ledger.query(TAKE, values)
      this.#share = numberOf(row?.['plan'], { least: 1, else: 1 })
      const permit = this.#permitOf(slot)
      if (row?.['granted'] === true) {
        if (this.#deps.clock.monotonicMs() - askedAtMs < CLAIM_FRESH_MS) return { kind: 'granted', permit }
        // This computer stood still meanwhile: the ledger may count the call as over by now.
        permit.unused()
        return { kind: 'later', retryMs: RETRY_MS }
      }
      this.#open.delete(slot)
      return { kind: 'later', retryMs: numberOf(row?.['retry_ms'], { least: 50, most: 60_000, else: RETRY_MS }) }
    } catch {
      // If it was granted after all, the next beat does not name it, and it counts as answered then.
      this.#open.delete(slot)
      return { kind: 'later', retryMs: RETRY_MS }
    }
  }

  #permitOf(slot: string) {
    const account = this.#account
    const close = (what: Statement, values: unknown[]) => {
      this.#open.delete(slot)
      // What does not arrive is made good by the next beat.
      this.#deps.ledger.query(what, [account, slot, ...values]).catch(() => undefined)
    }
    return {
      answered: (pauseMs: number | null) => close(ANSWERED, [Math.min(3_600_000, Math.ceil(pauseMs ?? 0))]),
      unused: () => close(UNUSED, []),
    }
  }

  async claim({ paidKey, isRepetition, caps }: ClaimOrder): Promise<ClaimAnswer> {
    // An earlier claim of its own must not stand in its way.
    await this.#releasing.get(paidKey)
    if (this.trouble !== null || !this.isEntered) return { kind: 'later' }
    const { ledger, db, clock } = this.#deps
    const claim = randomUUID()
    const claimedAtMs = clock.monotonicMs()
    const over = isRepetition ? claimOf(db, this.#name, paidKey) : null
    this.#claiming.add(claim)
    let row: Row | undefined
    try {
      noteClaiming(db, claim, clock.nowMs())
      const values = [this.#account, this.#computer, this.#run, digest(paidKey), claim, over]
      ;[row] = await ledger.query(CLAIM, [...values, caps.perDay, caps.perMonth, zoneMinutes(clock)])
    } catch {
      // Whether it is there is not known; if it is, it is found among those that nobody knows of.
      this.#claiming.delete(claim)
      return { kind: 'later' }
    }
    this.#noteSpent(row)
    const verdict = String(row?.['verdict'])
    if (verdict === 'granted') return { kind: 'granted', claim: this.#claimOf(paidKey, claim, claimedAtMs) }
    this.#claiming.delete(claim)
    forgetClaiming(db, claim)
    switch (verdict) {
      case 'elsewhere': {
        const computer = textOf(row?.['who'])
        // One of its own whose answer was lost is found, and taken back, among those that nobody knows of.
        return computer === null ? { kind: 'later' } : { kind: 'elsewhere', computer }
      }
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

  #claimOf(paidKey: PaidKey, claim: string, claimedAtMs: number): Claim {
    const { db, clock } = this.#deps
    return {
      isFresh: () => clock.monotonicMs() - claimedAtMs < CLAIM_FRESH_MS,
      begun: () => {
        rememberClaim(db, this.#name, paidKey, claim, 'sending')
        forgetClaiming(db, claim)
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

  /** What does not arrive is found again among the claims that nobody knows of. */
  async #release(key: Buffer, claim: string): Promise<void> {
    const values = [this.#account, this.#computer, key, claim, 'none', null, null, zoneMinutes(this.#deps.clock)]
    const isTold = await this.#deps.ledger.query(TELL, values).then(
      () => true,
      () => false,
    )
    if (isTold) forgetClaiming(this.#deps.db, claim)
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

  /** What has become known of these keys. Empty while the ledger does not answer. */
  async look(paidKeys: readonly PaidKey[]): Promise<Map<PaidKey, KnownPayment>> {
    const found = new Map<PaidKey, KnownPayment>()
    if (paidKeys.length === 0 || this.trouble !== null || !this.isEntered) return found
    const byDigest = new Map(paidKeys.map((paidKey) => [digest(paidKey).toString('hex'), paidKey]))
    const rows = await this.#deps.ledger.query(LOOK, [this.#account, paidKeys.map(digest)])
    for (const row of rows) {
      const paidKey = byDigest.get((row['key'] as Buffer).toString('hex'))
      if (paidKey !== undefined) found.set(paidKey, this.#known(paidKey, row['verdict'] as KnownPayment['state'], row))
    }
    return found
  }

  /** The journal's payment of this key changed: the ledger is told, now or when it is back. */
  paymentChanged(paidKey: PaidKey): void {
    this.#untold.add(paidKey)
    this.#tellSoon()
  }

  #tellSoon(): void {
    if (this.#telling !== null || this.trouble !== null || !this.isEntered) return
    this.#telling = this.#tellAll()
      .catch((error: unknown) => this.#deps.log.debug('the team ledger could not be told', { error: String(error) }))
      .finally(() => {
        this.#telling = null
      })
  }

  async #tellAll(): Promise<void> {
    // What is added meanwhile is told in the same go.
    for (const paidKey of this.#untold) {
      this.#untold.delete(paidKey)
      try {
        const { db } = this.#deps
        for (const claim of untoldClaims(db, this.#name, paidKey)) await this.#tell(claim)
        // Sent just before the account was shared.
        if (claimOf(db, this.#name, paidKey) === null) await this.#contribute({ paidKey })
      } catch (error) {
        this.#untold.add(paidKey)
        throw error
      }
    }
  }

  async #tell(told: TeamClaim): Promise<void> {
    const { db, ledger, clock } = this.#deps
    const { paidKey, claim, state, remoteJobId, result } = told
    const values = [this.#account, this.#computer, digest(paidKey), claim, state, remoteJobId]
    await ledger.query(TELL, [...values, state === 'paid' ? result : null, zoneMinutes(clock)])
    this.#claiming.delete(claim)
    transact(db, () => noteTold(db, this.#name, told))
  }

  /** Waits until what is known now was told, as far as the ledger answers; a guest leaves no trace but its calls. */
  async settle(): Promise<void> {
    this.#tellSoon()
    await this.#telling
    if (this.#computer.endsWith(GUEST) && this.trouble === null)
      await this.#deps.ledger.query(FORGET, [this.#account, this.#computer]).catch(() => undefined)
  }

  async enter(secret: string): Promise<void> {
    const { ledger, identity, serviceId, apiKey, computerName, version, db } = this.#deps
    this.#name = accountName(secret, serviceId, apiKey)
    let next = identity.next()
    for (let tries = 1; ; tries += 1) {
      const [row] = await ledger.query(ENTER, [this.#name, next.id, computerName(), version, next.run])
      this.#account = Number(row?.['account_id'])
      if (row?.['verdict'] === 'entered') break
      // A new id cannot be known already.
      if (tries > 2) throw new AppError('ledger_refused', say('ledger_refuses', { why: raw('hangar.enter') }))
      next = identity.renew()
    }
    this.#computer = next.id
    this.#run = next.run
    for (const claim of untoldClaims(db, this.#name)) await this.#tell(claim)
    while ((await this.#contribute({ most: CONTRIBUTED_AT_ONCE })) > 0);
    await this.#clean()
    await this.beat()
  }

  /** What this computer paid for before it joined, so that no other pays for it again. */
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
   * Claims of this computer that were noted and have no intent in the journal were never sent: their answer was lost, or it was killed
   * before. Those that the journal does not know at all may have been sent: it is an older copy.
   */
  async #clean(): Promise<void> {
    const { db, ledger, clock } = this.#deps
    for (const row of await ledger.query(MINE, [this.#account, this.#computer])) {
      const claim = String(row['claim'])
      if (this.#claiming.has(claim) || isKnownClaim(db, this.#name, claim)) continue
      if (isClaiming(db, claim)) await this.#release(row['key'] as Buffer, claim)
      else await ledger.query(DOUBT, [this.#account, this.#computer, row['key'], claim])
    }
    forgetOldClaiming(db, clock.nowMs() - CLAIMING_KEPT_MS)
  }

  async beat(): Promise<void> {
    const { ledger, clock, onChange } = this.#deps
    const values = [this.#account, this.#computer, this.#run, this.#limit, this.#backlog, [...this.#open]]
    const [row] = await ledger.query(BEAT, [...values, zoneMinutes(clock)])
    if (row?.['known'] !== true) {
      // It was removed, or a copy of its journal is in its place: it begins again.
      this.#deps.log.warn('the team ledger does not know this computer any more')
      this.#run = 0
      ledger.join(this)
      return
    }
    const before = JSON.stringify([this.#share, this.#spent])
    this.#share = numberOf(row['plan'], { least: 1, else: 1 })
    this.#noteSpent(row)
    if (this.#spent !== null) this.#spent.own = { today: Number(row['own_today']), thisMonth: Number(row['own_month']) }
    if (JSON.stringify([this.#share, this.#spent]) !== before) onChange()
    this.#beats += 1
    if (this.#beats % BEATS_BETWEEN_CLEANING === 0) await this.#clean()
    this.#tellSoon()
  }

  #noteSpent(row: Row | undefined): void {
    const { today, this_month: thisMonth } = row ?? {}
    if (typeof today !== 'number' || typeof thisMonth !== 'number') return
    this.#spent = { own: { today: 0, thisMonth: 0 }, ...this.#spent, today, thisMonth }
  }
}

/** How the ledger names an account: its key cannot be found out from it, and another ledger names it otherwise. */
export function accountName(secret: string, serviceId: ServiceId, apiKey: string): string {
  return createHmac('sha256', secret).update(`${serviceId}\n${apiKey}`, 'utf8').digest('hex').slice(0, 32)
}

function digest(paidKey: PaidKey): Buffer {
  return createHash('sha256').update(paidKey, 'utf8').digest()
}

/** The computer's time zone decides what a day is; the time is the database's. */
function zoneMinutes(clock: Clock): number {
  return -new Date(clock.nowMs()).getTimezoneOffset()
}

/** Not everything that a ledger answers need make sense. */
function numberOf(value: unknown, range: { least: number; most?: number; else: number }): number {
  const number = Number(value ?? NaN)
  return Number.isFinite(number) ? Math.min(range.most ?? 1e12, Math.max(range.least, Math.floor(number))) : range.else
}

/** Null for what can be no job id of the service. */
const idOf = (value: unknown): string | null => (typeof value === 'string' && isUsableId(value) ? value : null)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Null for what does not parse: asking the service again is free. */
function resultOf(value: unknown): ServiceResult | null {
  try {
    const result = ServiceResult.safeParse(JSON.parse(String(value))).data
    return result !== undefined && isUsableId(result.imageId) ? result : null
  } catch {
    return null
  }
}
