-- PSUs who signed in at the bank's own OpenID provider: that they exist, and the name to greet them with.

-- Up Migration

CREATE TABLE upstream_psu (
  psu_id text COLLATE "C" PRIMARY KEY CHECK (length(psu_id) BETWEEN 1 AND 64),
  -- As the provider told it the last time.
  display_name text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 200),
  signed_in_at timestamptz NOT NULL
);

CREATE INDEX upstream_psu_by_sign_in ON upstream_psu (signed_in_at);

-- Down Migration

DROP TABLE upstream_psu;
