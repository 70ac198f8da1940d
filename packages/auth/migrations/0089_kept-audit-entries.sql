-- Whoever acts as a process could say that all was archived, and delete all. An entry goes when it is five years old, and not
-- before, whatever is said of the chain (PSD2 Article 21).

-- Up Migration

CREATE OR REPLACE FUNCTION audit_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Down Migration

CREATE OR REPLACE FUNCTION audit_entry_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
