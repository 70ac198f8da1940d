-- By its mark a reader's cursor is known as one of this very feed: a database that came back without its last changes
-- gives the same positions to other events. Processes of the version before leave the mark to the default.

-- Up Migration

ALTER TABLE feed_event ADD COLUMN mark uuid NOT NULL DEFAULT gen_random_uuid();

-- Down Migration

ALTER TABLE feed_event DROP COLUMN mark;
