-- Lists of the consents to one application, TPP or card issuer, in one state or in all. Their pages passed what is in another state,
-- or of others: of two million consents, a page of 50 that were revoked or have expired touched up to 85,000 blocks, one of active
-- ones 7,000, and one of all 8,000. A page touches at most 80 now.

-- Up Migration

-- The state comes before the time: each state is in order by itself, and a list of all merges their pages. Each takes the place of
-- two indexes, of all and of those that have not ended. To give a consent touches 52 blocks after that, and writes 15 records of the
-- log; before it was 56 and 17. To end one costs what it did. The order is another than that of everybody's: see 0093.
CREATE INDEX consent_of_application_by_state ON consent (
  application_id,
  (CASE WHEN end_reason = 'expired' THEN 'expired' WHEN ended_at IS NULL THEN 'active' ELSE 'revoked' END) COLLATE "C",
  (given_at AT TIME ZONE 'UTC'), id
);
CREATE INDEX consent_of_tpp_by_state ON consent (
  organisation_identifier,
  (CASE WHEN end_reason = 'expired' THEN 'expired' WHEN ended_at IS NULL THEN 'active' ELSE 'revoked' END) COLLATE "C",
  (given_at AT TIME ZONE 'UTC'), id
);
CREATE INDEX card_consent_of_tpp_by_state ON card_consent (
  organisation_identifier, (CASE WHEN ended_at IS NULL THEN 'active' ELSE 'ended' END) COLLATE "C",
  (given_at AT TIME ZONE 'UTC'), id
);
-- Costs an ending an entry more, and the giving of a consent nothing.
CREATE INDEX card_consent_ended_by_time ON card_consent (given_at, id) WHERE ended_at IS NOT NULL;

-- Down Migration

DROP INDEX card_consent_ended_by_time, card_consent_of_tpp_by_state;
DROP INDEX consent_of_tpp_by_state, consent_of_application_by_state;
