-- A process of 0.1.0 that deletes an application knows of no former secret, and leaves it: it could not delete one whose secret was
-- renewed with an overlap. A former secret of a deleted application is one of nothing.

-- Up Migration

ALTER TABLE application DROP CONSTRAINT application_former_secret;
ALTER TABLE application ADD CONSTRAINT application_former_secret CHECK (
  (former_secret_hash IS NULL) = (former_secret_until IS NULL)
  AND (former_secret_hash IS NULL OR secret_hash IS NOT NULL)
);

-- Down Migration

UPDATE application SET former_secret_hash = NULL, former_secret_until = NULL WHERE deleted_at IS NOT NULL;
ALTER TABLE application DROP CONSTRAINT application_former_secret;
ALTER TABLE application ADD CONSTRAINT application_former_secret CHECK (
  (former_secret_hash IS NULL) = (former_secret_until IS NULL)
  AND (former_secret_hash IS NULL OR (secret_hash IS NOT NULL AND deleted_at IS NULL))
);
