import { type AccountId, findCzechIbanParts, type Iban, type PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { SandboxAccount, SandboxLedger } from "./sandbox-account.ts";
import { SANDBOX_TERMS } from "./sandbox-terms.ts";

type AccountRow = {
  readonly account_id: AccountId;
  readonly iban: string;
  readonly bic: string;
  readonly bank_code: string;
  readonly holder: string | null;
  readonly is_closed: boolean;
  readonly is_payment_account: boolean;
  readonly ledgers: readonly SandboxLedger[];
};

const COLUMNS = `account_id, iban, bic, bank_code, holder, closed_at IS NOT NULL AS is_closed, is_payment_account,
    (SELECT json_agg(json_build_object('id', ledger_id, 'currency', currency) ORDER BY position)
      FROM sandbox_account_ledger AS kept WHERE kept.account_id = account.account_id) AS ledgers`;

/** An account that the PSU has; undefined where the id is unknown or another's. */
export async function findAccountOfPsu(
  queries: Queries,
  psu: PsuId,
  account: AccountId,
): Promise<SandboxAccount | undefined> {
  return readOne(await queries.run<AccountRow>({ ...BY_ID, values: [psu, account] }));
}

const BY_ID = {
  name: "sandbox-account-of-psu",
  text: `SELECT ${COLUMNS} FROM sandbox_account AS account JOIN sandbox_account_access USING (account_id)
    WHERE psu_id = $1 AND account_id = $2`,
};

/** Whose account is looked for; undefined is anybody's. */
export type WantedAccount = {
  readonly iban: Iban;
  readonly psu?: PsuId | undefined;
  readonly accounts?: readonly AccountId[] | undefined;
};

/** An account by its IBAN, a closed one only where no other has it. */
export async function findAccountByIban(
  queries: Queries,
  { iban, psu, accounts }: WantedAccount,
): Promise<SandboxAccount | undefined> {
  const values = [iban, psu ?? null, accounts ?? null];
  return readOne(await queries.run<AccountRow>({ ...BY_IBAN, values }));
}

const BY_IBAN = {
  name: "sandbox-account-by-iban",
  text: `SELECT ${COLUMNS} FROM sandbox_account AS account
    WHERE iban = $1::text AND ($3::text[] IS NULL OR account_id = ANY ($3::text[]))
      AND ($2::text IS NULL OR EXISTS (SELECT FROM sandbox_account_access AS access
        WHERE access.account_id = account.account_id AND psu_id = $2::text))
    ORDER BY closed_at IS NOT NULL, account_id LIMIT 1`,
};

/** Whether an account is in this bank, if there is such a one. */
export function isOfThisBank(iban: Iban): boolean {
  return findCzechIbanParts(iban)?.bankCode === SANDBOX_TERMS.bankCode;
}

function readOne([row]: readonly AccountRow[]): SandboxAccount | undefined {
  if (row === undefined) return undefined;
  const { account_id: id, iban, bic, bank_code: bankCode, holder, ledgers } = row;
  return {
    ...{ id, iban, bic, bankCode, holder, ledgers: ledgers ?? [] },
    isClosed: row.is_closed,
    isPaymentAccount: row.is_payment_account,
  };
}
