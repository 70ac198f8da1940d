-- In which epoch Redis is, where there is one: what another epoch left there is not believed. One row, for ever.

-- Up Migration

CREATE TABLE ephemeral_epoch (
  the_only_one boolean PRIMARY KEY DEFAULT true CHECK (the_only_one),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  made_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO ephemeral_epoch DEFAULT VALUES;

-- Down Migration

DROP TABLE ephemeral_epoch;
