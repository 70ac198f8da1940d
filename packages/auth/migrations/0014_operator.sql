-- PSUs that the bank has blocked, and what people of the bank search by.

-- Up Migration

-- Rows are history: a release is written into its row, and nothing is deleted. The times are those of auth's clock, which
-- also says when a PSU has signed in.
CREATE TABLE psu_block (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  psu_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  blocked_by text NOT NULL,
  blocked_at timestamptz NOT NULL,
  released_by text,
  released_at timestamptz,
  CHECK ((released_at IS NULL) = (released_by IS NULL))
);

-- One block at a time.
CREATE UNIQUE INDEX psu_block_active ON psu_block (psu_id) WHERE released_at IS NULL;
-- The newest block of a PSU.
CREATE INDEX psu_block_by_psu ON psu_block (psu_id, id);

-- What is in force, in the order of the orders.
CREATE INDEX stop_list_block_in_force ON stop_list_block (id) WHERE released_at IS NULL;

-- Lists of consents are newest first, page by page.
CREATE INDEX consent_by_time ON consent (given_at, id);
CREATE INDEX consent_by_psu ON consent (psu_id, given_at, id);
CREATE INDEX consent_by_application ON consent (application_id, given_at, id);
CREATE INDEX consent_by_tpp ON consent (organisation_identifier, given_at, id);
CREATE INDEX consent_not_ended_by_time ON consent (given_at, id) WHERE ended_at IS NULL;
CREATE INDEX consent_ended_by_time ON consent (given_at, id) WHERE ended_at IS NOT NULL;

-- Lists of tokens go consent by consent.
CREATE INDEX consent_of_application ON consent (application_id, id);

CREATE INDEX application_by_time ON application (created_at, id) WHERE deleted_at IS NULL;

-- Down Migration

DROP INDEX application_by_time, consent_of_application;
DROP INDEX consent_ended_by_time, consent_not_ended_by_time, consent_by_tpp, consent_by_application, consent_by_psu,
  consent_by_time, stop_list_block_in_force;
DROP TABLE psu_block;
