-- What PSUs decided. Nothing is deleted: a new decision is a new version, an ending is written into its row.

-- Up Migration

CREATE TABLE consent (
  id text COLLATE "C" PRIMARY KEY,
  application_id text COLLATE "C" NOT NULL REFERENCES application (id),
  psu_id text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  organisation_identifier text COLLATE "C" NOT NULL,
  services text[] NOT NULL CHECK (cardinality(services) > 0),
  account_ids text[] NOT NULL,
  -- The approval that it came from: unique, so that one approval gives one consent whatever arrives in parallel.
  approval_hash bytea NOT NULL UNIQUE,
  authenticated_at timestamptz NOT NULL,
  given_at timestamptz NOT NULL,
  valid_until timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  UNIQUE (application_id, psu_id, version),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL))
);

CREATE INDEX consent_active ON consent (application_id, psu_id) WHERE ended_at IS NULL;

-- Down Migration

DROP TABLE consent;
