import type { Migration } from './migration.ts'

export const fileNames: Migration = {
  sql: `
    -- A person's own file name, beside the alt text. Null: the service's.
    ALTER TABLE text_edits ADD COLUMN seo_filename TEXT;
  `,
  standIn: `
    CREATE TEMP VIEW text_edits AS SELECT *, NULL AS seo_filename FROM main.text_edits;
  `,
}
