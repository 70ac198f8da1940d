-- Who may read an account, and who could: an officer asks it of one account, whose consents are few among very many.

-- Up Migration

-- Each consent pays for its own entries: nobody waits while those of many others are put in order.
CREATE INDEX consent_by_account ON consent USING gin (account_ids) WITH (fastupdate = off);

-- Down Migration

DROP INDEX consent_by_account;
