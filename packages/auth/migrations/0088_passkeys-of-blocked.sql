-- Blocks stay as long as nobody releases them, and a bank has more of them each year. What is done with those of long ago is done
-- once, and found by an index of what is left to do.

-- Up Migration

-- Whether the passkeys of the PSU may be there still: who is blocked adds none.
ALTER TABLE psu_block ADD COLUMN keeps_passkeys boolean NOT NULL DEFAULT true;
CREATE INDEX psu_block_keeping ON psu_block (blocked_at) WHERE released_at IS NULL AND keeps_passkeys;
CREATE INDEX psu_block_by_release ON psu_block (released_at) WHERE released_at IS NOT NULL;

-- Down Migration

DROP INDEX psu_block_by_release, psu_block_keeping;
ALTER TABLE psu_block DROP COLUMN keeps_passkeys;
