-- Instant payments before the bank are found apart from all others: they must not wait behind them. A process of the former
-- version that is still running puts them among the others.

-- Up Migration

ALTER TABLE payment_outbox ADD COLUMN is_instant boolean NOT NULL DEFAULT false;

UPDATE payment_outbox AS place SET is_instant = true FROM payment
WHERE payment.payment_id = place.payment_id AND strpos(order_text, '"priority":"INST"') > 0;

CREATE INDEX payment_outbox_instant_due ON payment_outbox (due_at) WHERE is_instant;

-- Down Migration

ALTER TABLE payment_outbox DROP COLUMN is_instant;
