-- When the code of an order is over by the database's clock: the clock of a process that is set back revives none. A code that was
-- made before has no such time.

-- Up Migration

ALTER TABLE signing_request ADD COLUMN code_over_at timestamptz;

-- Down Migration

ALTER TABLE signing_request DROP COLUMN code_over_at;
