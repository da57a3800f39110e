import { type Db, JOURNAL_VERSION } from '../../src/main/journal/journal.ts'

/** What takes back the step to each version. */
const BACK_FROM: Readonly<Record<number, string>> = {
  2: `DROP TRIGGER jobs_deleted; DROP INDEX jobs_listed; DROP INDEX jobs_held_by_batch;
    DROP TABLE reviews; DROP TABLE text_edits; DROP TABLE removed_jobs`,
  3: 'ALTER TABLE output_hashes DROP COLUMN written',
  4: 'DROP INDEX batches_bound; ALTER TABLE batches DROP COLUMN service_id',
  5: 'DROP TABLE text_drafts',
  6: 'DROP INDEX dispatches_by_service; CREATE INDEX dispatches_by_time ON dispatches (at_ms, outcome, folder_id)',
  7: `UPDATE jobs SET doc = json_remove(doc, '$.missingSinceMs') WHERE json_valid(doc)`,
  8: 'DROP TABLE decorative_pictures',
  9: 'DROP TABLE stale_texts',
  10: `UPDATE jobs SET doc = json_set(doc, '$.reason.detail', json_extract(doc, '$.reason.detail.raw'))
      WHERE CASE WHEN json_valid(doc) THEN json_type(doc, '$.reason.detail') END = 'object';
    UPDATE job_events SET detail = json_extract(detail, '$.raw') WHERE json_valid(detail)`,
  11: `DROP INDEX jobs_listed; CREATE INDEX jobs_listed ON jobs (id, state, path, batch_id, folder_id);
    ALTER TABLE jobs DROP COLUMN name_key; ALTER TABLE jobs DROP COLUMN size_bytes; ALTER TABLE jobs DROP COLUMN after_bytes`,
  12: 'ALTER TABLE text_edits DROP COLUMN seo_filename',
  13: 'DROP TABLE team_claims',
}

/** Makes of a journal what a version left. */
export function backTo(db: Db, version: number): void {
  for (let from = JOURNAL_VERSION; from > version; from -= 1) db.exec(BACK_FROM[from]!)
  db.pragma(`user_version = ${version}`)
}
