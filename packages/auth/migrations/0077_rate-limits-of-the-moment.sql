-- A call that waited for a row judges it by the moment at which it has it, not by its own beginning: the bucket may have begun to
-- fill since, and would seem to have less room than it has.

-- Up Migration

CREATE FUNCTION rate_limit_moment() RETURNS timestamptz LANGUAGE sql VOLATILE
  AS 'SELECT now() + (clock_timestamp() - transaction_timestamp())';

CREATE OR REPLACE FUNCTION pour_rate_limits(buckets bytea[], measures bigint[])
RETURNS TABLE (full_bucket bytea, over_milliseconds double precision) LANGUAGE plpgsql AS $$
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
END $$;

-- Down Migration

CREATE OR REPLACE FUNCTION pour_rate_limits(buckets bytea[], measures bigint[])
RETURNS TABLE (full_bucket bytea, over_milliseconds double precision) LANGUAGE plpgsql AS $$
DECLARE
  with_room bytea[];
BEGIN
  -- What is full stays so until its time. Each bucket is looked up by itself, so that a plan that was made while the table
  -- was small goes by the index when it has grown.
  RETURN QUERY
    SELECT seen.bucket, (extract(epoch FROM seen.over) * 1000)::double precision
    FROM (
      SELECT given.bucket,
        greatest(held.empty_at, now()) + given.measure * interval '1 microsecond' - now() - interval '1 minute' AS over
      FROM unnest(buckets, measures) AS given (bucket, measure)
      LEFT JOIN LATERAL (
        SELECT empty_at FROM rate_limit WHERE rate_limit.bucket = given.bucket LIMIT 1) AS held ON true) AS seen
    WHERE seen.over > interval '0';
  IF FOUND THEN RETURN; END IF;

  -- Each row decides again when it is locked: what came in between counts. Rows are locked in one order, so that two calls
  -- never wait for each other.
  WITH poured AS (
    INSERT INTO rate_limit AS held (bucket, empty_at)
    SELECT given.bucket, now() + given.measure * interval '1 microsecond'
    FROM unnest(buckets, measures) AS given (bucket, measure) ORDER BY given.bucket
    ON CONFLICT (bucket) DO UPDATE SET empty_at = greatest(held.empty_at, now()) + (excluded.empty_at - now())
    WHERE greatest(held.empty_at, now()) + (excluded.empty_at - now()) <= now() + interval '1 minute'
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
END $$;

DROP FUNCTION rate_limit_moment();
