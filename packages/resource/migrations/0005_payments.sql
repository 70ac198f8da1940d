-- Payments of TPPs, every move that they have made, and what the bank has yet to be told.
--
-- Every table of a payment begins with payment_id, and nothing but enter, and the taking of an approval, looks beyond one
-- payment: spread over several databases by payment_id, a payment stays in one place. What is unique over all payments (the
-- TPP's instruction, the request and the approval of auth) would then be a table of its own; idempotency_key is one already.

-- Up Migration

CREATE TABLE payment (
  payment_id text COLLATE "C" PRIMARY KEY,
  organisation_identifier text COLLATE "C" NOT NULL,
  application_id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  consent_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  -- The TPP's own (AM05); taken for as long as the row is kept, whatever becomes of the payment.
  instruction_identification text COLLATE "C" NOT NULL,
  -- JSON with decimal amounts, as text: what was read is what was written, to the byte.
  order_content text COLLATE "C" NOT NULL,
  fee text COLLATE "C",
  execution_date date NOT NULL,
  is_changed boolean NOT NULL,
  -- The canonical bytes that the PSU sees, which are UTF-8, and their SHA-256. No decision rests on them alone: they are
  -- computed from the order again wherever it is approved or handed over.
  order_text text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN
    ('entered', 'approved', 'handed_over', 'accepted', 'completed', 'rejected', 'expired', 'deleted')),
  -- The number of the last move, and when it was made.
  moves int NOT NULL CHECK (moves > 0),
  moved_at timestamptz NOT NULL,
  sign_id text COLLATE "C" NOT NULL,
  earlier_sign_ids text[] COLLATE "C" NOT NULL,
  signing_state text COLLATE "C" CHECK (signing_state IN ('open', 'asked', 'ended')),
  signing_ending text COLLATE "C" CHECK (signing_ending IN ('expired', 'cancelled')),
  signing_request_id text COLLATE "C" UNIQUE,
  -- When to ask auth what has become of the request, if nothing was heard.
  look_up_at timestamptz,
  -- Unique: an approval is that of one payment, and of the bytes that it was given for.
  approval_id text COLLATE "C" UNIQUE,
  approval_digest bytea,
  approval_methods text[],
  approved_at timestamptz,
  rejected_by text COLLATE "C" CHECK (rejected_by IN ('psu', 'approval_check', 'execution_check', 'bank')),
  rejection_reason text COLLATE "C",
  entry_reference text COLLATE "C",
  UNIQUE (organisation_identifier, instruction_identification),
  CHECK ((state = 'entered') = (signing_state IS NOT NULL)),
  CHECK ((signing_state = 'ended') = (signing_ending IS NOT NULL)),
  CHECK (signing_state IS NULL OR (signing_state = 'open') = (signing_request_id IS NULL)),
  CHECK (num_nulls(approval_id, approval_digest, approval_methods, approved_at) IN (0, 4)),
  CHECK (state NOT IN ('approved', 'handed_over', 'accepted', 'completed') OR approval_id IS NOT NULL),
  CHECK (approval_digest IS NULL OR approval_digest = digest),
  CHECK ((state = 'rejected') = (num_nonnulls(rejected_by, rejection_reason) = 2)),
  CHECK (rejected_by IS NULL OR (rejected_by IN ('execution_check', 'bank')) = (approval_id IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- For the end of those that nobody has approved, for looking up what auth has been asked, and for forgetting.
CREATE INDEX payment_by_expiry ON payment (expires_at) WHERE state = 'entered' AND signing_state <> 'asked';
CREATE INDEX payment_by_look_up ON payment (look_up_at) WHERE signing_state = 'asked';
CREATE INDEX payment_by_end ON payment (moved_at) WHERE state IN ('completed', 'rejected', 'expired', 'deleted');

-- Every move, the entry being the first; rows are added, and go with their payment.
CREATE TABLE payment_move (
  payment_id text COLLATE "C" NOT NULL,
  number int NOT NULL,
  move text COLLATE "C" NOT NULL,
  moved_at timestamptz NOT NULL,
  moved_by text COLLATE "C" NOT NULL CHECK (moved_by IN ('tpp', 'psu', 'bank', 'server')),
  cause text COLLATE "C",
  facts jsonb NOT NULL,
  request_id text COLLATE "C",
  state_before text COLLATE "C",
  state_after text COLLATE "C" NOT NULL,
  PRIMARY KEY (payment_id, number)
);

-- Approved payments that the bank has not ended: exactly those in the states approved, handed_over and accepted.
CREATE TABLE payment_outbox (
  payment_id text COLLATE "C" PRIMARY KEY,
  step text COLLATE "C" NOT NULL CHECK (step IN ('hand_over', 'settle')),
  -- When somebody should take it; whoever does moves this to the end of their lease.
  due_at timestamptz NOT NULL,
  -- How often it was taken, for both steps; the last one who has taken it holds the lease.
  attempts int NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX payment_outbox_due ON payment_outbox (step, due_at);

-- The keys under which TPPs may send the same request again, for a day.
CREATE TABLE idempotency_key (
  organisation_identifier text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash bytea NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_identifier, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);

-- Down Migration

DROP TABLE payment, payment_move, payment_outbox, idempotency_key;
