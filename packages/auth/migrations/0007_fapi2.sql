-- Applications that authenticate with a key or their certificate (profile fapi2). They have no secret, and nothing that
-- writes to this table can leave one of them with one, or take one of the others to be without.

-- Up Migration

ALTER TABLE application ADD COLUMN jwks jsonb;
ALTER TABLE application ALTER COLUMN secret_hash DROP NOT NULL;
ALTER TABLE application ADD CONSTRAINT application_secret_of_profile CHECK (
  deleted_at IS NOT NULL
  OR (secret_hash IS NULL) = (coalesce(token_endpoint_auth_method, '') IN ('private_key_jwt', 'tls_client_auth'))
);

-- Down Migration

ALTER TABLE application DROP CONSTRAINT application_secret_of_profile;
UPDATE application SET secret_hash = '' WHERE secret_hash IS NULL;
ALTER TABLE application ALTER COLUMN secret_hash SET NOT NULL;
ALTER TABLE application DROP COLUMN jwks;
