-- Finding payments that were approved and have not ended: those of them that have no place in the outbox are put there again.

-- Up Migration

CREATE INDEX payment_before_bank ON payment (moved_at) WHERE state IN ('approved', 'handed_over', 'accepted');

-- Down Migration

DROP INDEX payment_before_bank;
