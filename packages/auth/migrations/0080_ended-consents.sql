-- The index of consents that were ended, in whose place there are two. Some databases have lost it with those already.

-- Up Migration

DROP INDEX IF EXISTS consent_ended_by_time;

-- Down Migration

CREATE INDEX consent_ended_by_time ON consent (given_at, id) WHERE ended_at IS NOT NULL;
