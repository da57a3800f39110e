import type { Migration } from './migration.ts'

const HAS_PROSE = `CASE WHEN json_valid(doc) THEN json_type(doc, '$.reason.detail') END = 'text'`
const DOC_OF_10 = `json_set(doc, '$.reason.detail', json(sentence_before_10(json_extract(doc, '$.reason.detail'))))`

export const sentencesAsCodes: Migration = {
  sql: `
    -- What is said about a job beyond its reason used to be kept in English, and is kept as a code with values now, or as the words
    -- of others. "sentence_before_10" gives it as JSON.
    UPDATE jobs SET doc = ${DOC_OF_10} WHERE ${HAS_PROSE};
    UPDATE job_events SET detail = sentence_before_10(detail) WHERE detail IS NOT NULL;
  `,
  standIn: `
    CREATE TEMP VIEW jobs AS SELECT id, batch_id, folder_id, path, sha256, signature, service_id, paid_key, state, reason,
      not_before_ms, created_at_ms, updated_at_ms, CASE WHEN ${HAS_PROSE} THEN ${DOC_OF_10} ELSE doc END AS doc
    FROM main.jobs;
    CREATE TEMP VIEW job_events AS SELECT rowid AS rowid, job_id, at_ms, event, state, reason,
      sentence_before_10(detail) AS detail FROM main.job_events;
  `,
}
