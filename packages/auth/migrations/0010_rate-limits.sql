-- How often was called. Losing it costs nothing, so it is not in the log of the database; a standby begins without it. There
-- is no index of the time, because rows that change all the time would have to be in it anew at each change.

-- Up Migration

CREATE UNLOGGED TABLE rate_limit (
  bucket bytea PRIMARY KEY,
  empty_at timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Down Migration

DROP TABLE rate_limit;
