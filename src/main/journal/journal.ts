import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../shared/errors.ts'
import { raw, say } from '../../shared/sentence.ts'
import { nameKey } from '../core/name-key.ts'
import { sentenceBefore10 } from './sentences-before-10.ts'

export type Db = Database.Database

const HAS_PROSE = `CASE WHEN json_valid(doc) THEN json_type(doc, '$.reason.detail') END = 'text'`
const DOC_OF_10 = `json_set(doc, '$.reason.detail', json(sentence_before_10(json_extract(doc, '$.reason.detail'))))`

/**
 * Each entry takes a journal from the version before to the next; never edited once released, only added to.
 * Documents are JSON checked on the way in and out; the columns beside them are what is searched by.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    batch_id TEXT NOT NULL,
    folder_id TEXT,
    path TEXT NOT NULL,
    sha256 TEXT,
    signature TEXT NOT NULL,
    service_id TEXT NOT NULL,
    paid_key TEXT,
    state TEXT NOT NULL,
    reason TEXT,
    not_before_ms REAL,
    created_at_ms REAL NOT NULL,
    updated_at_ms REAL NOT NULL,
    doc TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_by_state ON jobs (state, id);
  CREATE INDEX jobs_held ON jobs (reason, id) WHERE state = 'held';
  CREATE INDEX jobs_by_service ON jobs (state, service_id) WHERE paid_key IS NOT NULL;
  CREATE INDEX jobs_free ON jobs (state, id) WHERE paid_key IS NULL;
  CREATE INDEX jobs_due ON jobs (not_before_ms) WHERE not_before_ms IS NOT NULL;
  CREATE INDEX jobs_by_path ON jobs (path, id);
  CREATE INDEX jobs_by_key ON jobs (paid_key, state) WHERE paid_key IS NOT NULL;
  CREATE INDEX jobs_by_batch ON jobs (batch_id, state, paid_key);
  CREATE INDEX jobs_by_folder ON jobs (folder_id, state) WHERE folder_id IS NOT NULL;

  CREATE TABLE job_events (
    job_id TEXT NOT NULL,
    at_ms REAL NOT NULL,
    event TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    detail TEXT
  ) STRICT;
  CREATE INDEX job_events_by_job ON job_events (job_id);

  -- What was paid or may have been: one row a paid key, so that a second dispatch of it cannot begin.
  CREATE TABLE payments (
    paid_key TEXT PRIMARY KEY,
    service_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'accepted', 'paid', 'unknown', 'ended')),
    remote_job_id TEXT,
    result TEXT,
    at_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Every dispatch that was begun, for counts and statistics; never deleted with the jobs.
  CREATE TABLE dispatches (
    id INTEGER PRIMARY KEY,
    paid_key TEXT NOT NULL,
    job_id TEXT NOT NULL,
    folder_id TEXT,
    service_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    languages INTEGER NOT NULL,
    format TEXT NOT NULL,
    at_ms REAL NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('open', 'accepted', 'notSent', 'rejected', 'unknown')),
    ordered INTEGER NOT NULL,
    batch_id TEXT NOT NULL
  ) STRICT;
  CREATE INDEX dispatches_by_time ON dispatches (at_ms, outcome, folder_id);
  CREATE INDEX dispatches_by_batch ON dispatches (batch_id);
  CREATE INDEX dispatches_by_key ON dispatches (paid_key);
  CREATE INDEX dispatches_open ON dispatches (job_id) WHERE outcome = 'open';

  -- Files that Hangar wrote, by what is in them: they are never taken in.
  CREATE TABLE outputs (
    path TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL,
    source_path TEXT NOT NULL,
    job_id TEXT NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('planned', 'published'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outputs_by_hash ON outputs (sha256);
  CREATE TABLE output_hashes (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- What a reconcile pass compares with: a file that looks as it did is not read again.
  CREATE TABLE seen (
    path TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ns TEXT NOT NULL,
    ino TEXT NOT NULL,
    verdict TEXT NOT NULL,
    job_id TEXT
  ) STRICT, WITHOUT ROWID;

  -- One order of a person, or one burst in a watched folder: what a spend guard asks about as a whole.
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('run', 'folder')),
    folder_id TEXT,
    open INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    max_credits INTEGER,
    credits_per_image REAL,
    at_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (kind TEXT NOT NULL, key TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    service_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (service_id, fingerprint)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE balances (at_ms REAL NOT NULL, service_id TEXT NOT NULL, balance REAL NOT NULL) STRICT;
  CREATE INDEX balances_by_time ON balances (service_id, at_ms);

  -- Commands of other processes for the engine that holds the lock.
  CREATE TABLE orders (id INTEGER PRIMARY KEY, at_ms REAL NOT NULL, doc TEXT NOT NULL) STRICT;

  -- Rows that no longer parse: kept as they were, listed, and out of the way.
  CREATE TABLE quarantine (
    at_ms REAL NOT NULL,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    why TEXT NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  `,
  `
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
  `
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
  `
  -- The service that a batch is bound to, whichever is in use; null: the one that is in use.
  ALTER TABLE batches ADD COLUMN service_id TEXT;
  CREATE INDEX batches_bound ON batches (service_id, id) WHERE service_id IS NOT NULL;
  `,
  `
  -- Words that were typed into an alt text and not saved yet, by the picture's content. One row for each window that typed,
  -- so that none overwrites the words of another.
  CREATE TABLE text_drafts (
    sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    id TEXT NOT NULL,
    alt_text TEXT NOT NULL,
    at_ms REAL NOT NULL,
    PRIMARY KEY (sha256, language, id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What was sent is counted for each service by itself.
  DROP INDEX dispatches_by_time;
  CREATE INDEX dispatches_by_service ON dispatches (service_id, at_ms, outcome, folder_id);
  `,
  `
  -- Since when a download was not there yet used to be found in the history, by the sentence in it. A deadline that runs goes on.
  UPDATE jobs SET doc = json_set(doc, '$.missingSinceMs', (
      SELECT at_ms FROM job_events WHERE job_id = jobs.id AND detail = 'the service says that the file is not there yet'
        AND rowid > coalesce((SELECT max(rowid) FROM job_events WHERE job_id = jobs.id
          AND event IN ('fetchAgain', 'completed', 'reuse')), 0)
        ORDER BY rowid LIMIT 1))
    WHERE state IN ('fetching', 'writing', 'held') AND json_valid(doc);
  `,
  `
  -- Pictures of which a person said that they are only decoration, or that they are not after all, by their content.
  CREATE TABLE decorative_pictures (
    sha256 TEXT PRIMARY KEY,
    is_decorative INTEGER NOT NULL,
    written INTEGER NOT NULL,
    at_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Results that carry alt texts and do not have the newest yet. Once a file with them is about to take the place of the one that
  -- is there, its hash stands here too.
  CREATE TABLE stale_texts (
    path TEXT PRIMARY KEY,
    job_id TEXT NOT NULL,
    planned_sha256 TEXT,
    planned_bytes INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What is said about a job beyond its reason used to be kept in English, and is kept as a code with values now, or as the words
  -- of others. "sentence_before_10" gives it as JSON.
  UPDATE jobs SET doc = ${DOC_OF_10} WHERE ${HAS_PROSE};
  UPDATE job_events SET detail = sentence_before_10(detail) WHERE detail IS NOT NULL;
  `,
  `
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
  `
  -- A person's own file name, beside the alt text. Null: the service's.
  ALTER TABLE text_edits ADD COLUMN seo_filename TEXT;
  `,
  `
  -- The claims of this computer in a team ledger, and what it was last told of each.
  CREATE TABLE team_claims (
    account TEXT NOT NULL,
    paid_key TEXT NOT NULL,
    claim TEXT NOT NULL,
    told TEXT NOT NULL,
    PRIMARY KEY (account, paid_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX team_claims_by_claim ON team_claims (account, claim);
  `,
]

/** Temporary stand-ins for what a journal of an earlier version lacks, so that it can be read without being changed. */
const LACKING_BEFORE: readonly { version: number; sql: string }[] = [
  {
    version: 2,
    sql: `CREATE TEMP TABLE reviews (job_id TEXT PRIMARY KEY, state TEXT NOT NULL);
          CREATE TEMP TABLE removed_jobs (job_id TEXT PRIMARY KEY, undo_id TEXT NOT NULL, at_ms REAL NOT NULL);`,
  },
  { version: 4, sql: `CREATE TEMP VIEW batches AS SELECT *, NULL AS service_id FROM main.batches;` },
  {
    version: 10,
    sql: `CREATE TEMP VIEW jobs AS SELECT id, batch_id, folder_id, path, sha256, signature, service_id, paid_key, state, reason,
            not_before_ms, created_at_ms, updated_at_ms, CASE WHEN ${HAS_PROSE} THEN ${DOC_OF_10} ELSE doc END AS doc
          FROM main.jobs;
          CREATE TEMP VIEW job_events AS SELECT rowid AS rowid, job_id, at_ms, event, state, reason,
            sentence_before_10(detail) AS detail FROM main.job_events;`,
  },
  { version: 12, sql: `CREATE TEMP VIEW text_edits AS SELECT *, NULL AS seo_filename FROM main.text_edits;` },
]

export const JOURNAL_VERSION = MIGRATIONS.length

export const JOURNAL_NAME = 'journal.db'

/** How long to wait for another process's lock. */
const BUSY_TIMEOUT_MS = 5000
const BUSY_RETRY_MS = 10

/**
 * Opens the journal in the data folder, creating or migrating it. With `readonly` nothing is created or changed.
 * An earlier version is read as it is. WAL; ordinary commits survive a killed process, `durably` ones a power cut. Throws
 * `journal_too_new` for a journal of a later Hangar, `not_found` for a missing one that may not be created, and
 * `data_folder_in_use` when another process keeps it locked.
 */
export function openJournal(dir: string, options: { readonly?: boolean } = {}): Db {
  const db = openFile(join(dir, JOURNAL_NAME), options.readonly ?? false)
  try {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    const version = db.pragma('user_version', { simple: true }) as number
    if (version > JOURNAL_VERSION)
      throw new AppError('journal_too_new', say('journal_too_new', { version, known: JOURNAL_VERSION }))
    db.pragma('foreign_keys = ON')
    addFunctions(db)
    if (options.readonly === true) {
      // Another process is creating it at this moment.
      if (version === 0) throw noJournal()
      for (const { sql } of LACKING_BEFORE.filter((lacking) => version < lacking.version)) db.exec(sql)
      return db
    }
    switchToWal(db)
    db.pragma('synchronous = NORMAL')
    db.pragma('fullfsync = ON')
    migrate(db)
    clearRecoveredIndex(db)
    return db
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new AppError('data_folder_in_use', say('journal_busy'), {
      cause: error,
    })
  }
}

/**
 * A read-only view of the journal, which another process may be using; nothing is created or changed. An earlier version is
 * read from a migrated copy in memory; a journal that does not exist yet is empty. Throws as `openJournal`.
 */
export function openJournalForReading(dir: string): Db {
  let db: Db
  try {
    db = openJournal(dir, { readonly: true })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return openScratchJournal()
    throw error
  }
  if (db.pragma('user_version', { simple: true }) === JOURNAL_VERSION) return db
  try {
    const copy = db.serialize()
    // Bytes 18 and 19 of a database say that it has a WAL (SQLite, "Database File Format", 1.3.3); in memory there is none.
    copy.fill(1, 18, 20)
    return openScratchJournal(copy)
  } finally {
    db.close()
  }
}

/** A journal in memory, empty or from a serialised copy of any version. */
export function openScratchJournal(copy?: Buffer): Db {
  const db = copy === undefined ? new Database(':memory:') : new Database(copy)
  db.pragma('foreign_keys = ON')
  addFunctions(db)
  migrate(db)
  return db
}

/** The SQL functions that the migrations to versions 10 and 11 call. */
function addFunctions(db: Db): void {
  db.function('sentence_before_10', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? JSON.stringify(sentenceBefore10(text)) : null,
  )
  db.function('name_key', { deterministic: true }, (path: unknown) => nameKey(String(path)))
}

/** While another process makes the same switch, SQLite answers SQLITE_BUSY at once, whatever the busy time-out. */
function switchToWal(db: Db): void {
  const untilMs = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
    }
  }
}

/**
 * A first write into the WAL. When SQLite finds a WAL without a whole frame, as a kill can leave it, it fills the `-shm`
 * file with a block of memory that it did not clear (`walIndexRecover`): anything this process had in it, even a key,
 * would stay on the disk until the next write.
 */
function clearRecoveredIndex(db: Db): void {
  // Writes the version that is there now: a later Hangar may have migrated the journal a moment ago.
  transact(db, () => db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`))
}

/** Whether SQLite failed because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
}

const noJournal = (cause?: unknown) => new AppError('not_found', say('journal_missing'), { cause })

function openFile(path: string, readonly: boolean): Db {
  try {
    return new Database(path, { readonly, fileMustExist: readonly })
  } catch (cause) {
    if (readonly) throw noJournal(cause)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('data_folder_unusable', say('journal_unreadable', { why: raw(why) }), { cause })
  }
}

/** One transaction per version: a crash leaves the journal at the version before or after, never between. */
function migrate(db: Db): void {
  const versionNow = () => db.pragma('user_version', { simple: true }) as number
  const step = db.transaction(() => {
    // Read again under the write lock: another process may have migrated meanwhile.
    const version = versionNow()
    const sql = MIGRATIONS[version]
    if (sql === undefined) return
    db.exec(sql)
    db.pragma(`user_version = ${version + 1}`)
  })
  while (versionNow() < JOURNAL_VERSION) step.immediate()
}

/**
 * Runs one write transaction. The write lock is taken first: a transaction that begins by reading fails at once with
 * SQLITE_BUSY_SNAPSHOT if another process wrote in between, whatever the busy time-out.
 */
export function transact<Result>(db: Db, change: () => Result): Result {
  return db.transaction(change).immediate()
}

/** Runs one transaction that is on the disk when this returns: for intents, job ids and published results. */
export function durably<Result>(db: Db, change: () => Result): Result {
  db.pragma('synchronous = FULL')
  try {
    return transact(db, change)
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

const statements = new WeakMap<Db, Map<string, Database.Statement<unknown[], unknown>>>()

/** The prepared statement for this text, made once per connection: preparing costs more than most statements do. */
export function prepared<Values extends unknown[], Row>(db: Db, sql: string): Database.Statement<Values, Row> {
  let known = statements.get(db)
  if (known === undefined) statements.set(db, (known = new Map<string, Database.Statement<unknown[], unknown>>()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = db.prepare<unknown[], unknown>(sql)))
  return statement as unknown as Database.Statement<Values, Row>
}
