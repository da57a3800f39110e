import type { Migration } from './migration.ts'

export const whatSidecarsList: Migration = {
  sql: `
    -- Results and hashes that sidecars listed used to be kept beside what this computer paid for and wrote. A payment that
    -- was never sent from here is theirs; a job that is about to use it takes it along. Of a hash it can no longer be told
    -- when no file and no job has it: those are marked, and a person's command overrules them.
    UPDATE jobs SET doc = json_set(doc,
        '$.result', json((SELECT result FROM payments WHERE payments.paid_key = jobs.paid_key)),
        '$.remoteJobId', (SELECT remote_job_id FROM payments WHERE payments.paid_key = jobs.paid_key))
      WHERE state IN ('ready', 'held') AND json_valid(doc) AND paid_key IN (
        SELECT paid_key FROM payments WHERE state = 'paid' AND json_valid(result)
          AND paid_key NOT IN (SELECT paid_key FROM dispatches));
    DELETE FROM payments WHERE paid_key NOT IN (SELECT paid_key FROM dispatches);

    ALTER TABLE output_hashes ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
    UPDATE output_hashes SET written = 1 WHERE sha256 IN (SELECT sha256 FROM outputs) OR sha256 IN (
      SELECT json_extract(output.value, '$.sha256')
        FROM jobs, json_each(CASE WHEN json_valid(doc) THEN doc ELSE '{}' END, '$.outputs') AS output);
  `,
}
