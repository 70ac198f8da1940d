-- Orders that nobody may approve any more, because what they hang on has ended before their PSU has decided.

-- Up Migration

-- Why it was cancelled, where it was not taken back by whoever sent it. Of the size of a word, and null for all that there are.
ALTER TABLE signing_request ADD COLUMN cancelled_because text COLLATE "C"
  CHECK (cancelled_because = 'consent_ended');

-- For the end of a consent: what waits of one application and one PSU. The same rows, few at a time, serve a whole
-- application, a PSU and a TPP.
CREATE INDEX signing_request_waiting_of ON signing_request (application_id, psu_id) WHERE state = 'waiting';

-- Down Migration

DROP INDEX signing_request_waiting_of;
ALTER TABLE signing_request DROP COLUMN cancelled_because;
