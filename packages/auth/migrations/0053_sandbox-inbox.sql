-- What the sandbox delivers to its PSUs instead of a text message. A bank delivers with a service of its own.

-- Up Migration

CREATE TABLE sandbox_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  psu_id text COLLATE "C" NOT NULL,
  -- AES-256-GCM; useless without the sealing key.
  sealed_text bytea NOT NULL,
  delivered_at timestamptz NOT NULL
);

CREATE INDEX sandbox_message_of_psu ON sandbox_message (psu_id, id);

-- Down Migration

DROP TABLE sandbox_message;
