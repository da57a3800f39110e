import type { ServiceResult } from '../../shared/job.ts'
import type { WaitReason } from '../../shared/reasons.ts'
import type { PaidKey } from '../../shared/recipe.ts'
import type { Sentence } from '../../shared/sentence.ts'

/** Who waits for a call: a person (or a decision) goes before the queue's own work. */
export type Urgency = 'person' | 'queue'

/** The account's right to make one call, beside the slot of this computer's own budget. One of the two is called once. */
export interface Permit {
  /** The answer came, or the call was given up. `pauseMs`: nobody may call for so long. */
  answered(pauseMs: number | null): void
  /** The call was not made. */
  unused(): void
}

export type PermitAnswer = { kind: 'granted'; permit: Permit } | { kind: 'later'; retryMs: number }

/** Why nothing may be sent now, and since when (monotonic ms). */
export interface LedgerTrouble {
  code: Extract<WaitReason, 'ledger_away' | 'ledger_refused' | 'ledger_newer'>
  detail: Sentence | null
  sinceMs: number
}

export interface ClaimOrder {
  paidKey: PaidKey
  /** A person asked to send it although it was sent before. Covers only what this computer knew of. */
  isRepetition: boolean
  /** In dispatches of the whole account; null means no cap. */
  caps: { perDay: number | null; perMonth: number | null }
}

/** The right to send one paid key. Either `begun`, or `release`. */
export interface Claim {
  /** False once so much time has passed that others may take its computer for lost: then it must be released. */
  isFresh(): boolean
  /** Runs in the transaction that journals the intent. */
  begun(): void
  /** Certainly nothing was sent. */
  release(): void
}

/** What another dispatch of the same key came to. */
export interface KnownPayment {
  state: 'accepted' | 'paid' | 'unknown' | 'ended'
  remoteJobId: string | null
  result: ServiceResult | null
  /** How long ago it was claimed. */
  ageMs: number
  /** How long ago its state changed. */
  changedMs: number
  /** The computer that has it; null when that is this one, or no longer there. */
  computer: string | null
  /** Keeps what this computer now knows of it; runs in a transaction of the journal. */
  learn(): void
}

export type ClaimAnswer =
  | { kind: 'granted'; claim: Claim }
  /** Another computer is sending it, or waits for its result. */
  | { kind: 'elsewhere'; computer: string }
  | { kind: 'known'; payment: KnownPayment }
  /** A cap of the account is reached; `spent` says so from now on. */
  | { kind: 'capped' }
  /** The ledger did not answer. */
  | { kind: 'later' }

/** Dispatches of the account, today and this month. */
export interface AccountSpend {
  today: number
  thisMonth: number
}

/**
 * What belongs to an account rather than to a computer: its rate and its payments. With one computer, the journal and its own
 * rate budget say all there is to say (`OWN_LEDGER`); computers that share an account share a ledger (`team/team-account.ts`).
 * The queue does not know which it has.
 */
export interface AccountLedger {
  readonly trouble: LedgerTrouble | null
  /** Resolves once it is known whether it answers. */
  ready(): Promise<void>
  /** How many of so many calls a minute this computer should plan with now. */
  share(limit: number): number
  /** `hasBacklog`: more work waits than there are slots for. Never rejects. */
  permit(urgency: Urgency, limit: number, hasBacklog: boolean): Promise<PermitAnswer>
  /** Durable when it resolves. Never rejects. */
  claim(order: ClaimOrder): Promise<ClaimAnswer>
  /** What the account spent, as far as is known here; null when this computer's own count is all there is. */
  spent(): AccountSpend | null
}

const OWN_PERMIT: PermitAnswer = {
  kind: 'granted',
  permit: { answered: () => undefined, unused: () => undefined },
}
const OWN_CLAIM: ClaimAnswer = {
  kind: 'granted',
  claim: { isFresh: () => true, begun: () => undefined, release: () => undefined },
}

/** The account of one computer: its budget and the `payments` of its journal decide alone. */
export const OWN_LEDGER: AccountLedger = {
  trouble: null,
  ready: async () => undefined,
  share: (limit) => limit,
  permit: async () => OWN_PERMIT,
  claim: async () => OWN_CLAIM,
  spent: () => null,
}
