import type { Migration } from './migration.ts'

export const textDrafts: Migration = {
  sql: `
    -- Words that were typed into an alt text and not saved yet, by the picture's content. One row for each window that typed,
    -- so that none overwrites the words of another.
    CREATE TABLE text_drafts (
      sha256 TEXT NOT NULL,
      language TEXT NOT NULL,
      id TEXT NOT NULL,
      alt_text TEXT NOT NULL,
      at_ms REAL NOT NULL,
      PRIMARY KEY (sha256, language, id)
    ) STRICT, WITHOUT ROWID;
  `,
}
