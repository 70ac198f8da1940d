-- Lists of what is in force, of an application or a TPP of which very many consents have ended: what is left of them was looked for
-- among all. These have no entries of consents that have ended, so an ending costs nothing here.

-- Up Migration

-- In another order than that of the active ones of everybody, by which their few would be looked for behind those of all others: one
-- consent after the other costs less where they lie so, as long as many of them are wanted.
CREATE INDEX consent_not_ended_by_application ON consent (application_id, (given_at AT TIME ZONE 'UTC'), id)
  WHERE ended_at IS NULL;
CREATE INDEX consent_not_ended_by_tpp ON consent (organisation_identifier, (given_at AT TIME ZONE 'UTC'), id)
  WHERE ended_at IS NULL;

-- Down Migration

DROP INDEX consent_not_ended_by_tpp, consent_not_ended_by_application;
