-- The database of resource as all its migrations leave it, to be read: no program does. Why a table or an index is as it is
-- stands in the migrations that are named above it. Written by `npm run docs`, and held against the migrations by a test.

-- Owner: balance-check. Kept: `PAYMENT_RETENTION_DAYS` after the question. Migrations 0007, 0022, 0023.
CREATE TABLE balance_check (
  response_identification bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  exchange_identification text COLLATE "C",
  account_id text COLLATE "C" NOT NULL,
  amount text COLLATE "C" NOT NULL,
  checked_at timestamp with time zone DEFAULT now() NOT NULL,
  enough boolean,
  CONSTRAINT balance_check_pkey PRIMARY KEY (response_identification)
) WITH (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX balance_check_by_age ON balance_check USING btree (checked_at);
CREATE UNIQUE INDEX balance_check_exchange ON balance_check USING btree (organisation_identifier, exchange_identification) WHERE exchange_identification IS NOT NULL;
CREATE INDEX balance_check_in_order ON balance_check USING btree (account_id, checked_at, response_identification);

-- Owner: payments. Kept: 24 hours. Migrations 0005.
CREATE TABLE idempotency_key (
  organisation_identifier text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash bytea NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (organisation_identifier, key)
) WITH (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX idempotency_key_by_age ON idempotency_key USING btree (created_at);

-- Owner: payments. Kept: `PAYMENT_RETENTION_DAYS` after its end. Migrations 0005, 0008, 0021.
CREATE TABLE payment (
  payment_id text COLLATE "C" NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  application_id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  consent_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  instruction_identification text COLLATE "C" NOT NULL,
  order_content text COLLATE "C" NOT NULL,
  fee text COLLATE "C",
  execution_date date NOT NULL,
  is_changed boolean NOT NULL,
  order_text text COLLATE "C" NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  state text COLLATE "C" NOT NULL,
  moves integer NOT NULL,
  moved_at timestamp with time zone NOT NULL,
  sign_id text COLLATE "C" NOT NULL,
  earlier_sign_ids text[] COLLATE "C" NOT NULL,
  signing_state text COLLATE "C",
  signing_ending text COLLATE "C",
  signing_request_id text COLLATE "C",
  look_up_at timestamp with time zone,
  approval_id text COLLATE "C",
  approval_digest bytea,
  approval_methods text[],
  approved_at timestamp with time zone,
  rejected_by text COLLATE "C",
  rejection_reason text COLLATE "C",
  entry_reference text COLLATE "C",
  CONSTRAINT payment_pkey PRIMARY KEY (payment_id),
  CONSTRAINT payment_approval_id_key UNIQUE (approval_id),
  CONSTRAINT payment_organisation_identifier_instruction_identification_key UNIQUE (organisation_identifier, instruction_identification),
  CONSTRAINT payment_signing_request_id_key UNIQUE (signing_request_id),
  CONSTRAINT payment_check CHECK ((state = 'entered'::text) = (signing_state IS NOT NULL)),
  CONSTRAINT payment_check1 CHECK ((signing_state = 'ended'::text) = (signing_ending IS NOT NULL)),
  CONSTRAINT payment_check2 CHECK (signing_state IS NULL OR (signing_state = 'open'::text) = (signing_request_id IS NULL)),
  CONSTRAINT payment_check3 CHECK (num_nulls(approval_id, approval_digest, approval_methods, approved_at) = ANY (ARRAY[0, 4])),
  CONSTRAINT payment_check4 CHECK ((state <> ALL (ARRAY['approved'::text, 'handed_over'::text, 'accepted'::text, 'completed'::text])) OR approval_id IS NOT NULL),
  CONSTRAINT payment_check5 CHECK (approval_digest IS NULL OR approval_digest = digest),
  CONSTRAINT payment_check6 CHECK ((state = 'rejected'::text) = (num_nonnulls(rejected_by, rejection_reason) = 2)),
  CONSTRAINT payment_check7 CHECK (rejected_by IS NULL OR (rejected_by = ANY (ARRAY['execution_check'::text, 'bank'::text])) = (approval_id IS NOT NULL)),
  CONSTRAINT payment_digest_check CHECK (octet_length(digest) = 32),
  CONSTRAINT payment_moves_check CHECK (moves > 0),
  CONSTRAINT payment_rejected_by_check CHECK (rejected_by = ANY (ARRAY['psu'::text, 'approval_check'::text, 'execution_check'::text, 'bank'::text, 'consent'::text])),
  CONSTRAINT payment_signing_ending_check CHECK (signing_ending = ANY (ARRAY['expired'::text, 'cancelled'::text])),
  CONSTRAINT payment_signing_state_check CHECK (signing_state = ANY (ARRAY['open'::text, 'asked'::text, 'ended'::text])),
  CONSTRAINT payment_state_check CHECK (state = ANY (ARRAY['entered'::text, 'approved'::text, 'handed_over'::text, 'accepted'::text, 'completed'::text, 'rejected'::text, 'expired'::text, 'deleted'::text]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX payment_before_bank ON payment USING btree (moved_at) WHERE state = ANY (ARRAY['approved'::text, 'handed_over'::text, 'accepted'::text]);
CREATE INDEX payment_by_end ON payment USING btree (moved_at) WHERE state = ANY (ARRAY['completed'::text, 'rejected'::text, 'expired'::text, 'deleted'::text]);
CREATE INDEX payment_by_expiry ON payment USING btree (expires_at) WHERE state = 'entered'::text AND signing_state <> 'asked'::text;
CREATE INDEX payment_by_look_up ON payment USING btree (look_up_at) WHERE signing_state = 'asked'::text;
CREATE INDEX payment_waiting_of ON payment USING btree (application_id, psu_id) WHERE state = 'entered'::text;

-- Owner: payments. Kept: as long as its payment. Migrations 0005.
CREATE TABLE payment_move (
  payment_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  move text COLLATE "C" NOT NULL,
  moved_at timestamp with time zone NOT NULL,
  moved_by text COLLATE "C" NOT NULL,
  cause text COLLATE "C",
  facts jsonb NOT NULL,
  request_id text COLLATE "C",
  state_before text COLLATE "C",
  state_after text COLLATE "C" NOT NULL,
  CONSTRAINT payment_move_pkey PRIMARY KEY (payment_id, number),
  CONSTRAINT payment_move_moved_by_check CHECK (moved_by = ANY (ARRAY['tpp'::text, 'psu'::text, 'bank'::text, 'server'::text]))
);

-- Owner: payments. Kept: until the bank has ended the payment. Migrations 0005, 0025.
CREATE TABLE payment_outbox (
  payment_id text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  is_instant boolean DEFAULT false NOT NULL,
  CONSTRAINT payment_outbox_pkey PRIMARY KEY (payment_id),
  CONSTRAINT payment_outbox_step_check CHECK (step = ANY (ARRAY['hand_over'::text, 'settle'::text]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX payment_outbox_due ON payment_outbox USING btree (step, due_at);
CREATE INDEX payment_outbox_instant_due ON payment_outbox USING btree (due_at) WHERE is_instant;

-- Owner: (service-edge) refusals. Kept: 30 days, and a bounded number of each kind. Migrations 0002.
CREATE TABLE refused_certificate (
  request_id text COLLATE "C" NOT NULL,
  caller_request_id text COLLATE "C",
  refused_at timestamp with time zone NOT NULL,
  code text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  leaf bytea NOT NULL,
  intermediates bytea[] NOT NULL,
  tls_verdict text,
  CONSTRAINT refused_certificate_pkey PRIMARY KEY (request_id)
) WITH (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX refused_certificate_by_age ON refused_certificate USING btree (refused_at, request_id);
CREATE INDEX refused_certificate_by_caller ON refused_certificate USING btree (caller_request_id, refused_at) WHERE caller_request_id IS NOT NULL;

-- Owner: bank. Kept: the accounts of the sandbox. Migrations 0001, 0006.
CREATE TABLE sandbox_account (
  account_id text COLLATE "C" NOT NULL,
  iban text COLLATE "C" NOT NULL,
  account_number text COLLATE "C" NOT NULL,
  bank_code text COLLATE "C" NOT NULL,
  country_code text COLLATE "C" NOT NULL,
  bic text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  name_cs text COLLATE "C" NOT NULL,
  name_en text COLLATE "C" NOT NULL,
  product_cs text COLLATE "C" NOT NULL,
  product_en text COLLATE "C" NOT NULL,
  holder text COLLATE "C",
  closed_at timestamp with time zone,
  is_payment_account boolean DEFAULT true NOT NULL,
  CONSTRAINT sandbox_account_pkey PRIMARY KEY (account_id),
  CONSTRAINT sandbox_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES sandbox_ledger(account_id)
);
CREATE INDEX sandbox_account_iban ON sandbox_account USING btree (iban);

-- Owner: bank. Kept: the accounts of the sandbox. Migrations 0001.
CREATE TABLE sandbox_account_access (
  psu_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  CONSTRAINT sandbox_account_access_pkey PRIMARY KEY (psu_id, account_id),
  CONSTRAINT sandbox_account_access_account_id_fkey FOREIGN KEY (account_id) REFERENCES sandbox_account(account_id)
);

-- Owner: bank. Kept: the accounts of the sandbox. Migrations 0003.
CREATE TABLE sandbox_account_ledger (
  account_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  ledger_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT sandbox_account_ledger_pkey PRIMARY KEY (account_id, currency),
  CONSTRAINT sandbox_account_ledger_account_id_fkey FOREIGN KEY (account_id) REFERENCES sandbox_account(account_id),
  CONSTRAINT sandbox_account_ledger_account_id_position_key UNIQUE (account_id, "position"),
  CONSTRAINT sandbox_account_ledger_ledger_id_fkey FOREIGN KEY (ledger_id) REFERENCES sandbox_ledger(account_id),
  CONSTRAINT sandbox_account_ledger_check CHECK (("position" = 0) = (ledger_id = account_id)),
  CONSTRAINT sandbox_account_ledger_position_check CHECK ("position" >= 0)
);

-- Owner: bank. Kept: the history of the sandbox, which is not deleted. Migrations 0001, 0003.
CREATE TABLE sandbox_entry (
  account_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  booking_id text COLLATE "C" NOT NULL,
  booked_at timestamp with time zone NOT NULL,
  value_date date NOT NULL,
  amount bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  transaction_code text COLLATE "C" NOT NULL,
  details jsonb,
  balance_after bigint NOT NULL,
  is_reversal boolean DEFAULT false NOT NULL,
  CONSTRAINT sandbox_entry_pkey PRIMARY KEY (account_id, seq),
  CONSTRAINT sandbox_entry_account_id_booking_id_key UNIQUE (account_id, booking_id),
  CONSTRAINT sandbox_entry_amount_check CHECK (amount <> 0),
  CONSTRAINT sandbox_entry_seq_check CHECK (seq > 0),
  CONSTRAINT sandbox_entry_transaction_code_check CHECK (transaction_code ~ '^[0-9]{11}$'::text)
);
CREATE INDEX sandbox_entry_booked_at ON sandbox_entry USING btree (account_id, booked_at, seq);

-- Owner: bank. Kept: the accounts of the sandbox. Migrations 0001.
CREATE TABLE sandbox_ledger (
  account_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  overdraft_limit bigint,
  balance bigint DEFAULT 0 NOT NULL,
  last_seq bigint DEFAULT 0 NOT NULL,
  last_booked_at timestamp with time zone,
  CONSTRAINT sandbox_ledger_pkey PRIMARY KEY (account_id),
  CONSTRAINT sandbox_ledger_check CHECK (balance >= (- overdraft_limit)),
  CONSTRAINT sandbox_ledger_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT sandbox_ledger_overdraft_limit_check CHECK (overdraft_limit >= 0)
) WITH (fillfactor=50);

-- Owner: bank. Kept: the orders of the sandbox, which are not deleted. Migrations 0006.
CREATE TABLE sandbox_order (
  payment_id text COLLATE "C" NOT NULL,
  digest bytea NOT NULL,
  approval_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  execution_date date NOT NULL,
  due_at timestamp with time zone NOT NULL,
  creditor_id text COLLATE "C",
  bookings jsonb,
  taken_at timestamp with time zone DEFAULT now() NOT NULL,
  settled_at timestamp with time zone,
  CONSTRAINT sandbox_order_pkey PRIMARY KEY (payment_id),
  CONSTRAINT sandbox_order_check CHECK ((state = 'rejected'::text) = (reason IS NOT NULL)),
  CONSTRAINT sandbox_order_check1 CHECK ((state = 'accepted'::text) = (settled_at IS NULL)),
  CONSTRAINT sandbox_order_check2 CHECK (state = 'rejected'::text OR bookings IS NOT NULL),
  CONSTRAINT sandbox_order_digest_check CHECK (octet_length(digest) = 32),
  CONSTRAINT sandbox_order_state_check CHECK (state = ANY (ARRAY['accepted'::text, 'completed'::text, 'rejected'::text]))
);
CREATE INDEX sandbox_order_due ON sandbox_order USING btree (due_at) WHERE state = 'accepted'::text;

-- Owner: bank. Kept: until it is booked; in the sandbox only. Migrations 0003.
CREATE TABLE sandbox_pending (
  ledger_id text COLLATE "C" NOT NULL,
  pending_id text COLLATE "C" NOT NULL,
  blocked_at timestamp with time zone NOT NULL,
  value_date date NOT NULL,
  amount bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  transaction_code text COLLATE "C" NOT NULL,
  details jsonb,
  CONSTRAINT sandbox_pending_pkey PRIMARY KEY (ledger_id, pending_id),
  CONSTRAINT sandbox_pending_ledger_id_fkey FOREIGN KEY (ledger_id) REFERENCES sandbox_ledger(account_id),
  CONSTRAINT sandbox_pending_amount_check CHECK (amount <> 0),
  CONSTRAINT sandbox_pending_transaction_code_check CHECK (transaction_code ~ '^[0-9]{11}$'::text)
);
CREATE INDEX sandbox_pending_blocked_at ON sandbox_pending USING btree (ledger_id, blocked_at, pending_id) INCLUDE (amount);

-- Owner: bank. Kept: one row. Migrations 0001.
CREATE TABLE sandbox_seed (
  name text COLLATE "C" NOT NULL,
  seeded_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sandbox_seed_pkey PRIMARY KEY (name)
);

-- Owner: unattended. Kept: about a day: as long as it counts. Migrations 0004.
CREATE TABLE unattended_access (
  consent_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  began_at timestamp with time zone[] NOT NULL,
  last_began_at timestamp with time zone NOT NULL,
  CONSTRAINT unattended_access_pkey PRIMARY KEY (consent_id, account_id, resource),
  CONSTRAINT unattended_access_began_at_check CHECK (cardinality(began_at) >= 1 AND cardinality(began_at) <= 96),
  CONSTRAINT unattended_access_resource_check CHECK (resource = ANY (ARRAY['balance'::text, 'transactions'::text]))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX unattended_access_by_age ON unattended_access USING btree (last_began_at);
