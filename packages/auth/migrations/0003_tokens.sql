-- What the OAuth provider keeps. The key of every row is the SHA-256 of what the holder presents, so that a copy of
-- these tables opens nothing. Vacuum comes often, because all rows are short-lived but refresh tokens.

-- Up Migration

CREATE TABLE token (
  kind text COLLATE "C" NOT NULL,
  id_hash bytea NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  consumed_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (kind, id_hash)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX token_by_grant ON token (grant_id);
CREATE INDEX token_by_expiry ON token (expires_at);

-- Browser sessions and interactions: losing them costs a PSU a new start, never a consent.
CREATE TABLE ephemeral_record (
  kind text COLLATE "C" NOT NULL,
  id_hash bytea NOT NULL,
  uid_hash bytea,
  payload jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (kind, id_hash)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX ephemeral_record_by_uid ON ephemeral_record (kind, uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX ephemeral_record_by_expiry ON ephemeral_record (expires_at);

-- Down Migration

DROP TABLE ephemeral_record;
DROP TABLE token;
