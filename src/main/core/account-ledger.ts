import type { ServiceResult } from '../../shared/jobs/job.ts'
import type { WaitReason } from '../../shared/sentences/reasons.ts'
import type { PaidKey } from '../../shared/recipes/recipe.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

/** Who waits for the call. A person, or a decision, takes precedence over the queue's work. */
export type Urgency = 'person' | 'queue'

/** The account's permission for one call, beside the slot of this computer. Exactly one of `answered` and `unused` is called. */
interface Permit {
  /** Whether the call may still leave: not after the computer slept, when the ledger may no longer count it. */
  isCurrent(): boolean
  /** The call was answered or given up. `pauseMs`: how long nobody may call. */
  answered(pauseMs: number | null): void
  /** The call was not made. */
  unused(): void
}

export type PermitAnswer = { kind: 'granted'; permit: Permit } | { kind: 'denied'; retryMs: number }

/** Why nothing may be sent now, and since when (monotonic ms). */
export interface LedgerTrouble {
  code: Extract<WaitReason, 'ledger_away' | 'ledger_refused' | 'ledger_newer'>
  /** Null until it was tried for the first time. */
  detail: Sentence | null
  sinceMs: number
}

export interface ClaimRequest {
  paidKey: PaidKey
  /** A person asked to send it again. Covers only dispatches that this computer knew of. */
  isRepetition: boolean
  /** In dispatches of the whole account; null means no cap. */
  caps: { perDay: number | null; perMonth: number | null }
}

/** The right to send one paid key. Either `begun` and then `confirm` are called, or `release`. */
export interface Claim {
  /** Runs in the transaction that journals the intent. */
  begun(): void
  /** Called after the intent is journalled. The request may be made only if it resolves to true, and then at once. Never rejects. */
  confirm(): Promise<boolean>
  /** Certainly nothing was sent. */
  release(): void
}

/** The outcome of another dispatch of the same key. */
export interface KnownPayment {
  state: 'accepted' | 'paid' | 'unknown' | 'ended'
  remoteJobId: string | null
  result: ServiceResult | null
  /** How long ago it was claimed. */
  ageMs: number
  /** How long ago its state changed. */
  changedMs: number
  /** The computer that made it; null if it was this one, or is no longer in the team. */
  computer: string | null
  /** Records what this computer now knows; runs in a transaction of the journal. */
  learn(): void
}

export type ClaimAnswer =
  | { kind: 'granted'; claim: Claim }
  /** Another computer is sending it, or waits for its result. */
  | { kind: 'elsewhere'; computer: string }
  | { kind: 'known'; payment: KnownPayment }
  /** It is unknown, and a person decided that it is not sent again. */
  | { kind: 'dropped'; payment: KnownPayment }
  /** The account has reached a cap, which `spent` includes from now on. */
  | { kind: 'capped' }
  /** The ledger cannot say yet: ask again about this key in a moment. */
  | { kind: 'askAgain' }
  /** The ledger did not answer. */
  | { kind: 'noAnswer' }

/** What became of a payment that is unknown here. */
export type Outcome =
  | { kind: 'known'; payment: KnownPayment }
  /** A person decided that it is not sent again. */
  | { kind: 'dropped'; agoMs: number }
  /** It was not sent after all. `forget` removes what this computer had learned of it; runs in a transaction of the journal. */
  | { kind: 'notSent'; forget(): void }

/** Dispatches of the account, today and this month. */
export interface AccountSpend {
  today: number
  thisMonth: number
}

/**
 * What belongs to an account: its rate and its payments. For a single computer its journal and rate budget are enough (`OWN_LEDGER`);
 * computers that share an account share a ledger (`team/team-account.ts`).
 */
export interface AccountLedger {
  readonly trouble: LedgerTrouble | null
  /** Resolves once it is known whether it answers. */
  ready(): Promise<void>
  /** This computer's share of `limit` calls a minute, to plan with. */
  share(limit: number): number
  /** `hasBacklog`: more work is waiting than there are slots. Never rejects. */
  permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer>
  /** Durable when it resolves. Never rejects. */
  claim(request: ClaimRequest): Promise<ClaimAnswer>
  /** The account's dispatches as far as known here; null if this computer's own count is complete. */
  spent(): AccountSpend | null
}

const OWN_PERMIT: PermitAnswer = {
  kind: 'granted',
  permit: { isCurrent: () => true, answered: () => undefined, unused: () => undefined },
}
const OWN_CLAIM: ClaimAnswer = {
  kind: 'granted',
  claim: { begun: () => undefined, confirm: async () => true, release: () => undefined },
}

/** A single computer: its budget and the `payments` of its journal decide alone. */
export const OWN_LEDGER: AccountLedger = {
  trouble: null,
  ready: async () => undefined,
  share: (limit) => limit,
  permit: async () => OWN_PERMIT,
  claim: async () => OWN_CLAIM,
  spent: () => null,
}
