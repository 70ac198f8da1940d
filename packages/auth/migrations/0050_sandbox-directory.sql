-- The sandbox's own directory of PSUs. A bank with a login of its own does not use it.

-- Up Migration

CREATE TABLE sandbox_psu (
  psu_id text COLLATE "C" PRIMARY KEY,
  -- As normaliseUsername writes it.
  username text COLLATE "C" NOT NULL UNIQUE,
  display_name text COLLATE "C" NOT NULL,
  -- scrypt (RFC 7914) with the cost that the row was written with.
  password_hash bytea NOT NULL,
  password_salt bytea NOT NULL,
  scrypt_cost integer NOT NULL,
  scrypt_block_size integer NOT NULL,
  scrypt_parallelization integer NOT NULL,
  -- AES-256-GCM; useless without the sealing key.
  sealed_totp_secret bytea NOT NULL,
  -- The newest time step (RFC 6238) whose code was used; each later one can be used once.
  last_step integer NOT NULL DEFAULT 0
);

-- Sign-ins since the last good one, per bucket of usernames; unknown usernames count alike. A bucket is twenty bits of a
-- keyed hash, so that the table cannot grow past a million short rows and does not tell what was typed.
CREATE TABLE sandbox_sign_in_failure (
  bucket integer PRIMARY KEY CHECK (bucket BETWEEN 0 AND 1048575),
  failures integer NOT NULL CHECK (failures > 0),
  failed_at timestamptz NOT NULL,
  blocked_until timestamptz
);

CREATE INDEX sandbox_sign_in_failure_failed_at ON sandbox_sign_in_failure (failed_at);

-- Down Migration

DROP TABLE sandbox_sign_in_failure, sandbox_psu;
