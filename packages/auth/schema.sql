-- The database of auth as all its migrations leave it, to be read: no program does. Why a table or an index is as it is
-- stands in the migrations that are named above it. Written by `npm run docs`, and held against the migrations by a test.

-- Owner: applications. Kept: deleted ones `RECORD_RETENTION_DAYS`, after what they left; others as many as `MAX_APPLICATIONS_PER_TPP` allows. Migrations 0001, 0007, 0012, 0014, 0057, 0096.
CREATE TABLE application (
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  application_type text NOT NULL,
  redirect_uris text[] NOT NULL,
  client_name text NOT NULL,
  localized_names jsonb NOT NULL,
  logo_uri text,
  contact text,
  scopes text[] NOT NULL,
  token_endpoint_auth_method text,
  secret_hash text COLLATE "C",
  access_token_lifetime_seconds integer,
  created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  deleted_at timestamp with time zone,
  jwks jsonb,
  version uuid DEFAULT gen_random_uuid() NOT NULL,
  jwks_uri text,
  former_secret_hash text COLLATE "C",
  former_secret_until timestamp with time zone,
  CONSTRAINT application_pkey PRIMARY KEY (id),
  CONSTRAINT application_owner_fkey FOREIGN KEY (owner) REFERENCES tpp(organisation_identifier),
  CONSTRAINT application_access_token_lifetime_seconds_check CHECK (access_token_lifetime_seconds > 0),
  CONSTRAINT application_application_type_check CHECK (application_type = ANY (ARRAY['web'::text, 'native'::text])),
  CONSTRAINT application_former_secret CHECK ((former_secret_hash IS NULL) = (former_secret_until IS NULL) AND (former_secret_hash IS NULL OR secret_hash IS NOT NULL)),
  CONSTRAINT application_keys_once CHECK (jwks IS NULL OR jwks_uri IS NULL),
  CONSTRAINT application_scopes_check CHECK (scopes <@ ARRAY['aisp'::text, 'pisp'::text]),
  CONSTRAINT application_secret_of_profile CHECK (deleted_at IS NOT NULL OR (secret_hash IS NULL) = (COALESCE(token_endpoint_auth_method, ''::text) = ANY (ARRAY['private_key_jwt'::text, 'tls_client_auth'::text])))
);
CREATE INDEX application_by_deletion ON application USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX application_by_owner ON application USING btree (owner, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX application_by_time ON application USING btree (created_at, id) WHERE deleted_at IS NULL;

-- Owner: audit. Kept: one row. Migrations 0011, 0098.
CREATE TABLE audit_chain (
  single boolean DEFAULT true NOT NULL,
  archived_sequence bigint DEFAULT 0 NOT NULL,
  archived_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
  head_sequence bigint DEFAULT 0 NOT NULL,
  head_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
  CONSTRAINT audit_chain_pkey PRIMARY KEY (single),
  CONSTRAINT audit_chain_check CHECK (archived_sequence <= head_sequence),
  CONSTRAINT audit_chain_single_check CHECK (single)
) WITH (fillfactor=10, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
CREATE TRIGGER audit_chain_guard BEFORE DELETE OR UPDATE ON audit_chain FOR EACH ROW EXECUTE FUNCTION keep_audit_chain();
CREATE TRIGGER audit_chain_guard_all BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_chain();

-- Owner: audit. Kept: until it is archived (`npm run auth -- audit archive`), whenever the bank chooses. Migrations 0011, 0021, 0091, 0098.
CREATE TABLE audit_entry (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  actor_kind text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  certificate text COLLATE "C",
  request_id text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  subject_kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  details text COLLATE "C" NOT NULL,
  sequence bigint,
  hash bytea,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entry_actor_kind_check CHECK (actor_kind = ANY (ARRAY['tpp'::text, 'operator'::text, 'psu'::text, 'server'::text])),
  CONSTRAINT audit_entry_check CHECK ((sequence IS NULL) = (hash IS NULL))
) WITH (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX audit_entry_by_action ON audit_entry USING btree (action, recorded_at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry USING btree (actor, recorded_at, id);
CREATE INDEX audit_entry_by_subject ON audit_entry USING btree (subject, recorded_at, id);
CREATE INDEX audit_entry_by_time ON audit_entry USING btree (recorded_at, id);
CREATE INDEX audit_entry_of_request ON audit_entry USING btree (request_id, (recorded_at AT TIME ZONE 'UTC'::text), id) WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX audit_entry_sealed ON audit_entry USING btree (sequence) WHERE sequence IS NOT NULL;
CREATE INDEX audit_entry_unsealed ON audit_entry USING btree (id) WHERE sequence IS NULL;
CREATE TRIGGER audit_entry_guard BEFORE INSERT OR DELETE OR UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entry_guard_all BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();
CREATE CONSTRAINT TRIGGER audit_entry_head AFTER UPDATE ON audit_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_head();

-- Owner: card-consent. Kept: ended ones `RECORD_RETENTION_DAYS`. Migrations 0022, 0057, 0097, 0099.
CREATE TABLE card_consent (
  id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  organisation_name text,
  account_id text COLLATE "C" NOT NULL,
  iban text COLLATE "C" NOT NULL,
  given_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_by text,
  end_reason text,
  CONSTRAINT card_consent_pkey PRIMARY KEY (id),
  CONSTRAINT card_consent_check CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL))
);
CREATE UNIQUE INDEX card_consent_active ON card_consent USING btree (organisation_identifier, iban, psu_id) WHERE ended_at IS NULL;
CREATE INDEX card_consent_by_end ON card_consent USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX card_consent_by_psu ON card_consent USING btree (psu_id, given_at, id);
CREATE INDEX card_consent_by_time ON card_consent USING btree (given_at, id);
CREATE INDEX card_consent_ended_by_time ON card_consent USING btree (given_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX card_consent_not_ended_by_time ON card_consent USING btree (given_at, id) WHERE ended_at IS NULL;
CREATE INDEX card_consent_of_tpp_by_state ON card_consent USING btree (organisation_identifier, (
CASE
    WHEN ended_at IS NULL THEN 'active'::text
    ELSE 'ended'::text
END) COLLATE "C", (given_at AT TIME ZONE 'UTC'::text), id);

-- Owner: consent. Kept: ended ones `RECORD_RETENTION_DAYS`; each ends after `CONSENT_LIFETIME_DAYS` at the latest. Migrations 0002, 0014, 0018, 0021, 0057, 0086, 0093, 0094, 0099.
CREATE TABLE consent (
  id text COLLATE "C" NOT NULL,
  application_id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  services text[] NOT NULL,
  account_ids text[] NOT NULL,
  approval_hash bytea NOT NULL,
  authenticated_at timestamp with time zone NOT NULL,
  given_at timestamp with time zone NOT NULL,
  valid_until timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_by text,
  end_reason text,
  CONSTRAINT consent_pkey PRIMARY KEY (id),
  CONSTRAINT consent_application_id_fkey FOREIGN KEY (application_id) REFERENCES application(id),
  CONSTRAINT consent_application_id_psu_id_version_key UNIQUE (application_id, psu_id, version),
  CONSTRAINT consent_approval_hash_key UNIQUE (approval_hash),
  CONSTRAINT consent_check CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL)),
  CONSTRAINT consent_services_check CHECK (cardinality(services) > 0),
  CONSTRAINT consent_version_check CHECK (version > 0)
);
CREATE INDEX consent_active ON consent USING btree (application_id, psu_id) WHERE ended_at IS NULL;
CREATE INDEX consent_by_account ON consent USING gin (account_ids COLLATE "C") WITH (fastupdate=off);
CREATE INDEX consent_by_end ON consent USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX consent_by_psu ON consent USING btree (psu_id, given_at, id);
CREATE INDEX consent_by_time ON consent USING btree (given_at, id);
CREATE INDEX consent_due ON consent USING btree (valid_until) WHERE ended_at IS NULL;
CREATE INDEX consent_expired_by_time ON consent USING btree (given_at, id) WHERE end_reason = 'expired'::text;
CREATE INDEX consent_not_ended_by_time ON consent USING btree (given_at, id) WHERE ended_at IS NULL;
CREATE INDEX consent_not_ended_of_application ON consent USING btree (application_id, id) WHERE ended_at IS NULL;
CREATE INDEX consent_not_ended_of_tpp ON consent USING btree (organisation_identifier, id) WHERE ended_at IS NULL;
CREATE INDEX consent_of_application_by_state ON consent USING btree (application_id, (
CASE
    WHEN end_reason = 'expired'::text THEN 'expired'::text
    WHEN ended_at IS NULL THEN 'active'::text
    ELSE 'revoked'::text
END) COLLATE "C", (given_at AT TIME ZONE 'UTC'::text), id);
CREATE INDEX consent_of_tpp_by_state ON consent USING btree (organisation_identifier, (
CASE
    WHEN end_reason = 'expired'::text THEN 'expired'::text
    WHEN ended_at IS NULL THEN 'active'::text
    ELSE 'revoked'::text
END) COLLATE "C", (given_at AT TIME ZONE 'UTC'::text), id);
CREATE INDEX consent_revoked_by_time ON consent USING btree (given_at, id) WHERE end_reason <> 'expired'::text;

-- Owner: consent. Kept: one row for each consent, as long as the consent. Migrations 0018.
CREATE TABLE consent_use (
  consent_id text COLLATE "C" NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT consent_use_pkey PRIMARY KEY (consent_id),
  CONSTRAINT consent_use_consent_id_fkey FOREIGN KEY (consent_id) REFERENCES consent(id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);

-- Owner: ephemeral. Kept: one row. Migrations 0015.
CREATE TABLE ephemeral_epoch (
  the_only_one boolean DEFAULT true NOT NULL,
  epoch uuid DEFAULT gen_random_uuid() NOT NULL,
  made_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ephemeral_epoch_pkey PRIMARY KEY (the_only_one),
  CONSTRAINT ephemeral_epoch_the_only_one_check CHECK (the_only_one)
);

-- Owner: ephemeral. Kept: until it expires; at most a day. Migrations 0003, 0073.
CREATE TABLE ephemeral_record (
  kind text COLLATE "C" NOT NULL,
  id_hash bytea NOT NULL,
  uid_hash bytea,
  payload jsonb NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT ephemeral_record_pkey PRIMARY KEY (kind, id_hash)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=off);
CREATE INDEX ephemeral_record_by_expiry ON ephemeral_record USING btree (expires_at);
CREATE INDEX ephemeral_record_by_uid ON ephemeral_record USING btree (kind, uid_hash) WHERE uid_hash IS NOT NULL;

-- Owner: feed. Kept: 24 hours. Migrations 0008, 0013.
CREATE TABLE feed_event (
  pos bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  appended_at timestamp with time zone DEFAULT now() NOT NULL,
  mark uuid DEFAULT gen_random_uuid() NOT NULL,
  CONSTRAINT feed_event_pkey PRIMARY KEY (pos)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);

-- Owner: feed. Kept: one row. Migrations 0008.
CREATE TABLE feed_head (
  single boolean DEFAULT true NOT NULL,
  pos bigint NOT NULL,
  CONSTRAINT feed_head_pkey PRIMARY KEY (single),
  CONSTRAINT feed_head_pos_check CHECK (pos >= 0),
  CONSTRAINT feed_head_single_check CHECK (single)
) WITH (fillfactor=10, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);

-- Owner: psu. Kept: until its PSU removes it, or has been blocked for `RECORD_RETENTION_DAYS`. Migrations 0052.
CREATE TABLE passkey (
  id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  name text NOT NULL,
  added_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkey_counter_check CHECK (counter >= 0 AND counter <= '4294967295'::bigint),
  CONSTRAINT passkey_credential_id_check CHECK (octet_length(credential_id) >= 1 AND octet_length(credential_id) <= 1023)
);
CREATE INDEX passkey_of_psu ON passkey USING btree (psu_id);

-- Owner: psu-block. Kept: released ones `RECORD_RETENTION_DAYS`. Migrations 0014, 0088.
CREATE TABLE psu_block (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  blocked_by text NOT NULL,
  blocked_at timestamp with time zone NOT NULL,
  released_by text,
  released_at timestamp with time zone,
  keeps_passkeys boolean DEFAULT true NOT NULL,
  CONSTRAINT psu_block_pkey PRIMARY KEY (id),
  CONSTRAINT psu_block_check CHECK ((released_at IS NULL) = (released_by IS NULL))
);
CREATE UNIQUE INDEX psu_block_active ON psu_block USING btree (psu_id) WHERE released_at IS NULL;
CREATE INDEX psu_block_by_psu ON psu_block USING btree (psu_id, id);
CREATE INDEX psu_block_by_release ON psu_block USING btree (released_at) WHERE released_at IS NOT NULL;
CREATE INDEX psu_block_keeping ON psu_block USING btree (blocked_at) WHERE released_at IS NULL AND keeps_passkeys;

-- Owner: notices. Kept: until it is delivered, at most three days, plus the hour in which it counts against a limit. Migrations 0079.
CREATE TABLE psu_notice (
  id uuid NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  text text NOT NULL,
  request_id text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  next_try_at timestamp with time zone,
  CONSTRAINT psu_notice_pkey PRIMARY KEY (id)
);
CREATE INDEX psu_notice_due ON psu_notice USING btree (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX psu_notice_of_psu ON psu_notice USING btree (psu_id, occurred_at);
CREATE INDEX psu_notice_over ON psu_notice USING btree (occurred_at) WHERE next_try_at IS NULL;

-- Owner: limits. Kept: until its bucket is empty; minutes. Migrations 0010, 0073.
CREATE UNLOGGED TABLE rate_limit (
  bucket bytea NOT NULL,
  empty_at timestamp with time zone NOT NULL,
  CONSTRAINT rate_limit_pkey PRIMARY KEY (bucket)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=off);

-- Owner: (service-edge) refusals. Kept: 30 days, and a bounded number of each kind. Migrations 0004.
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

-- Owner: delivery. Kept: the newest of each PSU; in the sandbox only. Migrations 0053, 0079.
CREATE TABLE sandbox_message (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  sealed_text bytea NOT NULL,
  delivered_at timestamp with time zone NOT NULL,
  delivery_id uuid,
  CONSTRAINT sandbox_message_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX sandbox_message_by_delivery ON sandbox_message USING btree (delivery_id);
CREATE INDEX sandbox_message_of_psu ON sandbox_message USING btree (psu_id, id);

-- Owner: psu. Kept: the PSUs of the sandbox. Migrations 0050, 0051.
CREATE TABLE sandbox_psu (
  psu_id text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  display_name text COLLATE "C" NOT NULL,
  password_hash bytea NOT NULL,
  password_salt bytea NOT NULL,
  scrypt_cost integer NOT NULL,
  scrypt_block_size integer NOT NULL,
  scrypt_parallelization integer NOT NULL,
  sealed_totp_secret bytea,
  last_step integer DEFAULT 0 NOT NULL,
  activation_hash bytea,
  CONSTRAINT sandbox_psu_pkey PRIMARY KEY (psu_id),
  CONSTRAINT sandbox_psu_username_key UNIQUE (username),
  CONSTRAINT sandbox_psu_has_second_factor CHECK (sealed_totp_secret IS NOT NULL OR activation_hash IS NOT NULL)
);

-- Owner: psu. Kept: until the next sign-in of that username, or a day without an attempt; in the sandbox only. Migrations 0050, 0051.
CREATE TABLE sandbox_sign_in_failure (
  bucket integer NOT NULL,
  failures integer NOT NULL,
  failed_at timestamp with time zone NOT NULL,
  blocked_until timestamp with time zone,
  CONSTRAINT sandbox_sign_in_failure_pkey PRIMARY KEY (bucket),
  CONSTRAINT sandbox_sign_in_failure_bucket_check CHECK (bucket >= 0),
  CONSTRAINT sandbox_sign_in_failure_failures_check CHECK (failures > 0)
);
CREATE INDEX sandbox_sign_in_failure_failed_at ON sandbox_sign_in_failure USING btree (failed_at);

-- Owner: keys. Kept: one row for each key that ever existed, a few per year; its secret is destroyed when it ends. Migrations 0009.
CREATE TABLE server_key (
  kid text COLLATE "C" NOT NULL,
  use text COLLATE "C" NOT NULL,
  sealed_secret bytea,
  announced_at timestamp with time zone NOT NULL,
  signs_from timestamp with time zone NOT NULL,
  retires_at timestamp with time zone,
  ends_at timestamp with time zone,
  made_by text,
  dropped_by text,
  CONSTRAINT server_key_pkey PRIMARY KEY (kid),
  CONSTRAINT server_key_use_fkey FOREIGN KEY (use) REFERENCES server_key_use(use),
  CONSTRAINT server_key_check CHECK ((retires_at IS NULL) = (ends_at IS NULL)),
  CONSTRAINT server_key_check1 CHECK (sealed_secret IS NOT NULL OR ends_at IS NOT NULL),
  CONSTRAINT server_key_check2 CHECK (dropped_by IS NULL OR sealed_secret IS NULL)
);
CREATE UNIQUE INDEX server_key_newest ON server_key USING btree (use) WHERE retires_at IS NULL;

-- Owner: keys. Kept: two rows. Migrations 0009.
CREATE TABLE server_key_use (
  use text COLLATE "C" NOT NULL,
  CONSTRAINT server_key_use_pkey PRIMARY KEY (use)
);

-- Owner: signing. Kept: decided ones `RECORD_RETENTION_DAYS`; each is decided or expires within a day. Migrations 0017, 0055, 0057, 0078, 0101.
CREATE TABLE signing_request (
  id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  sign_id text COLLATE "C" NOT NULL,
  psu_id text COLLATE "C" NOT NULL,
  organisation_identifier text COLLATE "C" NOT NULL,
  application_id text COLLATE "C" NOT NULL,
  return_url text COLLATE "C" NOT NULL,
  order_text text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  state text COLLATE "C" DEFAULT 'waiting'::text NOT NULL,
  decided_at timestamp with time zone,
  refusal text COLLATE "C",
  approval_id text COLLATE "C",
  approval_digest bytea,
  approval_methods text[],
  code_hash bytea,
  code_browser_hash bytea,
  code_expires_at timestamp with time zone,
  codes_made smallint DEFAULT 0 NOT NULL,
  tries smallint DEFAULT 0 NOT NULL,
  cancelled_because text COLLATE "C",
  certificates text[] COLLATE "C",
  code_over_at timestamp with time zone,
  CONSTRAINT signing_request_pkey PRIMARY KEY (id),
  CONSTRAINT signing_request_application_id_fkey FOREIGN KEY (application_id) REFERENCES application(id),
  CONSTRAINT signing_request_approval_id_key UNIQUE (approval_id),
  CONSTRAINT signing_request_payment_id_sign_id_key UNIQUE (payment_id, sign_id),
  CONSTRAINT signing_request_cancelled_because_check CHECK (cancelled_because = 'consent_ended'::text),
  CONSTRAINT signing_request_check CHECK ((state = 'waiting'::text) = (decided_at IS NULL)),
  CONSTRAINT signing_request_check1 CHECK ((state = 'refused'::text) = (refusal IS NOT NULL)),
  CONSTRAINT signing_request_check2 CHECK ((state = 'approved'::text) = (num_nonnulls(approval_id, approval_digest, approval_methods) = 3)),
  CONSTRAINT signing_request_check3 CHECK ((state <> 'approved'::text) = (num_nulls(approval_id, approval_digest, approval_methods) = 3)),
  CONSTRAINT signing_request_check4 CHECK (num_nulls(code_hash, code_browser_hash, code_expires_at) = ANY (ARRAY[0, 3])),
  CONSTRAINT signing_request_check5 CHECK (state = 'waiting'::text OR code_hash IS NULL),
  CONSTRAINT signing_request_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'cancelled'::text, 'expired'::text]))
) WITH (fillfactor=80);
CREATE INDEX signing_request_by_decision ON signing_request USING btree (decided_at) WHERE state <> 'waiting'::text;
CREATE INDEX signing_request_of_application ON signing_request USING btree (application_id);
CREATE INDEX signing_request_waiting ON signing_request USING btree (expires_at) WHERE state = 'waiting'::text;
CREATE INDEX signing_request_waiting_of ON signing_request USING btree (application_id, psu_id) WHERE state = 'waiting'::text;

-- Owner: signing. Kept: a day after it last counted something; wrong codes until the next right one, or `RECORD_RETENTION_DAYS`. Migrations 0020, 0087.
CREATE TABLE signing_standing (
  psu_id text COLLATE "C" NOT NULL,
  codes smallint DEFAULT 0 NOT NULL,
  codes_since timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  held_off_until timestamp with time zone,
  changed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT signing_standing_pkey PRIMARY KEY (psu_id),
  CONSTRAINT signing_standing_check CHECK (codes = 0 OR codes_since IS NOT NULL)
) WITH (fillfactor=80);

-- Owner: tpp. Kept: released ones `RECORD_RETENTION_DAYS`. Migrations 0005, 0014.
CREATE TABLE stop_list_block (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  blocked_by text NOT NULL,
  blocked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  released_by text,
  released_at timestamp with time zone,
  CONSTRAINT stop_list_block_pkey PRIMARY KEY (id),
  CONSTRAINT stop_list_block_check CHECK ((released_at IS NULL) = (released_by IS NULL)),
  CONSTRAINT stop_list_block_kind_check CHECK (kind = ANY (ARRAY['organisation'::text, 'certificate'::text])),
  CONSTRAINT stop_list_block_origin_check CHECK (origin = ANY (ARRAY['operator'::text, 'register'::text]))
);
CREATE UNIQUE INDEX stop_list_block_active ON stop_list_block USING btree (key, kind, origin) WHERE released_at IS NULL;
CREATE INDEX stop_list_block_in_force ON stop_list_block USING btree (id) WHERE released_at IS NULL;

-- Owner: tokens. Kept: until it expires or its consent ends. Migrations 0003, 0073.
CREATE TABLE token (
  kind text COLLATE "C" NOT NULL,
  id_hash bytea NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT token_pkey PRIMARY KEY (kind, id_hash)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=off);
CREATE INDEX token_by_expiry ON token USING btree (expires_at);
CREATE INDEX token_by_grant ON token USING btree (grant_id);

-- Owner: tpp. Kept: one row for each TPP that has ever called with a good certificate. Migrations 0001.
CREATE TABLE tpp (
  organisation_identifier text COLLATE "C" NOT NULL,
  organisation_name text NOT NULL,
  authority_id text COLLATE "C" NOT NULL,
  authority_name text NOT NULL,
  roles text[] NOT NULL,
  changed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tpp_pkey PRIMARY KEY (organisation_identifier)
);

-- Owner: tpp-register. Kept: 31 days. Migrations 0006.
CREATE TABLE tpp_register_check (
  day date NOT NULL,
  taken_at timestamp with time zone DEFAULT now() NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT tpp_register_check_pkey PRIMARY KEY (day)
);

-- Owner: tpp-register. Kept: one row for each TPP. Migrations 0006.
CREATE TABLE tpp_register_finding (
  organisation_identifier text COLLATE "C" NOT NULL,
  finding text COLLATE "C" NOT NULL,
  since date NOT NULL,
  found_on date NOT NULL,
  CONSTRAINT tpp_register_finding_pkey PRIMARY KEY (organisation_identifier),
  CONSTRAINT tpp_register_finding_organisation_identifier_fkey FOREIGN KEY (organisation_identifier) REFERENCES tpp(organisation_identifier),
  CONSTRAINT tpp_register_finding_finding_check CHECK (finding = ANY (ARRAY['authorised'::text, 'withdrawn'::text, 'unclear'::text, 'absent'::text, 'exempt'::text]))
);

-- Owner: psu. Kept: 200 days after the last sign-in. Migrations 0019.
CREATE TABLE upstream_psu (
  psu_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  signed_in_at timestamp with time zone NOT NULL,
  CONSTRAINT upstream_psu_pkey PRIMARY KEY (psu_id),
  CONSTRAINT upstream_psu_display_name_check CHECK (length(display_name) >= 1 AND length(display_name) <= 200),
  CONSTRAINT upstream_psu_psu_id_check CHECK (length(psu_id) >= 1 AND length(psu_id) <= 64)
);
CREATE INDEX upstream_psu_by_sign_in ON upstream_psu USING btree (signed_in_at);

CREATE OR REPLACE FUNCTION hold_for_consent(psu_key bigint, to_application text, of_psu text, to_services text[], signed_in_at timestamp with time zone)
 RETURNS TABLE(next_version integer, has_earlier boolean)
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(psu_key);
  PERFORM FROM application WHERE id = to_application AND deleted_at IS NULL AND scopes @> to_services FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM psu_block WHERE psu_id = of_psu AND (released_at IS NULL OR released_at >= signed_in_at);
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY SELECT coalesce(max(version), 0) + 1, coalesce(bool_or(ended_at IS NULL), false)
    FROM consent WHERE application_id = to_application AND psu_id = of_psu;
END $function$;

CREATE OR REPLACE FUNCTION keep_audit_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  is_kept boolean := TG_OP = 'UPDATE';
BEGIN
  IF is_kept AND (NEW.head_sequence, NEW.head_hash) IS DISTINCT FROM (OLD.head_sequence, OLD.head_hash) THEN
    -- The canonical entry of audit-row.ts.
    SELECT count(*) = NEW.head_sequence - OLD.head_sequence
        AND bool_and(hash = sha256(previous || convert_to(entry, 'UTF8')))
        AND bool_or(sequence = NEW.head_sequence AND hash = NEW.head_hash)
      INTO is_kept
      FROM (SELECT sequence, hash, lag(hash, 1, OLD.head_hash) OVER (ORDER BY sequence) AS previous,
          concat('{"action":', to_json(action), ',"actor":', to_json(actor), ',"actorKind":', to_json(actor_kind),
            ',"certificate":', coalesce(to_json(certificate), 'null'), ',"details":', details, ',"id":', id,
            ',"recordedAt":"', to_char(recorded_at AT TIME ZONE interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            '","requestId":', coalesce(to_json(request_id), 'null'), ',"subject":', to_json(subject),
            ',"subjectKind":', to_json(subject_kind), '}') AS entry
        FROM audit_entry WHERE sequence > OLD.head_sequence AND sequence <= NEW.head_sequence) AS sealed;
  END IF;
  IF is_kept AND (NEW.archived_sequence, NEW.archived_hash) IS DISTINCT FROM (OLD.archived_sequence, OLD.archived_hash) THEN
    is_kept := NEW.archived_sequence > OLD.archived_sequence
      AND EXISTS (SELECT FROM audit_entry WHERE sequence = NEW.archived_sequence AND hash = NEW.archived_hash)
      AND NOT EXISTS (SELECT FROM audit_entry
        WHERE sequence > OLD.archived_sequence AND sequence <= NEW.archived_sequence
          AND recorded_at >= (now() AT TIME ZONE interval '0' - interval '5 years') AT TIME ZONE interval '0');
  END IF;
  IF is_kept THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the audit chain only grows: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION keep_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  sealed audit_entry := OLD;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- More than any that is written: of two registrations, each of a body of 64 kB, and with two texts of 500 characters.
    IF NEW.sequence IS NULL AND octet_length(NEW.details) <= 150000
      AND greatest(octet_length(NEW.actor), octet_length(NEW.subject)) <= 2000
      AND greatest(octet_length(NEW.certificate), octet_length(NEW.request_id), octet_length(NEW.action),
        octet_length(NEW.subject_kind)) <= 300
      AND NEW.id BETWEEN 1 AND last_audit_id()
      AND NEW.recorded_at BETWEEN 'epoch' AND clock_timestamp() + interval '1 hour'
      AND NEW.recorded_at AT TIME ZONE 'UTC' = NEW.recorded_at AT TIME ZONE interval '0'
      AND json_typeof(NEW.details::json) = 'object'
      -- Without its texts an object in canonical form that has no other in it, and lists of texts alone.
      AND regexp_replace(NEW.details, E'"([^"\\\\]|\\\\.)*"', '', 'g') ~ E'^\\{([-+.,:0-9a-zE]|\\[,*\\])*\\}$' THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    sealed.sequence := NEW.sequence;
    sealed.hash := NEW.hash;
    IF OLD.sequence IS NULL AND NEW.sequence > (SELECT head_sequence FROM audit_chain) AND NEW *= sealed
      AND NEW.recorded_at AT TIME ZONE 'UTC' = NEW.recorded_at AT TIME ZONE interval '0' THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.sequence <= (SELECT archived_sequence FROM audit_chain)
      AND OLD.recorded_at < (now() AT TIME ZONE interval '0' - interval '5 years') AT TIME ZONE interval '0' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are not changed: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION last_audit_id()
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$SELECT last_value FROM audit_entry_id_seq$function$;

CREATE OR REPLACE FUNCTION pour_rate_limits(buckets bytea[], measures bigint[])
 RETURNS TABLE(full_bucket bytea, over_milliseconds double precision)
 LANGUAGE plpgsql
AS $function$
DECLARE
  with_room bytea[];
BEGIN
  -- What is full stays so until its time. Each bucket is looked up by itself, so that a plan that was made while the table
  -- was small goes by the index when it has grown.
  RETURN QUERY
    SELECT seen.bucket, (extract(epoch FROM seen.over) * 1000)::double precision
    FROM (
      SELECT given.bucket,
        greatest(held.empty_at, moment) + given.measure * interval '1 microsecond' - moment - interval '1 minute' AS over
      FROM unnest(buckets, measures) AS given (bucket, measure)
      CROSS JOIN rate_limit_moment() AS moment
      LEFT JOIN LATERAL (
        SELECT empty_at FROM rate_limit WHERE rate_limit.bucket = given.bucket LIMIT 1) AS held ON true) AS seen
    WHERE seen.over > interval '0';
  IF FOUND THEN RETURN; END IF;

  -- Each row decides again when it is locked, at that moment: what came in between counts. Rows are locked in one order, so
  -- that two calls never wait for each other.
  WITH poured AS (
    INSERT INTO rate_limit AS held (bucket, empty_at)
    SELECT given.bucket, now() + given.measure * interval '1 microsecond'
    FROM unnest(buckets, measures) AS given (bucket, measure) ORDER BY given.bucket
    ON CONFLICT (bucket) DO UPDATE
      SET empty_at = greatest(held.empty_at, rate_limit_moment()) + (excluded.empty_at - now())
      WHERE greatest(held.empty_at - rate_limit_moment(), interval '0') + (excluded.empty_at - now()) <= interval '1 minute'
    RETURNING held.bucket)
  SELECT array_agg(poured.bucket) INTO with_room FROM poured;
  IF cardinality(with_room) = cardinality(buckets) THEN RETURN; END IF;

  INSERT INTO rate_limit AS held (bucket, empty_at)
  SELECT given.bucket, now() + given.measure * interval '1 microsecond'
  FROM unnest(buckets, measures) AS given (bucket, measure) WHERE given.bucket = ANY (with_room) ORDER BY given.bucket
  ON CONFLICT (bucket) DO UPDATE SET empty_at = held.empty_at - (excluded.empty_at - now());
  RETURN QUERY
    SELECT given.bucket, given.measure / 1000.0::double precision
    FROM unnest(buckets, measures) AS given (bucket, measure)
    WHERE with_room IS NULL OR given.bucket <> ALL (with_room);
END $function$;

CREATE OR REPLACE FUNCTION rate_limit_moment()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$SELECT now() + (clock_timestamp() - transaction_timestamp())$function$;

CREATE OR REPLACE FUNCTION require_audit_head()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NEW.sequence <= (SELECT head_sequence FROM audit_chain) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit entries are sealed up to the head: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;
