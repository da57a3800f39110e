import type { Migration } from './migration.ts'

export const reviewsAndEdits: Migration = {
  sql: `
    -- Whether a person has looked at the texts of a job. No row: there are no texts.
    CREATE TABLE reviews (
      job_id TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('needed', 'reviewed'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reviews_needed ON reviews (job_id) WHERE state = 'needed';
    INSERT INTO reviews (job_id, state)
      SELECT id, 'needed' FROM jobs
      WHERE CASE WHEN json_valid(doc) THEN json_array_length(doc, '$.result.translations') > 0 ELSE 0 END;

    -- A person's own alt texts, by the picture's content. A null text gives the service's words back; its row stays until
    -- the sidecar says so too.
    CREATE TABLE text_edits (
      sha256 TEXT NOT NULL,
      language TEXT NOT NULL,
      alt_text TEXT,
      written INTEGER NOT NULL,
      at_ms REAL NOT NULL,
      PRIMARY KEY (sha256, language)
    ) STRICT, WITHOUT ROWID;

    -- Jobs that a person took from the list and may still put back: they are in "jobs", and nobody sees them.
    CREATE TABLE removed_jobs (job_id TEXT PRIMARY KEY, undo_id TEXT NOT NULL, at_ms REAL NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX removed_jobs_by_undo ON removed_jobs (undo_id);
    CREATE INDEX removed_jobs_by_time ON removed_jobs (at_ms);

    CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
      DELETE FROM reviews WHERE job_id = OLD.id;
      DELETE FROM removed_jobs WHERE job_id = OLD.id;
    END;

    -- Everything that a list is filtered and grouped by, so that no document is read for it.
    CREATE INDEX jobs_listed ON jobs (id, state, path, batch_id, folder_id);
    CREATE INDEX jobs_held_by_batch ON jobs (reason, batch_id, paid_key, id) WHERE state = 'held';
  `,
  standIn: `
    CREATE TEMP TABLE reviews (job_id TEXT PRIMARY KEY, state TEXT NOT NULL);
    CREATE TEMP TABLE removed_jobs (job_id TEXT PRIMARY KEY, undo_id TEXT NOT NULL, at_ms REAL NOT NULL);
  `,
}
