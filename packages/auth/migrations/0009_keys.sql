-- The keys that answers to introspection and cookies are signed with. When a key begins to sign, retires and ends stands
-- in its row from the moment that it is known, so that no process has to do anything for a key to change its state.

-- Up Migration

-- Whoever changes the keys of a use holds its row.
CREATE TABLE server_key_use (
  use text COLLATE "C" PRIMARY KEY
);

INSERT INTO server_key_use (use) VALUES ('signing'), ('cookie');

CREATE TABLE server_key (
  kid text COLLATE "C" PRIMARY KEY,
  use text COLLATE "C" NOT NULL REFERENCES server_key_use (use),
  -- AES-256-GCM; useless without the sealing key. Deleted when the key ends.
  sealed_secret bytea,
  announced_at timestamptz NOT NULL,
  signs_from timestamptz NOT NULL,
  -- Both are set when another key is to follow.
  retires_at timestamptz,
  ends_at timestamptz,
  -- The operator who asked for it.
  made_by text,
  dropped_by text,
  CHECK ((retires_at IS NULL) = (ends_at IS NULL)),
  CHECK (sealed_secret IS NOT NULL OR ends_at IS NOT NULL),
  CHECK (dropped_by IS NULL OR sealed_secret IS NULL)
);

CREATE UNIQUE INDEX server_key_newest ON server_key (use) WHERE retires_at IS NULL;

-- Down Migration

DROP TABLE server_key;
DROP TABLE server_key_use;
