import type { Migration } from './migration.ts'

export const decorativePictures: Migration = {
  sql: `
    -- Pictures of which a person said that they are only decoration, or that they are not after all, by their content.
    CREATE TABLE decorative_pictures (
      sha256 TEXT PRIMARY KEY,
      is_decorative INTEGER NOT NULL,
      written INTEGER NOT NULL,
      at_ms REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
