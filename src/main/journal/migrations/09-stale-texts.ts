import type { Migration } from './migration.ts'

export const staleTexts: Migration = {
  sql: `
    -- Results that carry alt texts and do not have the newest yet. Once a file with them is about to take the place of the one that
    -- is there, its hash stands here too.
    CREATE TABLE stale_texts (
      path TEXT PRIMARY KEY,
      job_id TEXT NOT NULL,
      planned_sha256 TEXT,
      planned_bytes INTEGER
    ) STRICT, WITHOUT ROWID;
  `,
}
