import type { AccountId, Fault } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import { AVAILABLE } from "../lock-ledgers-postgres.ts";
import { FUNDS_FAULTS } from "../order-faults.ts";
import type { FundsAnswer, FundsQuestion } from "../orders.ts";
import { exchange } from "./exchange-rates.ts";
import { findAccountByIban } from "./find-accounts-postgres.ts";
import { chooseLedger } from "./sandbox-account.ts";

/** Implements {@link OrderBank.hasFunds}. The balance that is compared with the amount never leaves the database. */
export async function hasFunds(queries: Queries, question: FundsQuestion): Promise<FundsAnswer> {
  const { psu, accounts, iban, currency, amount } = question;
  const account = await findAccountByIban(queries, { iban, psu, accounts });
  if (account === undefined || account.isClosed) return refuse(FUNDS_FAULTS.AC02);
  if (!account.isPaymentAccount) return refuse(FUNDS_FAULTS.AC12);
  const ledger = chooseLedger(account, currency, amount);
  if (ledger === undefined) return refuse(FUNDS_FAULTS.AC09);
  const needed = exchange(amount, ledger.currency);
  if (needed === undefined) return refuse(FUNDS_FAULTS.AM11);
  const enough = await isAvailable(queries, ledger.id, needed.money.minor);
  return { known: true, account: account.id, enough };
}

function refuse(fault: Fault): FundsAnswer {
  return { known: false, fault };
}

async function isAvailable(queries: Queries, ledger: AccountId, minor: bigint): Promise<boolean> {
  const [row] = await queries.run<{ enough: boolean }>({ ...ENOUGH, values: [ledger, String(minor)] });
  return row?.enough === true;
}

/** Compares as `numeric`, because a question may have more digits than any account. */
const ENOUGH = {
  name: "sandbox-has-funds",
  text: `SELECT coalesce(${AVAILABLE} >= $2::numeric, false) AS enough`,
};
