import type { SandboxBankContent } from "@cobs/resource";
import type { OpenedLedger } from "./open-accounts.ts";

type Traits = NonNullable<SandboxBankContent["traits"]>[number];

/** Table: accounts of the company that payments cannot be tried with, by their key. */
const NOT_FOR_PAYMENTS = "deposits";
const CLOSED = "shop USA";

/** In whose name accounts are, and which of them cannot pay; a closed one was closed on the day that the bank begins with. */
export function traitsOf(accounts: readonly OpenedLedger[], asOf: Date): readonly Traits[] {
  return accounts.map(({ account, key, party }) => ({
    account: account.id,
    holder: party.name,
    ...(key === CLOSED && { closedAt: asOf }),
    isPaymentAccount: key !== NOT_FOR_PAYMENTS,
  }));
}
