/** Of the journal. A later version comes with what takes a journal from this one to it. */
export const JOURNAL_VERSION = 1

/** Documents are JSON checked on the way in and out; the columns beside them are what is searched by. */
export const JOURNAL_SCHEMA = `
  -- Tables with a long row for each picture have a rowid: without one, such a row spills out of its page, and looking it up takes five
  -- times as long.
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
    doc TEXT NOT NULL,
    -- What a list is sorted by, so that no document is read for it. "after_bytes" is the size of the result that the list shows.
    name_key TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    after_bytes INTEGER
  ) STRICT;
  -- Everything that a list is filtered, grouped and sorted by.
  CREATE INDEX jobs_listed
    ON jobs (id, state, path, batch_id, folder_id, name_key, size_bytes, after_bytes, updated_at_ms);
  CREATE INDEX jobs_by_state ON jobs (state, id);
  CREATE INDEX jobs_held ON jobs (reason, id) WHERE state = 'held';
  CREATE INDEX jobs_held_by_batch ON jobs (reason, batch_id, paid_key, id) WHERE state = 'held';
  -- Asked before each call, so it holds all that decides whether a job may be sent now.
  CREATE INDEX jobs_by_service ON jobs (state, service_id, id, not_before_ms, batch_id, paid_key) WHERE paid_key IS NOT NULL;
  CREATE INDEX jobs_free ON jobs (state, id) WHERE paid_key IS NULL;
  CREATE INDEX jobs_due ON jobs (not_before_ms, state, id) WHERE not_before_ms IS NOT NULL;
  -- Its condition is worded as the question is, or SQLite would not use it.
  CREATE INDEX jobs_settled ON jobs (updated_at_ms, state, id) WHERE state IN ('done', 'skipped', 'cancelled');
  CREATE INDEX jobs_by_path ON jobs (path, id);
  CREATE INDEX jobs_by_content ON jobs (sha256, id) WHERE sha256 IS NOT NULL;
  CREATE INDEX jobs_by_key ON jobs (paid_key, state, id) WHERE paid_key IS NOT NULL;
  CREATE INDEX jobs_by_batch ON jobs (batch_id, state, paid_key, id);
  CREATE INDEX jobs_by_folder ON jobs (folder_id, state, id) WHERE folder_id IS NOT NULL;

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
  ) STRICT;
  -- Which picture an id of the service belongs to: no two pictures may share one.
  CREATE INDEX payments_by_remote_job ON payments (service_id, remote_job_id) WHERE remote_job_id IS NOT NULL;
  CREATE INDEX payments_by_image ON payments (service_id, CASE WHEN json_valid(result) THEN result ->> 'imageId' END)
    WHERE result IS NOT NULL;

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
    -- Whether the key was sent before and a person approved another dispatch.
    repeats INTEGER NOT NULL,
    batch_id TEXT NOT NULL,
    -- Whose credits it spends.
    account_id TEXT NOT NULL
  ) STRICT;
  CREATE INDEX dispatches_by_service ON dispatches (service_id, at_ms, outcome, folder_id);
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
  CREATE TABLE output_hashes (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- What a reconcile pass compares with: a file that looks as it did is not read again.
  CREATE TABLE known_files (
    path TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ns TEXT NOT NULL,
    ino TEXT NOT NULL,
    verdict TEXT NOT NULL,
    -- The time of the last change of any kind.
    ctime_ns TEXT NOT NULL,
    -- The content it was judged by; null where it was judged without being read whole.
    sha256 TEXT
  ) STRICT, WITHOUT ROWID;

  -- What a person handed in at once, or one burst in a watched folder: what a spend guard asks about as a whole.
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('run', 'folder')),
    folder_id TEXT,
    open INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    max_credits INTEGER,
    credits_per_image REAL,
    at_ms REAL NOT NULL,
    -- The service that it is bound to, whichever is in use; null: the one that is in use.
    service_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX batches_bound ON batches (service_id, id) WHERE service_id IS NOT NULL;

  CREATE TABLE documents (kind TEXT NOT NULL, key TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    service_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (service_id, fingerprint)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE balances (at_ms REAL NOT NULL, service_id TEXT NOT NULL, balance REAL NOT NULL) STRICT;
  CREATE INDEX balances_by_time ON balances (service_id, at_ms);

  -- Whether a person has looked at the texts of a job. No row: there are no texts.
  CREATE TABLE reviews (
    job_id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('needed', 'reviewed'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reviews_needed ON reviews (job_id) WHERE state = 'needed';

  -- A person's own alt texts and file names, by the picture's content. A null gives the service's words back; its row stays
  -- until the sidecar says so too.
  CREATE TABLE text_edits (
    sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    alt_text TEXT,
    seo_filename TEXT,
    written INTEGER NOT NULL,
    at_ms REAL NOT NULL,
    -- The alt text is what word rules made of the service's.
    by_rule INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (sha256, language)
  ) STRICT, WITHOUT ROWID;

  -- What a person wrote about another picture of its name (id 'earlier'), by the picture's content.
  CREATE TABLE text_drafts (
    sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    id TEXT NOT NULL,
    alt_text TEXT NOT NULL,
    at_ms REAL NOT NULL,
    PRIMARY KEY (sha256, language, id)
  ) STRICT, WITHOUT ROWID;

  -- Pictures of which a person said that they are only decoration, or that they are not after all, by their content.
  CREATE TABLE decorative_pictures (
    sha256 TEXT PRIMARY KEY,
    is_decorative INTEGER NOT NULL,
    written INTEGER NOT NULL,
    at_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Results that carry alt texts and do not have the newest yet. Once a file with them is about to take the place of the one that
  -- is there, its hash stands here too.
  CREATE TABLE stale_texts (
    path TEXT PRIMARY KEY,
    job_id TEXT NOT NULL,
    planned_sha256 TEXT
  ) STRICT, WITHOUT ROWID;

  -- Jobs that a person took from the list and may still put back: they are in "jobs", and nobody sees them.
  CREATE TABLE removed_jobs (job_id TEXT PRIMARY KEY, undo_id TEXT NOT NULL, at_ms REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX removed_jobs_by_undo ON removed_jobs (undo_id);
  CREATE INDEX removed_jobs_by_time ON removed_jobs (at_ms);

  CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
    DELETE FROM reviews WHERE job_id = OLD.id;
    DELETE FROM removed_jobs WHERE job_id = OLD.id;
  END;

  -- The claims of this computer in a team ledger, and what was last reported of each to it.
  CREATE TABLE team_claims (
    account TEXT NOT NULL,
    paid_key TEXT NOT NULL,
    claim TEXT NOT NULL,
    reported TEXT NOT NULL,
    PRIMARY KEY (account, paid_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX team_claims_by_claim ON team_claims (account, claim);

  -- Rows that no longer parse: kept as they were, listed, and out of the way.
  CREATE TABLE quarantine (
    at_ms REAL NOT NULL,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    why TEXT NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
`

/** "Hngr", in the header of every journal: that an SQLite database is one. */
export const JOURNAL_APPLICATION_ID = 0x48_6e_67_72
