-- What counts for a PSU over all of their orders: codes that were sent to them, and wrong codes in a row.

-- Up Migration

CREATE TABLE signing_standing (
  psu_id text COLLATE "C" PRIMARY KEY,
  -- In the hour that began with the first of them.
  codes smallint NOT NULL DEFAULT 0,
  codes_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  held_off_until timestamptz,
  CHECK (codes = 0 OR codes_since IS NOT NULL)
) WITH (fillfactor = 80);

-- Down Migration

DROP TABLE signing_standing;
