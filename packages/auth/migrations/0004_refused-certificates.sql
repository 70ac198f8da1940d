-- Certificates of TPPs that were refused lately, for people who ask why. Strangers choose what is presented: processes
-- keep a few in a second, and of all only the newest 10,000 of the last 30 days stay.

-- Up Migration

CREATE TABLE refused_certificate (
  request_id text COLLATE "C" PRIMARY KEY,
  -- What the TPP named its call; not unique.
  caller_request_id text COLLATE "C",
  refused_at timestamptz NOT NULL,
  code text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  leaf bytea NOT NULL,
  -- From the leaf's issuer upwards, as far as they were sent.
  intermediates bytea[] NOT NULL,
  tls_verdict text
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX refused_certificate_by_caller ON refused_certificate (caller_request_id, refused_at)
  WHERE caller_request_id IS NOT NULL;
CREATE INDEX refused_certificate_by_age ON refused_certificate (refused_at, request_id);

-- Down Migration

DROP TABLE refused_certificate;
