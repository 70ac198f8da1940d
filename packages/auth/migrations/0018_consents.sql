-- What becomes of a consent without anybody's decision: it is used, and its time is over.

-- Up Migration

-- When a consent was last used, beside its row, which does not change: one row for each that ever was, written at most once
-- a minute, so that nothing which asks about a token waits for it.
CREATE TABLE consent_use (
  consent_id text COLLATE "C" PRIMARY KEY REFERENCES consent (id),
  used_at timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Whose time is over next. One that has run out ends as every other one: at `valid_until`, by `server`, because it `expired`.
CREATE INDEX consent_due ON consent (valid_until) WHERE ended_at IS NULL;

-- The list of those that were ended becomes two. Its former index goes later: nobody reads the table while one does.
CREATE INDEX consent_revoked_by_time ON consent (given_at, id) WHERE end_reason <> 'expired';
CREATE INDEX consent_expired_by_time ON consent (given_at, id) WHERE end_reason = 'expired';

-- Down Migration

UPDATE consent SET ended_at = NULL, ended_by = NULL, end_reason = NULL WHERE end_reason = 'expired';
DROP INDEX consent_expired_by_time, consent_revoked_by_time;
DROP INDEX consent_due;
DROP TABLE consent_use;
