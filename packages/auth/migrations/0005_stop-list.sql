-- Who may not call: TPPs and single certificates that the operator, or the check of the TPP register, has blocked. Rows
-- are history: a release is written into its row, and nothing is deleted.

-- Up Migration

CREATE TABLE stop_list_block (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('organisation', 'certificate')),
  -- An organisation identifier, exactly; or the SHA-256 of a certificate in base64url (x5t#S256).
  key text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL CHECK (origin IN ('operator', 'register')),
  reason text NOT NULL,
  blocked_by text NOT NULL,
  blocked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  released_by text,
  released_at timestamptz,
  CHECK ((released_at IS NULL) = (released_by IS NULL))
);

-- One block of an origin at a time; also the one look-up of every call.
CREATE UNIQUE INDEX stop_list_block_active ON stop_list_block (key, kind, origin) WHERE released_at IS NULL;

-- Down Migration

DROP TABLE stop_list_block;
