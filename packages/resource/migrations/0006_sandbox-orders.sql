-- Orders to pay in the sandbox bank. An order has one row under its payment id from the moment it arrives, and what is
-- planned then (amounts, rates, both sides' details) is what is booked later. Every key is the payment id, because an order
-- touches accounts on both sides.

-- Up Migration

-- What the bank knows of an account beyond what it tells TPPs; a closed one takes and gives nothing any more.
ALTER TABLE sandbox_account
  ADD COLUMN holder text COLLATE "C",
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN is_payment_account boolean NOT NULL DEFAULT true;

CREATE INDEX sandbox_account_iban ON sandbox_account (iban);

CREATE TABLE sandbox_order (
  payment_id text COLLATE "C" PRIMARY KEY,
  -- SHA-256 of what the PSU approved.
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  approval_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('accepted', 'completed', 'rejected')),
  reason text COLLATE "C",
  execution_date date NOT NULL,
  -- When it is booked at the earliest.
  due_at timestamptz NOT NULL,
  -- The payee's account in this bank.
  creditor_id text COLLATE "C",
  -- What is booked then, in this order; the amounts of the payer are blocked under the same ids.
  bookings jsonb,
  taken_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  CHECK ((state = 'rejected') = (reason IS NOT NULL)),
  CHECK ((state = 'accepted') = (settled_at IS NULL)),
  CHECK (state = 'rejected' OR bookings IS NOT NULL)
);

CREATE INDEX sandbox_order_due ON sandbox_order (due_at) WHERE state = 'accepted';
