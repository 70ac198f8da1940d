-- These tables are full by day and empty by night. One that vacuum has cut to no page at all is read whole by each plan that is
-- made then, and goes on being so when it fills, until it is analysed: a millisecond becomes sixty in a table of 200,000 rows.
-- Pages that stay are filled again, and nobody waits for the lock under which they would be cut.

-- Up Migration

ALTER TABLE token SET (vacuum_truncate = off);
ALTER TABLE ephemeral_record SET (vacuum_truncate = off);
ALTER TABLE rate_limit SET (vacuum_truncate = off);

-- Down Migration

ALTER TABLE rate_limit RESET (vacuum_truncate);
ALTER TABLE ephemeral_record RESET (vacuum_truncate);
ALTER TABLE token RESET (vacuum_truncate);
