-- The ledger of the sandbox bank. Every booking moves one amount in one currency from one account to another, so that
-- the entries of a currency always add up to zero. The bank's own accounts (clearing, cards, cash, fees, interest,
-- exchange) are in the ledger too, but belong to no PSU and have no row in sandbox_account.
-- Every key starts with the account, by which the tables can be spread over machines.

-- Up Migration

-- What every booking changes, and nothing else; half of each page stays free so that changes need no index work.
CREATE TABLE sandbox_ledger (
  account_id text COLLATE "C" PRIMARY KEY,
  currency text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- Minor units; null is no limit, which only the bank's own accounts have.
  overdraft_limit bigint CHECK (overdraft_limit >= 0),
  balance bigint NOT NULL DEFAULT 0,
  last_seq bigint NOT NULL DEFAULT 0,
  last_booked_at timestamptz,
  CHECK (balance >= -overdraft_limit)
) WITH (fillfactor = 50);

CREATE TABLE sandbox_account (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES sandbox_ledger,
  iban text COLLATE "C" NOT NULL,
  account_number text COLLATE "C" NOT NULL,
  bank_code text COLLATE "C" NOT NULL,
  country_code text COLLATE "C" NOT NULL,
  bic text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  name_cs text COLLATE "C" NOT NULL,
  name_en text COLLATE "C" NOT NULL,
  product_cs text COLLATE "C" NOT NULL,
  product_en text COLLATE "C" NOT NULL
);

-- Who may see and use an account.
CREATE TABLE sandbox_account_access (
  psu_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES sandbox_account,
  PRIMARY KEY (psu_id, account_id)
);

-- One leg of a booking. Within an account seq has no gaps and follows booked_at; rows are only ever added. There is no
-- foreign key, because a statement that books takes number and currency from the row of the ledger anyway.
CREATE TABLE sandbox_entry (
  account_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  booking_id text COLLATE "C" NOT NULL,
  booked_at timestamptz NOT NULL,
  value_date date NOT NULL,
  -- Minor units of the account's currency; credits are positive.
  amount bigint NOT NULL CHECK (amount <> 0),
  currency text COLLATE "C" NOT NULL,
  transaction_code text COLLATE "C" NOT NULL CHECK (transaction_code ~ '^[0-9]{11}$'),
  details jsonb NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, booking_id)
);

CREATE INDEX sandbox_entry_booked_at ON sandbox_entry (account_id, booked_at, seq);

-- Which content was brought in, so that it is brought in once.
CREATE TABLE sandbox_seed (
  name text COLLATE "C" PRIMARY KEY,
  seeded_at timestamptz NOT NULL DEFAULT now()
);

-- Down Migration

DROP TABLE sandbox_seed, sandbox_entry, sandbox_account_access, sandbox_account, sandbox_ledger;
