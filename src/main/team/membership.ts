/** A computer in the team of an account, as the ledger knows it; all empty until it has entered. */
export interface Membership {
  /** The account's name in the ledger, which the journal's rows about it have. */
  name: string
  /** The account's number in the ledger. */
  account: number
  computer: string
  /** 0 if the ledger does not know the computer now. */
  run: number
}
