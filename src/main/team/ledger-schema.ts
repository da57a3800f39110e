/* The tables of the team ledger, in PostgreSQL 14 or newer. The functions that use them are in `ledger-functions.ts`. */

/** Of the tables and functions. A later version comes with what takes a ledger from this one to it. */
export const LEDGER_VERSION = 1

/** So that one computer alone makes the tables. The number is arbitrary but must never change. */
export const LEDGER_LOCK = 4_718_295_316

export const LEDGER_TABLES = `
CREATE SCHEMA IF NOT EXISTS hangar;

-- One row. The secret names accounts: their keys are not here, and who reads all of this could only guess them whole.
CREATE TABLE hangar.ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO hangar.ledger (version, secret) VALUES (0, gen_random_uuid()::text || gen_random_uuid()::text);

CREATE TABLE hangar.accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  paused_until timestamptz,
  beat_at timestamptz,
  -- Since when computers could tell that they are there: after the ledger was away, nobody is lost until it was back for a while.
  steady_since timestamptz
);

CREATE TABLE hangar.computers (
  account integer NOT NULL REFERENCES hangar.accounts,
  computer text NOT NULL,
  name text NOT NULL,
  renamed boolean NOT NULL DEFAULT false,
  version text NOT NULL,
  -- How often it started: a copy of its journal, or an old one put back, cannot pass for it.
  run integer NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  wants_at timestamptz,
  person_at timestamptz,
  PRIMARY KEY (account, computer)
);

-- Calls of the last minute and those under way; see src/main/core/rate-budget.ts for the rule.
CREATE TABLE hangar.slots (
  account integer NOT NULL,
  slot uuid NOT NULL,
  computer text NOT NULL,
  taken_at timestamptz NOT NULL,
  answered_at timestamptz,
  PRIMARY KEY (account, slot)
);

-- One row for each paid key that was sent, or is about to be. key: SHA-256 of the paid key.
CREATE TABLE hangar.payments (
  account integer NOT NULL,
  key bytea NOT NULL,
  claim text NOT NULL,
  computer text NOT NULL,
  state text NOT NULL CHECK (state IN ('sending', 'accepted', 'paid', 'unknown', 'ended')),
  -- Whether the claim was confirmed after its intent was journalled: before that, nothing is sent.
  confirmed boolean NOT NULL DEFAULT true,
  repeats boolean NOT NULL,
  -- What a repetition found. void: it was not sent, and what it found holds again.
  before_claim text,
  before_state text,
  before_job text,
  before_at timestamptz,
  void boolean NOT NULL DEFAULT false,
  remote_job text,
  result text,
  claimed_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- A person decided that an unknown payment is not sent again. Void once the payment is anything else than unknown.
  dropped_at timestamptz,
  day date NOT NULL,
  PRIMARY KEY (account, key)
);
CREATE INDEX payments_open ON hangar.payments (account, computer) WHERE state IN ('sending', 'accepted', 'unknown');

-- Dispatches a day, in the time zone of the computer that sent.
CREATE TABLE hangar.sent (
  account integer NOT NULL,
  day date NOT NULL,
  computer text NOT NULL,
  sent integer NOT NULL,
  PRIMARY KEY (account, day, computer)
);
`
