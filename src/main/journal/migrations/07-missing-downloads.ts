import type { Migration } from './migration.ts'

export const missingDownloads: Migration = {
  sql: `
    -- Since when a download was not there yet used to be found in the history, by the sentence in it. A deadline that runs goes on.
    UPDATE jobs SET doc = json_set(doc, '$.missingSinceMs', (
        SELECT at_ms FROM job_events WHERE job_id = jobs.id AND detail = 'the service says that the file is not there yet'
          AND rowid > coalesce((SELECT max(rowid) FROM job_events WHERE job_id = jobs.id
            AND event IN ('fetchAgain', 'completed', 'reuse')), 0)
          ORDER BY rowid LIMIT 1))
      WHERE state IN ('fetching', 'writing', 'held') AND json_valid(doc);
  `,
}
