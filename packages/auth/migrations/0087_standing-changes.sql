-- When a standing last changed: who failed with passkeys alone was never sent a code, and had no time to be forgotten by.

-- Up Migration

ALTER TABLE signing_standing ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();

-- Down Migration

ALTER TABLE signing_standing DROP COLUMN changed_at;
