-- Questions whether an amount is available (COBS 3.2.3, 3.3.3), kept for a day and a few minutes more until a process deletes
-- them: so that no TPP uses an identification twice (RF01), and none finds a balance out by asking again and again. What was
-- answered is not kept. Times are the database's own.

-- Up Migration

CREATE TABLE balance_check (
  -- What the answer is called; unique for ever.
  response_identification bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_identifier text COLLATE "C" NOT NULL,
  -- The TPP's own; null when the question was not answered, and may come again.
  exchange_identification text COLLATE "C",
  account_id text COLLATE "C" NOT NULL,
  -- In whole units, with its currency.
  amount text COLLATE "C" NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE UNIQUE INDEX balance_check_exchange ON balance_check (organisation_identifier, exchange_identification)
  WHERE exchange_identification IS NOT NULL;
-- What a TPP has asked about an account lately.
CREATE INDEX balance_check_of_account ON balance_check (organisation_identifier, account_id, checked_at);
-- What may be deleted, the oldest first.
CREATE INDEX balance_check_by_age ON balance_check (checked_at);

-- Down Migration

DROP TABLE balance_check;
