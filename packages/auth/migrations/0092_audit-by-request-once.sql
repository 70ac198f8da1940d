-- The index of requests without an order, in whose place there is one with it. It goes apart from the making of that one: nobody
-- reads the table while an index goes.

-- Up Migration

DROP INDEX audit_entry_by_request;

-- Down Migration

CREATE INDEX audit_entry_by_request ON audit_entry (request_id) WHERE request_id IS NOT NULL;
