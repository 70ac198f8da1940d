-- Payments that end because what they hang on has ended, before anybody has approved them (PSD2 Article 80(2)).

-- Up Migration

-- A new one and no other is added: every row that there is fits.
ALTER TABLE payment DROP CONSTRAINT payment_rejected_by_check;
ALTER TABLE payment ADD CONSTRAINT payment_rejected_by_check
  CHECK (rejected_by IN ('psu', 'approval_check', 'execution_check', 'bank', 'consent'));

-- Whose payments wait: few, and each of them not for long.
CREATE INDEX payment_waiting_of ON payment (application_id, psu_id) WHERE state = 'entered';

-- Down Migration

DROP INDEX payment_waiting_of;
UPDATE payment SET state = 'expired', rejected_by = NULL, rejection_reason = NULL WHERE rejected_by = 'consent';
ALTER TABLE payment DROP CONSTRAINT payment_rejected_by_check;
ALTER TABLE payment ADD CONSTRAINT payment_rejected_by_check
  CHECK (rejected_by IN ('psu', 'approval_check', 'execution_check', 'bank'));
