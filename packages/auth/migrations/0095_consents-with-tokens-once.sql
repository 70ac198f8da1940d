-- The indexes that lists of tokens and orders to revoke them passed ended consents by. They go apart from the making of those in
-- their place: nobody reads the table while an index goes.

-- Up Migration

DROP INDEX consent_of_tpp, consent_of_application;

-- Down Migration

CREATE INDEX consent_of_application ON consent (application_id, id);
CREATE INDEX consent_of_tpp ON consent (organisation_identifier, id);
