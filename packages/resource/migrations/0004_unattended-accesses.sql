-- How often a TPP has asked for an account without its PSU (RTS Article 36(5)(b)). One row for each consent, account and
-- resource that was asked for so in the last 24 hours, and for a few minutes more until a process deletes it: at most two
-- for each account of each consent, of about 250 bytes. Times are the database's own, in whole milliseconds.

-- Up Migration

-- Half of each page stays free for the next version of its rows.
CREATE TABLE unattended_access (
  consent_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL CHECK (resource IN ('balance', 'transactions')),
  -- When the accesses that count began, at most 96: one every fifteen minutes is all that fit into a day.
  began_at timestamptz[] NOT NULL CHECK (cardinality(began_at) BETWEEN 1 AND 96),
  -- When the one that began last did; after a clock was set back that is not the greatest of them.
  last_began_at timestamptz NOT NULL,
  PRIMARY KEY (consent_id, account_id, resource)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- What may be deleted, the oldest first.
CREATE INDEX unattended_access_by_age ON unattended_access (last_began_at);

-- Down Migration

DROP TABLE unattended_access;
