-- Who may read an account, and who could: an officer asks it of one account, whose consents are few among very many.

-- Up Migration

-- Each consent pays for its own entries: nobody waits while those of many others are put in order. The order is of
-- no language: that changes with the libraries of the server, and consents would be missing in a list.
CREATE INDEX consent_by_account ON consent USING gin (account_ids COLLATE "C") WITH (fastupdate = off);

-- Down Migration

DROP INDEX consent_by_account;
