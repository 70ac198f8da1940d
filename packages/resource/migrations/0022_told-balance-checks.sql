-- What was answered to whom: a payer may have the bank tell who has asked about an account, and what the answer was (PSD2
-- Article 65(5)). So a question is kept for longer than it counts against a limit.

-- Up Migration

-- Null where there was no answer, or one from before.
ALTER TABLE balance_check ADD COLUMN enough boolean;
-- The account comes first: it is what a person at the bank asks by.
CREATE INDEX balance_check_about_account ON balance_check (account_id, organisation_identifier, checked_at);
DROP INDEX balance_check_of_account;

-- Down Migration

CREATE INDEX balance_check_of_account ON balance_check (organisation_identifier, account_id, checked_at);
DROP INDEX balance_check_about_account;
ALTER TABLE balance_check DROP COLUMN enough;
