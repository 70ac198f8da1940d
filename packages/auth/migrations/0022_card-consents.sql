-- Consents of PSUs to card issuers, which may ask whether an amount is available (COBS 3.3.3). Nothing is deleted: an ending
-- is written into its row.

-- Up Migration

CREATE TABLE card_consent (
  id text COLLATE "C" PRIMARY KEY,
  psu_id text COLLATE "C" NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  -- As the bank wrote it: a card issuer need never call here, and its certificate is then not known.
  organisation_name text,
  account_id text COLLATE "C" NOT NULL,
  iban text COLLATE "C" NOT NULL,
  given_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL))
);

-- One at a time for each PSU; and what a card issuer's question is looked up by.
CREATE UNIQUE INDEX card_consent_active ON card_consent (organisation_identifier, iban, psu_id)
  WHERE ended_at IS NULL;
-- Lists are newest first, page by page.
CREATE INDEX card_consent_by_time ON card_consent (given_at, id);
CREATE INDEX card_consent_by_psu ON card_consent (psu_id, given_at, id);
CREATE INDEX card_consent_by_tpp ON card_consent (organisation_identifier, given_at, id);

-- Down Migration

DROP TABLE card_consent;
