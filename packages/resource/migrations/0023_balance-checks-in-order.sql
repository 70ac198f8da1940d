-- The questions about an account in the order of their list. Of an account with very many of long ago, a page was looked for among
-- the questions about all accounts that came after them.

-- Up Migration

CREATE INDEX balance_check_in_order ON balance_check (account_id, checked_at, response_identification);

-- Down Migration

DROP INDEX balance_check_in_order;
