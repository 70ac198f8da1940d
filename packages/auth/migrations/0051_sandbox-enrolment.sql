-- The sandbox's directory: PSUs who have no authenticator yet, and failures counted for each device.

-- Up Migration

-- Both or either: whoever has an activation code may exchange it for an authenticator, once.
ALTER TABLE sandbox_psu ALTER COLUMN sealed_totp_secret DROP NOT NULL;
-- SHA-256 of at least 66 random bits.
ALTER TABLE sandbox_psu ADD COLUMN activation_hash bytea;
ALTER TABLE sandbox_psu ADD CONSTRAINT sandbox_psu_has_second_factor
  CHECK (sealed_totp_secret IS NOT NULL OR activation_hash IS NOT NULL);

-- Those from 2^20 on are of devices that signed in before; only such a device can make a row of them.
ALTER TABLE sandbox_sign_in_failure DROP CONSTRAINT sandbox_sign_in_failure_bucket_check;
ALTER TABLE sandbox_sign_in_failure ADD CONSTRAINT sandbox_sign_in_failure_bucket_check CHECK (bucket >= 0);

-- Down Migration

DELETE FROM sandbox_psu WHERE sealed_totp_secret IS NULL;
DELETE FROM sandbox_sign_in_failure WHERE bucket > 1048575;
ALTER TABLE sandbox_sign_in_failure DROP CONSTRAINT sandbox_sign_in_failure_bucket_check;
ALTER TABLE sandbox_sign_in_failure ADD CONSTRAINT sandbox_sign_in_failure_bucket_check
  CHECK (bucket BETWEEN 0 AND 1048575);
ALTER TABLE sandbox_psu DROP CONSTRAINT sandbox_psu_has_second_factor;
ALTER TABLE sandbox_psu DROP COLUMN activation_hash;
ALTER TABLE sandbox_psu ALTER COLUMN sealed_totp_secret SET NOT NULL;
