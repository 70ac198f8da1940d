-- What an operator asks the audit log and ends by the thousands.

-- Up Migration

CREATE INDEX audit_entry_by_action ON audit_entry (action, recorded_at, id);

-- Orders to revoke tokens go consent by consent.
CREATE INDEX consent_of_tpp ON consent (organisation_identifier, id);

-- Down Migration

DROP INDEX consent_of_tpp, audit_entry_by_action;
