-- What is over is forgotten after years: by when it was over, some rows at a time.

-- Up Migration

CREATE INDEX consent_by_end ON consent (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX card_consent_by_end ON card_consent (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX signing_request_by_decision ON signing_request (decided_at) WHERE state <> 'waiting';
-- An application is forgotten after everything that it has left.
CREATE INDEX signing_request_of_application ON signing_request (application_id);
CREATE INDEX application_by_deletion ON application (deleted_at) WHERE deleted_at IS NOT NULL;

-- Down Migration

DROP INDEX application_by_deletion, signing_request_of_application, signing_request_by_decision, card_consent_by_end,
  consent_by_end;
