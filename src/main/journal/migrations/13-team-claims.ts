import type { Migration } from './migration.ts'

export const teamClaims: Migration = {
  sql: `
    -- The claims of this computer in a team ledger, and what it was last told of each.
    CREATE TABLE team_claims (
      account TEXT NOT NULL,
      paid_key TEXT NOT NULL,
      claim TEXT NOT NULL,
      told TEXT NOT NULL,
      PRIMARY KEY (account, paid_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX team_claims_by_claim ON team_claims (account, claim);
  `,
}
