-- A consent whose time is over is an earlier one as well until that is written, and a newer one writes it: otherwise there are
-- two when a clock that was ahead is set right. A process of the former release leaves that to the job, as before.

-- Up Migration

CREATE OR REPLACE FUNCTION hold_for_consent(
  psu_key bigint, to_application text, of_psu text, to_services text[], signed_in_at timestamptz
) RETURNS TABLE (next_version integer, has_earlier boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(psu_key);
  PERFORM FROM application WHERE id = to_application AND deleted_at IS NULL AND scopes @> to_services FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM psu_block WHERE psu_id = of_psu AND (released_at IS NULL OR released_at >= signed_in_at);
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY SELECT coalesce(max(version), 0) + 1, coalesce(bool_or(ended_at IS NULL), false)
    FROM consent WHERE application_id = to_application AND psu_id = of_psu;
END $$;

-- Down Migration

CREATE OR REPLACE FUNCTION hold_for_consent(
  psu_key bigint, to_application text, of_psu text, to_services text[], signed_in_at timestamptz
) RETURNS TABLE (next_version integer, has_earlier boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(psu_key);
  PERFORM FROM application WHERE id = to_application AND deleted_at IS NULL AND scopes @> to_services FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM psu_block WHERE psu_id = of_psu AND (released_at IS NULL OR released_at >= signed_in_at);
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY SELECT coalesce(max(version), 0) + 1,
      coalesce(bool_or(ended_at IS NULL AND valid_until > now()), false)
    FROM consent WHERE application_id = to_application AND psu_id = of_psu;
END $$;
