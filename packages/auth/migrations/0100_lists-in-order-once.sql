-- The indexes in whose place there are those of 0099. They go apart from the making of these: nobody reads the tables while an index
-- goes.

-- Up Migration

DROP INDEX consent_not_ended_by_application, consent_not_ended_by_tpp, consent_by_application, consent_by_tpp;
DROP INDEX card_consent_not_ended_by_tpp, card_consent_by_tpp;

-- Down Migration

CREATE INDEX card_consent_by_tpp ON card_consent (organisation_identifier, given_at, id);
CREATE INDEX card_consent_not_ended_by_tpp
  ON card_consent (organisation_identifier, (given_at AT TIME ZONE 'UTC'), id) WHERE ended_at IS NULL;
CREATE INDEX consent_by_tpp ON consent (organisation_identifier, given_at, id);
CREATE INDEX consent_by_application ON consent (application_id, given_at, id);
CREATE INDEX consent_not_ended_by_tpp ON consent (organisation_identifier, (given_at AT TIME ZONE 'UTC'), id)
  WHERE ended_at IS NULL;
CREATE INDEX consent_not_ended_by_application ON consent (application_id, (given_at AT TIME ZONE 'UTC'), id)
  WHERE ended_at IS NULL;
