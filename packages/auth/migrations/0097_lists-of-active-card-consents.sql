-- Lists of the consents to card issuers that are in force, where very many have ended: what is left of them was looked for among all.

-- Up Migration

CREATE INDEX card_consent_not_ended_by_time ON card_consent (given_at, id) WHERE ended_at IS NULL;
-- In another order, by which those of one card issuer are not looked for behind those of all others: see 0093.
CREATE INDEX card_consent_not_ended_by_tpp
  ON card_consent (organisation_identifier, (given_at AT TIME ZONE 'UTC'), id) WHERE ended_at IS NULL;

-- Down Migration

DROP INDEX card_consent_not_ended_by_tpp, card_consent_not_ended_by_time;
