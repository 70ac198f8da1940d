-- What counts against the limits of a TPP is found by the order of the list as well: a day of one account, whoever asked. The former
-- index goes apart from the making of that one: nobody reads the table while an index goes.

-- Up Migration

DROP INDEX balance_check_about_account;

-- Down Migration

CREATE INDEX balance_check_about_account ON balance_check (account_id, organisation_identifier, checked_at);
