-- Whoever acts as a process, and owns nothing, could give an entry a number that no check looks at, a head that is none, or say
-- that young entries were archived. The head now moves over entries that follow it, hash by hash, and an entry is sealed with
-- the head that covers it; what is archived is there, and old. An entry by which no search finds its way is none. The functions
-- have names of their own: those of earlier migrations, where somebody has them run again, take nothing back.

-- Up Migration

-- Nobody who only adds entries may look at the sequence. It gives ids before it is asked: none that it gave lies ahead of it.
CREATE FUNCTION last_audit_id() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS 'SELECT last_value FROM public.audit_entry_id_seq';
GRANT EXECUTE ON FUNCTION last_audit_id TO PUBLIC;

-- Whoever asks may have a temporary table of the same name, an operator in public that fits better, and a time zone of a length of
-- its own, or one that is called UTC and is another: then the index of requests would have other times than the entries.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  sealed public.audit_entry := OLD;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- More than any that is written: of two registrations, each of a body of 64 kB, and with two texts of 500 characters.
    IF NEW.sequence IS NULL AND octet_length(NEW.details) <= 150000
      AND greatest(octet_length(NEW.actor), octet_length(NEW.subject)) <= 2000
      AND greatest(octet_length(NEW.certificate), octet_length(NEW.request_id), octet_length(NEW.action),
        octet_length(NEW.subject_kind)) <= 300
      AND NEW.id BETWEEN 1 AND public.last_audit_id()
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
    IF OLD.sequence IS NULL AND NEW.sequence > (SELECT head_sequence FROM public.audit_chain) AND NEW *= sealed
      AND NEW.recorded_at AT TIME ZONE 'UTC' = NEW.recorded_at AT TIME ZONE interval '0' THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.sequence <= (SELECT archived_sequence FROM public.audit_chain)
      AND OLD.recorded_at < (now() AT TIME ZONE interval '0' - interval '5 years') AT TIME ZONE interval '0' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are not changed: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_entry_guard BEFORE INSERT OR UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE OR REPLACE TRIGGER audit_entry_guard_all BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();

CREATE FUNCTION require_audit_head() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.sequence <= (SELECT head_sequence FROM public.audit_chain) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit entries are sealed up to the head: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

-- Of the end of the transaction: the head moves after its entries.
CREATE CONSTRAINT TRIGGER audit_entry_head AFTER UPDATE ON audit_entry DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_audit_head();

CREATE FUNCTION keep_audit_chain() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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
        FROM public.audit_entry WHERE sequence > OLD.head_sequence AND sequence <= NEW.head_sequence) AS sealed;
  END IF;
  IF is_kept AND (NEW.archived_sequence, NEW.archived_hash) IS DISTINCT FROM (OLD.archived_sequence, OLD.archived_hash) THEN
    is_kept := NEW.archived_sequence > OLD.archived_sequence
      AND EXISTS (SELECT FROM public.audit_entry WHERE sequence = NEW.archived_sequence AND hash = NEW.archived_hash)
      AND NOT EXISTS (SELECT FROM public.audit_entry
        WHERE sequence > OLD.archived_sequence AND sequence <= NEW.archived_sequence
          AND recorded_at >= (now() AT TIME ZONE interval '0' - interval '5 years') AT TIME ZONE interval '0');
  END IF;
  IF is_kept THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the audit chain only grows: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_chain_guard BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION keep_audit_chain();
CREATE OR REPLACE TRIGGER audit_chain_guard_all BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_chain();

DROP FUNCTION audit_entry_guard;
DROP FUNCTION audit_chain_guard;

-- Down Migration

CREATE FUNCTION audit_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sequence IS NULL THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD.sequence IS NULL AND NEW.sequence IS NOT NULL
      AND to_jsonb(NEW) - 'sequence' - 'hash' = to_jsonb(OLD) - 'sequence' - 'hash' THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.sequence <= (SELECT archived_sequence FROM audit_chain)
      AND OLD.recorded_at < now() - interval '5 years' THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are not changed: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_entry_guard BEFORE INSERT OR UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION audit_entry_guard();
CREATE OR REPLACE TRIGGER audit_entry_guard_all BEFORE TRUNCATE ON audit_entry
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

CREATE OR REPLACE TRIGGER audit_chain_guard BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION audit_chain_guard();
CREATE OR REPLACE TRIGGER audit_chain_guard_all BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION audit_chain_guard();

DROP TRIGGER audit_entry_head ON audit_entry;
DROP FUNCTION require_audit_head;
DROP FUNCTION keep_audit_chain;
DROP FUNCTION keep_audit_entry;
DROP FUNCTION last_audit_id;
