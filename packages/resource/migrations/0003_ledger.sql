-- What balances and histories need beyond 0001: further currencies of an account, items that are not booked yet, and the
-- balance after each entry, so that the balance at any moment is one probe of an index. It goes forward only: what older
-- sandboxes hold is converted, and what it was made from is not kept.

-- Up Migration

-- In which accounts of the ledger a payment account keeps its currencies; position 0 is its main currency, kept under
-- the account's own id.
CREATE TABLE sandbox_account_ledger (
  account_id text COLLATE "C" NOT NULL REFERENCES sandbox_account,
  currency text COLLATE "C" NOT NULL,
  ledger_id text COLLATE "C" NOT NULL REFERENCES sandbox_ledger,
  position int NOT NULL CHECK (position >= 0),
  PRIMARY KEY (account_id, currency),
  UNIQUE (account_id, position),
  CHECK ((position = 0) = (ledger_id = account_id))
);

INSERT INTO sandbox_account_ledger (account_id, currency, ledger_id, position)
  SELECT account_id, currency, account_id, 0 FROM sandbox_account;

-- Blocked or announced, and not booked yet: few for each account of the ledger, and without a number, because they go.
CREATE TABLE sandbox_pending (
  ledger_id text COLLATE "C" NOT NULL REFERENCES sandbox_ledger,
  pending_id text COLLATE "C" NOT NULL,
  blocked_at timestamptz NOT NULL,
  value_date date NOT NULL,
  -- Minor units of the ledger's currency; what will be debited is below zero, and not available any more.
  amount bigint NOT NULL CHECK (amount <> 0),
  currency text COLLATE "C" NOT NULL,
  transaction_code text COLLATE "C" NOT NULL CHECK (transaction_code ~ '^[0-9]{11}$'),
  details jsonb,
  PRIMARY KEY (ledger_id, pending_id)
);

CREATE INDEX sandbox_pending_blocked_at ON sandbox_pending (ledger_id, blocked_at, pending_id) INCLUDE (amount);

ALTER TABLE sandbox_entry
  ADD COLUMN balance_after bigint,
  ADD COLUMN is_reversal boolean NOT NULL DEFAULT false,
  ALTER COLUMN details DROP NOT NULL;

-- Details now have the names and levels of COBS 3.1.5.1. What the kind of transaction must name, and was not told, is
-- written as NOTPROVIDED.
CREATE FUNCTION sandbox_related_account(party jsonb, is_payment boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('identification', CASE
      WHEN party ? 'iban' THEN jsonb_build_object('iban', party->'iban')
      ELSE '{"other": {"identification": "NOTPROVIDED"}}'
    END)
  WHERE is_payment OR party ? 'iban'
$$;

CREATE FUNCTION sandbox_related_agent(party jsonb, is_payment boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('financialInstitutionIdentification', CASE
      WHEN party ? 'bic' THEN jsonb_build_object('bic', party->'bic')
      ELSE jsonb_build_object('other',
        jsonb_build_object('identification', coalesce(party->>'bankCode', 'NOTPROVIDED')))
    END)
  WHERE is_payment OR party ?| '{bic,bankCode}'
$$;

CREATE FUNCTION sandbox_object(content jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(jsonb_strip_nulls(content), '{}')
$$;

UPDATE sandbox_entry AS entry
  SET balance_after = converted.balance_after, details = converted.details
  FROM (
    SELECT account_id, seq,
      sum(amount) OVER (PARTITION BY account_id ORDER BY seq) AS balance_after,
      sandbox_object(jsonb_build_object(
        'references', sandbox_object(jsonb_build_object(
          'endToEndIdentification', details->'endToEndId',
          'chequeNumber', details->'maskedCard')),
        'relatedParties', sandbox_object(jsonb_build_object(
          'debtor', sandbox_object(jsonb_build_object('name', details #> '{debtor,name}')),
          'debtorAccount', sandbox_related_account(details->'debtor', is_payment),
          'creditor', sandbox_object(jsonb_build_object(
            'name', coalesce(details #> '{creditor,name}', details->'place'))),
          'creditorAccount', sandbox_related_account(details->'creditor', is_payment))),
        'relatedAgents', sandbox_object(jsonb_build_object(
          'debtorAgent', sandbox_related_agent(details->'debtor', is_payment),
          'creditorAgent', sandbox_related_agent(details->'creditor', is_payment))),
        'remittanceInformation', sandbox_object(jsonb_build_object(
          'unstructured', details->'message',
          'structured', CASE WHEN cardinality(symbols) > 0 THEN jsonb_build_object(
            'creditorReferenceInformation', jsonb_build_object('reference', symbols)) END))
      )) AS details
    FROM sandbox_entry
    CROSS JOIN LATERAL (
      SELECT transaction_code LIKE '1%' AND details ?| '{debtor,creditor}' AS is_payment,
        array_remove(ARRAY['VS:' || (details->>'variableSymbol'), 'KS:' || (details->>'constantSymbol'),
          'SS:' || (details->>'specificSymbol')], NULL) AS symbols
    ) AS told
  ) AS converted
  WHERE converted.account_id = entry.account_id AND converted.seq = entry.seq;

DROP FUNCTION sandbox_related_account, sandbox_related_agent, sandbox_object;

ALTER TABLE sandbox_entry ALTER COLUMN balance_after SET NOT NULL;
