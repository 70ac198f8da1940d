-- With which certificate an order was sent here: with a block of it nobody approves the order any more.

-- Up Migration

-- Thumbprints of both of its forms; null for all that there are.
ALTER TABLE signing_request ADD COLUMN certificates text[] COLLATE "C";

-- Down Migration

ALTER TABLE signing_request DROP COLUMN certificates;
