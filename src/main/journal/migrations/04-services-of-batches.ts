import type { Migration } from './migration.ts'

export const servicesOfBatches: Migration = {
  sql: `
    -- The service that a batch is bound to, whichever is in use; null: the one that is in use.
    ALTER TABLE batches ADD COLUMN service_id TEXT;
    CREATE INDEX batches_bound ON batches (service_id, id) WHERE service_id IS NOT NULL;
  `,
  standIn: `
    CREATE TEMP VIEW batches AS SELECT *, NULL AS service_id FROM main.batches;
  `,
}
