import type { Migration } from './migration.ts'

export const jobsAndPayments: Migration = {
  sql: `
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

    -- What a person handed in at once, or one burst in a watched folder: what a spend guard asks about as a whole.
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
}
