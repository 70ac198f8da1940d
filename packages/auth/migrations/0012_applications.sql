-- Which state of an application a TPP has read, where it publishes its keys, and the secret before the present one, for as
-- long as the bank lets both work.

-- Up Migration

-- Another one with every change, and never one that any application had before: also not after a database came back from
-- an older copy.
ALTER TABLE application ADD COLUMN version uuid NOT NULL DEFAULT gen_random_uuid();

ALTER TABLE application ADD COLUMN jwks_uri text;
ALTER TABLE application ADD CONSTRAINT application_keys_once CHECK (jwks IS NULL OR jwks_uri IS NULL);

ALTER TABLE application ADD COLUMN former_secret_hash text COLLATE "C";
ALTER TABLE application ADD COLUMN former_secret_until timestamptz;
ALTER TABLE application ADD CONSTRAINT application_former_secret CHECK (
  (former_secret_hash IS NULL) = (former_secret_until IS NULL)
  AND (former_secret_hash IS NULL OR (secret_hash IS NOT NULL AND deleted_at IS NULL))
);

-- Down Migration

ALTER TABLE application DROP COLUMN former_secret_until;
ALTER TABLE application DROP COLUMN former_secret_hash;
ALTER TABLE application DROP COLUMN jwks_uri;
ALTER TABLE application DROP COLUMN version;
