/*
 * What has to be decided atomically for an account is a function in the team ledger: one round trip, so a stalled computer cannot hold a
 * lock. Times are `clock_timestamp()`, read after the lock. Functions are VOLATILE and run under READ COMMITTED: what follows a lock sees
 * what was committed before it.
 */

/**
 * If the meaning of one changes, so must its parameters and the ledger's version: an older Hangar that is still connected then finds no
 * such function, checks the version and stops.
 */
export const LEDGER_FUNCTIONS = `
CREATE FUNCTION hangar.today(p_zone_minutes integer) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT ((clock_timestamp() AT TIME ZONE 'UTC') + make_interval(mins => p_zone_minutes))::date
$$;

-- Whether a computer has stopped sending beats. One that was removed counts as gone.
CREATE FUNCTION hangar.is_gone(p_account integer, p_computer text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM hangar.computers WHERE account = p_account AND computer = p_computer)
    OR (
      (SELECT seen_at FROM hangar.computers WHERE account = p_account AND computer = p_computer)
        < clock_timestamp() - interval '2 minutes'
      AND coalesce((SELECT steady_since FROM hangar.accounts WHERE id = p_account), clock_timestamp())
        < clock_timestamp() - interval '2 minutes'
    )
$$;

-- If the clock was set back, no time in the tables means anything: calls count as just made, computers as just seen, and nobody as
-- waiting; a pause ends within a minute. The account has to be locked.
CREATE FUNCTION hangar.handle_clock_rollback(p_account integer, p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE hangar.slots s SET taken_at = least(s.taken_at, p_now), answered_at = least(s.answered_at, p_now)
    WHERE s.account = p_account AND greatest(s.taken_at, s.answered_at) > p_now;
  UPDATE hangar.computers c SET seen_at = least(c.seen_at, p_now),
      wants_at = CASE WHEN c.wants_at <= p_now THEN c.wants_at END, person_at = CASE WHEN c.person_at <= p_now THEN c.person_at END
    WHERE c.account = p_account AND greatest(c.seen_at, c.wants_at, c.person_at) > p_now;
  -- Slewing alone never makes a second.
  UPDATE hangar.accounts a SET beat_at = p_now, steady_since = p_now, paused_until = least(a.paused_until, p_now + interval '1 minute')
    WHERE a.id = p_account AND a.beat_at > p_now + interval '1 second';
$$;

-- A computer begins. verdict: entered, or older: this journal is not the latest of that computer.
CREATE FUNCTION hangar.enter(p_name text, p_computer text, p_computer_name text, p_version text, p_run integer)
RETURNS TABLE (verdict text, account_id integer) LANGUAGE plpgsql AS $$
DECLARE
  known integer;
  an_account integer;
  now_at timestamptz;
BEGIN
  INSERT INTO hangar.accounts (name) VALUES (p_name) ON CONFLICT (name) DO NOTHING;
  SELECT id INTO an_account FROM hangar.accounts WHERE name = p_name FOR UPDATE;
  SELECT run INTO known FROM hangar.computers c WHERE c.account = an_account AND c.computer = p_computer;
  IF known >= p_run THEN
    RETURN QUERY SELECT 'older', an_account;
    RETURN;
  END IF;
  now_at := clock_timestamp();
  INSERT INTO hangar.computers AS c (account, computer, name, version, run)
    VALUES (an_account, p_computer, p_computer_name, p_version, p_run)
    ON CONFLICT (account, computer) DO UPDATE SET run = p_run, version = p_version, seen_at = now_at, wants_at = NULL,
      person_at = NULL, name = CASE WHEN c.renamed THEN c.name ELSE p_computer_name END;
  RETURN QUERY SELECT 'entered', an_account;
END $$;

-- How many slots a minute are a computer's: what the others that want none leave, shared by those that want more.
CREATE FUNCTION hangar.share(p_account integer, p_computer text, p_limit integer) RETURNS numeric LANGUAGE sql STABLE AS $$
  WITH others AS (
    SELECT coalesce(c.wants_at > clock_timestamp() - interval '15 seconds', false) AS wants,
      (SELECT count(*) FROM hangar.slots s WHERE s.account = p_account AND s.computer = c.computer) AS live
    FROM hangar.computers c
    WHERE c.account = p_account AND c.computer <> p_computer AND c.seen_at > clock_timestamp() - interval '1 minute'
  )
  SELECT greatest(1, (p_limit - coalesce(sum(live) FILTER (WHERE NOT wants), 0)) / (1 + count(*) FILTER (WHERE wants)))
  FROM others
$$;

-- Takes a slot for one call. Granted only if fewer slots than the limit are live, across all computers. Free slots are left to
-- others with a higher priority: a person who waits, then computers that want slots and have fewer than their share.
CREATE FUNCTION hangar.take(
  p_account integer, p_computer text, p_slot uuid, p_limit integer, p_person boolean, p_backlog boolean
) RETURNS TABLE (granted boolean, retry_ms integer, plan integer) LANGUAGE plpgsql AS $$
DECLARE
  life CONSTANT interval := interval '60.1 seconds';
  lost CONSTANT interval := interval '10 minutes';
  now_at timestamptz;
  pause_at timestamptz;
  free integer;
  mine integer;
  my_share integer;
  my_plan integer;
  due integer;
  people integer;
  next_at timestamptz;
BEGIN
  PERFORM 1 FROM hangar.accounts WHERE id = p_account FOR UPDATE;
  now_at := clock_timestamp();
  IF NOT EXISTS (SELECT 1 FROM hangar.computers c WHERE c.account = p_account AND c.computer = p_computer) THEN
    RETURN QUERY SELECT false, 1000, 1;
    RETURN;
  END IF;
  PERFORM hangar.handle_clock_rollback(p_account, now_at);
  SELECT paused_until INTO pause_at FROM hangar.accounts WHERE id = p_account;
  DELETE FROM hangar.slots s
    WHERE s.account = p_account AND coalesce(s.answered_at, least(now_at, s.taken_at + lost)) <= now_at - life;
  SELECT p_limit - count(*), count(*) FILTER (WHERE s.computer = p_computer) INTO free, mine
    FROM hangar.slots s WHERE s.account = p_account;
  SELECT floor(share), ceil(share) INTO my_share, my_plan FROM hangar.share(p_account, p_computer, p_limit) AS share;
  IF pause_at > now_at THEN
    RETURN QUERY SELECT false, least(60000, 1 + ceil(extract(epoch FROM pause_at - now_at) * 1000))::integer, my_plan;
    RETURN;
  END IF;
  SELECT count(*) FILTER (WHERE c.person_at > now_at - interval '2 seconds'),
      coalesce(sum(greatest(0, my_share - (SELECT count(*) FROM hangar.slots s WHERE s.account = p_account AND s.computer = c.computer)))
        -- One that waits asks at least once a second.
        FILTER (WHERE c.wants_at > now_at - interval '2 seconds'), 0)
    INTO people, due
    FROM hangar.computers c
    WHERE c.account = p_account AND c.computer <> p_computer AND c.seen_at > now_at - interval '1 minute';
  IF free > 0 AND (p_person OR (free > people AND (mine < my_share OR free - people > due))) THEN
    INSERT INTO hangar.slots (account, slot, computer, taken_at) VALUES (p_account, p_slot, p_computer, now_at);
    UPDATE hangar.computers c
      SET wants_at = CASE WHEN p_backlog THEN now_at ELSE c.wants_at END, person_at = CASE WHEN p_person THEN NULL ELSE c.person_at END
      WHERE c.account = p_account AND c.computer = p_computer AND (p_backlog OR p_person);
    RETURN QUERY SELECT true, 0, my_plan;
    RETURN;
  END IF;
  UPDATE hangar.computers c SET wants_at = now_at, person_at = CASE WHEN p_person THEN now_at ELSE c.person_at END
    WHERE c.account = p_account AND c.computer = p_computer;
  SELECT min(coalesce(s.answered_at, now_at)) + life INTO next_at FROM hangar.slots s WHERE s.account = p_account;
  RETURN QUERY SELECT false,
    CASE WHEN free > 0 THEN 250
      ELSE greatest(50, least(1000, ceil(extract(epoch FROM next_at - now_at) * 1000)))::integer END,
    my_plan;
END $$;

-- The answer of a call came. p_pause_ms: the service asked all computers to wait.
CREATE FUNCTION hangar.answered(p_account integer, p_slot uuid, p_pause_ms integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The account first, as everywhere: two that lock in different orders would wait for each other.
  IF p_pause_ms > 0 THEN
    UPDATE hangar.accounts SET paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => p_pause_ms / 1000.0))
      WHERE id = p_account;
  END IF;
  UPDATE hangar.slots s SET answered_at = clock_timestamp()
    WHERE s.account = p_account AND s.slot = p_slot AND s.answered_at IS NULL;
END $$;

CREATE FUNCTION hangar.unused(p_account integer, p_slot uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM hangar.slots WHERE account = p_account AND slot = p_slot AND answered_at IS NULL
$$;

-- A computer is there. verdict: there, stranger (removed, or replaced by a later run), or outdated: it does not know this version of
-- the ledger, which p_version says. p_open: its calls under way; any other of its calls has been answered. Only those of a while ago: a slot
-- may have been granted while the list was on its way.
CREATE FUNCTION hangar.beat(
  p_account integer, p_computer text, p_run integer, p_version integer, p_limit integer, p_backlog boolean, p_open uuid[],
  p_zone_minutes integer
) RETURNS TABLE (verdict text, version integer, plan integer, today integer, this_month integer, own_today integer, own_month integer)
LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  a_day date;
  is_version integer := (SELECT l.version FROM hangar.ledger l);
BEGIN
  PERFORM 1 FROM hangar.accounts WHERE id = p_account FOR UPDATE;
  now_at := clock_timestamp();
  PERFORM hangar.handle_clock_rollback(p_account, now_at);
  a_day := hangar.today(p_zone_minutes);
  UPDATE hangar.computers c SET seen_at = now_at, wants_at = CASE WHEN p_backlog THEN now_at ELSE c.wants_at END
    WHERE c.account = p_account AND c.computer = p_computer AND c.run = p_run;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'stranger', is_version, 1, 0, 0, 0, 0;
    RETURN;
  END IF;
  UPDATE hangar.accounts a SET beat_at = now_at,
      steady_since = CASE WHEN a.beat_at > now_at - interval '30 seconds' AND a.beat_at <= now_at AND a.steady_since <= now_at
        THEN a.steady_since ELSE now_at END
    WHERE a.id = p_account;
  UPDATE hangar.slots s SET answered_at = now_at
    WHERE s.account = p_account AND s.computer = p_computer AND s.answered_at IS NULL AND NOT (s.slot = ANY (p_open))
      AND s.taken_at < now_at - interval '30 seconds';
  RETURN QUERY SELECT CASE WHEN is_version > p_version THEN 'outdated' ELSE 'there' END, is_version, ceil(hangar.share(p_account, p_computer, p_limit))::integer,
    coalesce(sum(s.sent) FILTER (WHERE s.day >= a_day), 0)::integer, coalesce(sum(s.sent), 0)::integer,
    coalesce(sum(s.sent) FILTER (WHERE s.day >= a_day AND s.computer = p_computer), 0)::integer,
    coalesce(sum(s.sent) FILTER (WHERE s.computer = p_computer), 0)::integer
    FROM hangar.sent s WHERE s.account = p_account AND s.day >= date_trunc('month', a_day)::date;
END $$;

CREATE FUNCTION hangar.count_sent(p_account integer, p_computer text, p_day date, p_by integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO hangar.sent AS s (account, day, computer, sent) VALUES (p_account, p_day, p_computer, greatest(0, p_by))
    ON CONFLICT (account, day, computer) DO UPDATE SET sent = greatest(0, s.sent + p_by)
$$;

-- Claims a paid key before it is sent. p_over: the claim that a person's order to send it again knew of. verdict: granted,
-- elsewhere, capped, dropped (unknown, and a person decided not to send it), or the state of what is known. A second call with the same
-- claim gets the same answer.
CREATE FUNCTION hangar.claim(
  p_account integer, p_computer text, p_key bytea, p_claim text, p_over text, p_run integer,
  p_day_cap integer, p_month_cap integer, p_zone_minutes integer
) RETURNS TABLE (
  verdict text, known_claim text, who text, remote_job text, result text, age_ms double precision, changed_ms double precision,
  today integer, this_month integer
) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  a_day date := hangar.today(p_zone_minutes);
  spent_today integer;
  spent_month integer;
  is_capped boolean := false;
  it hangar.payments%ROWTYPE;
  was text;
  is_lost boolean;
BEGIN
  -- One that was removed, or whose journal was copied, has no say.
  IF NOT EXISTS (SELECT 1 FROM hangar.computers c WHERE c.account = p_account AND c.computer = p_computer AND c.run = p_run) THEN
    RETURN QUERY SELECT 'stranger', NULL::text, NULL::text, NULL::text, NULL::text, 0::double precision, 0::double precision, 0, 0;
    RETURN;
  END IF;
  IF p_day_cap IS NOT NULL OR p_month_cap IS NOT NULL THEN
    PERFORM 1 FROM hangar.accounts WHERE id = p_account FOR UPDATE;
    SELECT coalesce(sum(s.sent) FILTER (WHERE s.day >= a_day), 0), coalesce(sum(s.sent), 0) INTO spent_today, spent_month
      FROM hangar.sent s WHERE s.account = p_account AND s.day >= date_trunc('month', a_day)::date;
    is_capped := coalesce(spent_today >= p_day_cap, false) OR coalesce(spent_month >= p_month_cap, false);
  END IF;
  IF NOT is_capped THEN
    now_at := clock_timestamp();
    INSERT INTO hangar.payments AS p (account, key, claim, computer, state, confirmed, repeats, claimed_at, changed_at, day)
      VALUES (p_account, p_key, p_claim, p_computer, 'sending', false, false, now_at, now_at, a_day)
      ON CONFLICT (account, key) DO NOTHING;
    IF FOUND THEN
      PERFORM hangar.count_sent(p_account, p_computer, a_day, 1);
      RETURN QUERY SELECT 'granted', p_claim, NULL::text, NULL::text, NULL::text, 0::double precision, 0::double precision, spent_today, spent_month;
      RETURN;
    END IF;
  END IF;
  SELECT p.* INTO it FROM hangar.payments p WHERE p.account = p_account AND p.key = p_key FOR UPDATE;
  now_at := clock_timestamp();
  IF NOT FOUND THEN
    -- Released a moment ago, or capped and never sent.
    RETURN QUERY SELECT CASE WHEN is_capped THEN 'capped' ELSE 'again' END, NULL::text, NULL::text, NULL::text, NULL::text,
      0::double precision, 0::double precision, spent_today, spent_month;
    RETURN;
  END IF;
  was := it.state;
  is_lost := it.computer <> p_computer AND hangar.is_gone(p_account, it.computer);
  IF it.claim = p_claim AND was = 'sending' THEN
    was := 'granted';
  ELSIF was = 'sending' THEN
    IF NOT is_lost THEN
      was := 'elsewhere';
    ELSIF it.confirmed THEN
      was := 'unknown';
      UPDATE hangar.payments p SET state = was, changed_at = now_at WHERE p.account = p_account AND p.key = p_key;
    ELSE
      -- Not confirmed: it was not sent, and can no longer be.
      PERFORM hangar.report(p_account, it.computer, p_key, it.claim, 'none', NULL, NULL, p_zone_minutes);
      was := 'again';
    END IF;
  ELSIF was = 'accepted' THEN
    -- A time to come, because the clock was set back, counts as long ago.
    IF it.computer = p_computer OR is_lost OR it.changed_at NOT BETWEEN now_at - interval '5 minutes' AND now_at THEN
      UPDATE hangar.payments p SET computer = p_computer, changed_at = now_at WHERE p.account = p_account AND p.key = p_key;
    ELSE
      was := 'elsewhere';
    END IF;
  ELSIF it.claim = p_over OR (it.void AND it.before_claim = p_over) THEN
    IF is_capped THEN
      was := 'capped';
    ELSE
      UPDATE hangar.payments p SET claim = p_claim, computer = p_computer, state = 'sending', confirmed = false, repeats = true,
          void = false, dropped_at = NULL, before_claim = p_over, before_state = p.state, before_job = p.remote_job, before_at = p.claimed_at,
          remote_job = NULL, claimed_at = now_at, changed_at = now_at, day = a_day
        WHERE p.account = p_account AND p.key = p_key;
      PERFORM hangar.count_sent(p_account, p_computer, a_day, 1);
      was := 'granted';
    END IF;
  ELSIF was = 'unknown' AND it.dropped_at IS NOT NULL THEN
    was := 'dropped';
  END IF;
  RETURN QUERY SELECT was, it.claim,
    CASE WHEN it.computer = p_computer OR is_lost THEN NULL ELSE
      coalesce((SELECT c.name FROM hangar.computers c WHERE c.account = p_account AND c.computer = it.computer), '') END,
    it.remote_job, it.result,
    extract(epoch FROM now_at - it.claimed_at)::double precision * 1000,
    extract(epoch FROM greatest(now_at - it.changed_at, it.changed_at - now_at))::double precision * 1000, spent_today, spent_month;
END $$;

-- Confirms a claim after its intent was journalled. False if the claim was taken back or given to another computer, or if it was made by
-- an earlier run. A confirmed claim may have been sent.
CREATE FUNCTION hangar.confirm(p_account integer, p_computer text, p_run integer, p_key bytea, p_claim text)
RETURNS TABLE (holds boolean) LANGUAGE plpgsql AS $$
BEGIN
  -- Counts as a beat, so that others do not consider it lost while it sends.
  UPDATE hangar.computers c SET seen_at = clock_timestamp()
    WHERE c.account = p_account AND c.computer = p_computer AND c.run = p_run;
  IF FOUND THEN
    UPDATE hangar.payments p SET confirmed = true
      WHERE p.account = p_account AND p.key = p_key AND p.claim = p_claim AND p.computer = p_computer AND p.state = 'sending';
  END IF;
  RETURN QUERY SELECT FOUND;
END $$;

-- Releases a computer's own claim that its journal does not know, because the answer was lost or the process was killed before the intent.
-- If the claim was confirmed, the journal is an older copy and the claim may have been sent: it becomes unknown.
CREATE FUNCTION hangar.take_back(
  p_account integer, p_computer text, p_run integer, p_key bytea, p_claim text, p_zone_minutes integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was_confirmed boolean;
BEGIN
  SELECT p.confirmed INTO was_confirmed FROM hangar.payments p
    WHERE p.account = p_account AND p.key = p_key AND p.claim = p_claim AND p.computer = p_computer AND p.state = 'sending'
      AND EXISTS (SELECT 1 FROM hangar.computers c WHERE c.account = p_account AND c.computer = p_computer AND c.run = p_run)
    FOR UPDATE;
  IF was_confirmed THEN
    UPDATE hangar.payments p SET state = 'unknown', changed_at = clock_timestamp() WHERE p.account = p_account AND p.key = p_key;
  ELSIF NOT was_confirmed THEN
    PERFORM hangar.report(p_account, p_computer, p_key, p_claim, 'none', NULL, NULL, p_zone_minutes);
  END IF;
END $$;

-- What became of a claim. p_state none: certainly nothing was charged. A report on a claim that another has replaced is
-- ignored. A key that is not here is taken in: its computer knew of it before it joined.
CREATE FUNCTION hangar.report(
  p_account integer, p_computer text, p_key bytea, p_claim text, p_state text, p_remote_job text, p_result text,
  p_zone_minutes integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  it hangar.payments%ROWTYPE;
  now_at timestamptz;
BEGIN
  IF p_state <> 'none' THEN
    INSERT INTO hangar.payments (account, key, claim, computer, state, repeats, remote_job, result, claimed_at, changed_at, day)
      VALUES (p_account, p_key, p_claim, p_computer, p_state, false, p_remote_job, p_result, clock_timestamp(), clock_timestamp(),
        hangar.today(p_zone_minutes))
      ON CONFLICT (account, key) DO NOTHING;
    IF FOUND THEN RETURN; END IF;
  END IF;
  SELECT p.* INTO it FROM hangar.payments p WHERE p.account = p_account AND p.key = p_key FOR UPDATE;
  IF NOT FOUND OR (it.claim <> p_claim AND NOT (it.void AND it.before_claim = p_claim)) THEN RETURN; END IF;
  now_at := clock_timestamp();
  IF p_state = 'none' THEN
    IF it.void OR it.state NOT IN ('sending', 'unknown') OR it.remote_job IS NOT NULL THEN RETURN; END IF;
    PERFORM hangar.count_sent(p_account, it.computer, it.day, -1);
    IF it.repeats THEN
      UPDATE hangar.payments p SET state = p.before_state, remote_job = p.before_job, claimed_at = p.before_at,
          changed_at = now_at, void = true
        WHERE p.account = p_account AND p.key = p_key;
    ELSE
      DELETE FROM hangar.payments p WHERE p.account = p_account AND p.key = p_key;
    END IF;
    RETURN;
  END IF;
  -- Two computers may report on one job: what is less does not take back what is more.
  IF it.state IN ('paid', 'ended') AND p_state IN ('sending', 'accepted', 'unknown') THEN RETURN; END IF;
  IF it.state = 'accepted' AND p_state IN ('sending', 'unknown') AND it.computer <> p_computer THEN RETURN; END IF;
  IF it.state = 'unknown' AND p_state = 'sending' THEN RETURN; END IF;
  UPDATE hangar.payments p SET state = p_state, remote_job = coalesce(p_remote_job, p.remote_job), result = coalesce(p_result, p.result),
      changed_at = CASE WHEN p.state = p_state THEN p.changed_at ELSE now_at END, dropped_at = CASE WHEN p_state = 'unknown' THEN p.dropped_at END
    WHERE p.account = p_account AND p.key = p_key;
END $$;

-- A person decided about an unknown payment: it is not sent again, or that decision was taken back. Ignored if it has become known.
CREATE FUNCTION hangar.decide(p_account integer, p_key bytea, p_claim text, p_dropped boolean) RETURNS void LANGUAGE sql AS $$
  UPDATE hangar.payments p SET dropped_at = CASE WHEN p_dropped THEN clock_timestamp() END
    WHERE p.account = p_account AND p.key = p_key AND p.state = 'unknown' AND (p.claim = p_claim OR (p.void AND p.before_claim = p_claim))
$$;

-- What a computer paid for, or was sending, before it joined. What it is sending counts as sent here. A second call, because the answer
-- was lost, brings what has become of it since.
CREATE FUNCTION hangar.contribute(
  p_account integer, p_computer text, p_keys bytea[], p_states text[], p_remote_jobs text[], p_results text[], p_zone_minutes integer
) RETURNS void LANGUAGE sql AS $$
  WITH added AS (
    INSERT INTO hangar.payments AS p (account, key, claim, computer, state, repeats, remote_job, result, claimed_at, changed_at, day)
      SELECT p_account, k, p_computer, p_computer, s, false, j, r, clock_timestamp(), clock_timestamp(), hangar.today(p_zone_minutes)
      FROM unnest(p_keys, p_states, p_remote_jobs, p_results) AS given (k, s, j, r)
      ON CONFLICT (account, key) DO UPDATE SET state = excluded.state, remote_job = coalesce(excluded.remote_job, p.remote_job),
        result = coalesce(excluded.result, p.result), changed_at = excluded.changed_at
        WHERE p.claim = p_computer AND excluded.state <> 'sending'
          AND (p.state = 'sending' OR (p.state = 'accepted' AND excluded.state IN ('paid', 'ended')))
      RETURNING p.day, p.state
  )
  SELECT hangar.count_sent(p_account, p_computer, day, count(*)::integer) FROM added WHERE state = 'sending' GROUP BY day
$$;
`
