import type { Migration } from './migration.ts'

export const dispatchesByService: Migration = {
  sql: `
    -- What was sent is counted for each service by itself.
    DROP INDEX dispatches_by_time;
    CREATE INDEX dispatches_by_service ON dispatches (service_id, at_ms, outcome, folder_id);
  `,
}
