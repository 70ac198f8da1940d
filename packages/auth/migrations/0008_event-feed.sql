-- What has ended, in the order of the commits: a transaction that ends something takes its positions from `feed_head` as
-- its last statement, and so holds that row until it is committed.

-- Up Migration

CREATE TABLE feed_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- The position of the newest event; 0 before the first.
  pos bigint NOT NULL CHECK (pos >= 0)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

INSERT INTO feed_head (pos) VALUES (0);

CREATE TABLE feed_event (
  pos bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  -- What has ended, as its kind names it; nothing that anybody could present.
  key text COLLATE "C" NOT NULL,
  appended_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Down Migration

DROP TABLE feed_event;
DROP TABLE feed_head;
