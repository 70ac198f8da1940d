-- TPPs that have called, and the applications that they registered. Every key starts with what the tables could be
-- spread by: the TPP, or the application.

-- Up Migration

CREATE TABLE tpp (
  organisation_identifier text COLLATE "C" PRIMARY KEY,
  organisation_name text NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  authority_name text NOT NULL,
  roles text[] NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE application (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL REFERENCES tpp (organisation_identifier),
  application_type text NOT NULL CHECK (application_type IN ('web', 'native')),
  redirect_uris text[] NOT NULL,
  client_name text NOT NULL,
  localized_names jsonb NOT NULL,
  logo_uri text,
  contact text,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['aisp', 'pisp']),
  token_endpoint_auth_method text,
  -- base64url of the SHA-256 of a secret with 256 random bits: nothing that a reader of this table can use.
  secret_hash text COLLATE "C" NOT NULL,
  -- Set by the sandbox alone.
  access_token_lifetime_seconds integer CHECK (access_token_lifetime_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The row of a deleted application stays, so that its id is never given again.
  deleted_at timestamptz
);

CREATE INDEX application_by_owner ON application (owner, created_at, id) WHERE deleted_at IS NULL;

-- Down Migration

DROP TABLE application;
DROP TABLE tpp;
