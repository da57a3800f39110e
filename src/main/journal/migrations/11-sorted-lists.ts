import type { Migration } from './migration.ts'

export const sortedLists: Migration = {
  sql: `
    -- What a list is sorted by, so that no document is read for it. "after_bytes" is the size of the result that the list shows.
    ALTER TABLE jobs ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
    ALTER TABLE jobs ADD COLUMN size_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN after_bytes INTEGER;
    UPDATE jobs SET name_key = name_key(path);
    UPDATE jobs SET size_bytes = coalesce(CAST(json_extract(doc, '$.source.sizeBytes') AS INTEGER), 0), after_bytes = (
        SELECT CAST(json_extract(value, '$.sizeBytes') AS INTEGER) FROM json_each(doc, '$.outputs')
          WHERE json_extract(value, '$.state') = 'published' AND json_extract(value, '$.role') IN ('optimized', 'converted')
          ORDER BY json_extract(value, '$.role') DESC, key DESC LIMIT 1)
      WHERE json_valid(doc);
    DROP INDEX jobs_listed;
    CREATE INDEX jobs_listed
      ON jobs (id, state, path, batch_id, folder_id, name_key, size_bytes, after_bytes, updated_at_ms);
  `,
}
