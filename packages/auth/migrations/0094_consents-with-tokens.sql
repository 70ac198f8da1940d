-- Lists of tokens and orders to revoke them go consent by consent. One that has ended has no tokens, and is not passed.

-- Up Migration

CREATE INDEX consent_not_ended_of_application ON consent (application_id, id) WHERE ended_at IS NULL;
CREATE INDEX consent_not_ended_of_tpp ON consent (organisation_identifier, id) WHERE ended_at IS NULL;

-- Down Migration

DROP INDEX consent_not_ended_of_tpp, consent_not_ended_of_application;
