-- Orders that wait for a PSU's approval, and what became of them. Nothing is deleted: an outcome is written into its row.

-- Up Migration

CREATE TABLE signing_request (
  id text COLLATE "C" PRIMARY KEY,
  payment_id text COLLATE "C" NOT NULL,
  sign_id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  application_id text COLLATE "C" NOT NULL REFERENCES application (id),
  return_url text COLLATE "C" NOT NULL,
  -- The canonical bytes (RFC 8785), which are UTF-8. Their SHA-256 is computed wherever it is needed.
  order_text text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'approved', 'refused', 'cancelled', 'expired')),
  decided_at timestamptz,
  refusal text COLLATE "C",
  -- Unique, so that one approval is one approval wherever it is told.
  approval_id text COLLATE "C" UNIQUE,
  -- Of the bytes that were approved; it stays whatever happens to the row.
  approval_digest bytea,
  approval_methods text[],
  -- The one code that counts until it is replaced or the request is over: keyed hash (bound to digest and browser), and
  -- the SHA-256 of what the browser holds.
  code_hash bytea,
  code_browser_hash bytea,
  code_expires_at timestamptz,
  codes_made smallint NOT NULL DEFAULT 0,
  tries smallint NOT NULL DEFAULT 0,
  UNIQUE (payment_id, sign_id),
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CHECK ((state = 'approved') = (num_nonnulls(approval_id, approval_digest, approval_methods) = 3)),
  CHECK ((state <> 'approved') = (num_nulls(approval_id, approval_digest, approval_methods) = 3)),
  CHECK (num_nulls(code_hash, code_browser_hash, code_expires_at) IN (0, 3)),
  CHECK (state = 'waiting' OR code_hash IS NULL)
) WITH (fillfactor = 80);

CREATE INDEX signing_request_waiting ON signing_request (expires_at) WHERE state = 'waiting';

-- Down Migration

DROP TABLE signing_request;
