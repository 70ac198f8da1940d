-- Who did what to whom. Rows are written in the transaction of the change that they tell; one sealer at a time then gives
-- them their sequence numbers and chains them by hash. What is written is not changed, and goes only as a sealed prefix
-- that was archived.

-- Up Migration

CREATE TABLE audit_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('tpp', 'operator', 'psu', 'server')),
  actor text COLLATE "C" NOT NULL,
  -- The SHA-256 of the actor's certificate in base64url (x5t#S256).
  certificate text COLLATE "C",
  request_id text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  subject_kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- Canonical JSON, kept to the byte.
  details text COLLATE "C" NOT NULL,
  -- Both are the sealer's: null until the row is sealed.
  sequence bigint,
  hash bytea,
  CHECK ((sequence IS NULL) = (hash IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE UNIQUE INDEX audit_entry_sealed ON audit_entry (sequence) WHERE sequence IS NOT NULL;
CREATE INDEX audit_entry_unsealed ON audit_entry (id) WHERE sequence IS NULL;
CREATE INDEX audit_entry_by_time ON audit_entry (recorded_at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (actor, recorded_at, id);
CREATE INDEX audit_entry_by_subject ON audit_entry (subject, recorded_at, id);
CREATE INDEX audit_entry_by_request ON audit_entry (request_id) WHERE request_id IS NOT NULL;

-- Where the chain begins, after what was archived, and where it ends. Who seals holds this row.
CREATE TABLE audit_chain (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  archived_sequence bigint NOT NULL DEFAULT 0,
  archived_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  head_sequence bigint NOT NULL DEFAULT 0,
  head_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  CHECK (archived_sequence <= head_sequence)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

INSERT INTO audit_chain DEFAULT VALUES;

CREATE FUNCTION audit_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sequence IS NULL THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD.sequence IS NULL AND NEW.sequence IS NOT NULL
      AND to_jsonb(NEW) - 'sequence' - 'hash' = to_jsonb(OLD) - 'sequence' - 'hash' THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.sequence <= (SELECT archived_sequence FROM audit_chain) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are not changed: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_entry_guard BEFORE INSERT OR UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_entry_guard_all BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();

CREATE FUNCTION audit_chain_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.head_sequence >= OLD.head_sequence AND NEW.archived_sequence >= OLD.archived_sequence THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit chain only grows: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_chain_guard BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION audit_chain_guard();
CREATE TRIGGER audit_chain_guard_all BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION audit_chain_guard();

-- Down Migration

DROP TABLE audit_entry;
DROP FUNCTION audit_entry_guard;
DROP TABLE audit_chain;
DROP FUNCTION audit_chain_guard;
