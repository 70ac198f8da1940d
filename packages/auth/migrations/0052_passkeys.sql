-- Passkeys of PSUs (W3C Web Authentication): public keys alone, with which nobody signs in.

-- Up Migration

CREATE TABLE passkey (
  -- Ours, for pages and the audit log; no browser and no authenticator presents it.
  id text COLLATE "C" PRIMARY KEY,
  psu_id text COLLATE "C" NOT NULL,
  -- Chosen by the authenticator.
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- A COSE_Key (RFC 9052 section 7).
  public_key bytea NOT NULL,
  -- Of its signatures; stays 0 for passkeys that live on several devices.
  counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  -- As the PSU calls it; may be empty.
  name text NOT NULL,
  added_at timestamptz NOT NULL,
  last_used_at timestamptz
);

CREATE INDEX passkey_of_psu ON passkey (psu_id);

-- Down Migration

DROP TABLE passkey;
