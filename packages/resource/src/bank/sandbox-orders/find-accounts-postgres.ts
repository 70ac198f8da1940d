import { type AccountId, findCzechIbanParts, type Iban, type PsuId } from "@cobs/cobs-model";
import { gather, inPlaces, type PlacedRow, type Queries } from "@cobs/service-edge";
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

/** Finds an account of the PSU; undefined if the id is unknown or somebody else's. */
export async function findAccountOfPsu(
  queries: Queries,
  psu: PsuId,
  account: AccountId,
): Promise<SandboxAccount | undefined> {
  const [row] = await queries.run<AccountRow>({ ...BY_ID, values: [psu, account] });
  return readOne(row);
}

const BY_ID = {
  name: "sandbox-account-of-psu",
  text: `SELECT ${COLUMNS} FROM sandbox_account AS account JOIN sandbox_account_access USING (account_id)
    WHERE psu_id = $1 AND account_id = $2`,
};

/** Which account to find; without `psu` it may be anybody's. */
export type WantedAccount = {
  readonly iban: Iban;
  readonly psu?: PsuId | undefined;
  readonly accounts?: readonly AccountId[] | undefined;
};

/** Finds an account by its IBAN; a closed one only if no open one has that IBAN. */
export type FindAccount = (wanted: WantedAccount) => Promise<SandboxAccount | undefined>;

/**
 * Creates a {@link FindAccount} that runs outside transactions and looks up with one statement all accounts wanted at the same
 * moment.
 */
export function findAccountsIn(queries: Queries): FindAccount {
  return gather((wanted: readonly WantedAccount[]) => findAccountsByIban(queries, wanted));
}

/** Finds one account as {@link FindAccount} does. */
export async function findAccountByIban(
  queries: Queries,
  wanted: WantedAccount,
): Promise<SandboxAccount | undefined> {
  const [found] = await findAccountsByIban(queries, [wanted]);
  return found;
}

async function findAccountsByIban(
  queries: Queries,
  wanted: readonly WantedAccount[],
): Promise<readonly (SandboxAccount | undefined)[]> {
  const places = wanted.map(({ iban, psu, accounts }, index) => ({ place: index + 1, iban, psu, accounts }));
  const rows = await queries.run<AccountRow & PlacedRow>({ ...BY_IBAN, values: [JSON.stringify(places)] });
  return inPlaces(rows, wanted.length).map(readOne);
}

// Each is looked up on its own, so that every plan uses the index.
const BY_IBAN = {
  name: "sandbox-account-by-iban",
  text: `SELECT place, found.*
    FROM json_to_recordset($1::json) AS asked (place int, iban text, psu text, accounts text[])
    CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM sandbox_account AS account
      WHERE account.iban = asked.iban AND (accounts IS NULL OR account_id = ANY (accounts))
        AND (psu IS NULL OR EXISTS (SELECT FROM sandbox_account_access AS access
          WHERE access.account_id = account.account_id AND psu_id = psu))
      ORDER BY closed_at IS NOT NULL, account_id LIMIT 1) AS found`,
};

/** Whether an IBAN belongs to this bank, even if no account has it. */
export function isOfThisBank(iban: Iban): boolean {
  return findCzechIbanParts(iban)?.bankCode === SANDBOX_TERMS.bankCode;
}

function readOne(row: AccountRow | undefined): SandboxAccount | undefined {
  if (row === undefined) return undefined;
  const { account_id: id, iban, bic, bank_code: bankCode, holder, ledgers } = row;
  const { is_closed: isClosed, is_payment_account: isPaymentAccount } = row;
  return { id, iban, bic, bankCode, holder, ledgers: ledgers ?? [], isClosed, isPaymentAccount };
}
