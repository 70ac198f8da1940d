import type { SandboxBankContent } from "@cobs/resource";
import type { OpenedLedger } from "./open-accounts.ts";

type Traits = NonNullable<SandboxBankContent["traits"]>[number];

/** Table: keys of the company's accounts that cannot be used for payments. */
const NOT_FOR_PAYMENTS = "deposits";
const CLOSED = "shop USA";

/** The holders of accounts, and which accounts cannot pay; the closed one was closed on the first day of the history. */
export function traitsOf(accounts: readonly OpenedLedger[], asOf: Date): readonly Traits[] {
  return accounts.map(({ account, key, party }) => ({
    account: account.id,
    holder: party.name,
    ...(key === CLOSED && { closedAt: asOf }),
    isPaymentAccount: key !== NOT_FOR_PAYMENTS,
  }));
}
