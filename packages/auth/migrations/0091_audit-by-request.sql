-- The entries of one request in the order of the search. One request may have very many, as that which deletes an application
-- with its consents: their page was looked for among all entries that came after them. It would be still if both had the same
-- order: one entry after the other in the order of time costs less where they lie so, as long as many of them are wanted.

-- Up Migration

CREATE INDEX audit_entry_of_request ON audit_entry (request_id, (recorded_at AT TIME ZONE 'UTC'), id)
  WHERE request_id IS NOT NULL;

-- Down Migration

DROP INDEX audit_entry_of_request;
