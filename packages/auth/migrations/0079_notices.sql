-- What PSUs are told of themselves: that how they sign in has changed.

-- Up Migration

CREATE TABLE psu_notice (
  -- Of the text, for whoever carries it: what comes again under it is not sent again.
  id uuid PRIMARY KEY,
  psu_id text COLLATE "C" NOT NULL,
  -- What it tells of, for the audit log.
  kind text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  -- As the PSU reads it, written once: every try sends the same.
  text text NOT NULL,
  -- Of the call in which it was done.
  request_id text NOT NULL,
  occurred_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- Null when it is delivered or given up.
  next_try_at timestamptz
);

CREATE INDEX psu_notice_due ON psu_notice (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX psu_notice_of_psu ON psu_notice (psu_id, occurred_at);
CREATE INDEX psu_notice_over ON psu_notice (occurred_at) WHERE next_try_at IS NULL;

-- The same promise of the sandbox's inbox; null for what was delivered before, and for what a process of before delivers.
ALTER TABLE sandbox_message ADD COLUMN delivery_id uuid;
CREATE UNIQUE INDEX sandbox_message_by_delivery ON sandbox_message (delivery_id);

-- Down Migration

DROP INDEX sandbox_message_by_delivery;
ALTER TABLE sandbox_message DROP COLUMN delivery_id;
DROP TABLE psu_notice;
