import { type ServiceParts, startForgetting, trustingDatabaseClock } from "@cobs/service-edge";
import type { Bank } from "../bank/bank.ts";
import type { OrderBank } from "../bank/orders.ts";
import type { CardConsents } from "../card-consent/card-consent.ts";
import { cardConsentsAtAuth } from "../card-consent/card-consents-at-auth.ts";
import {
  type RememberingCardConsentParts,
  rememberCardConsents,
} from "../card-consent/remember-card-consents.ts";
import { createBalanceCheckStore } from "./balance-check-store-postgres.ts";
import { type BalanceCheckParts, balanceCheckLimits } from "./check-balance.ts";

/** Dependencies of both resources. */
export interface BalanceCheckRouteParts extends BalanceCheckParts {
  readonly accounts: Pick<Bank, "accountsOf">;
  readonly cardConsents: CardConsents;
}

/** The parts of the bank that answer: who keeps the accounts, and who knows their funds. */
export interface CheckedBank {
  readonly accounts: Pick<Bank, "accountsOf">;
  readonly orders: Pick<OrderBank, "hasFunds">;
}

/** The amounts that a TPP may ask about per hour, and how consents to card issuers are remembered. */
type OpeningBalanceChecks = Omit<RememberingCardConsentParts, "clock" | "countCache"> & {
  readonly amountsPerHour: number;
};

/** Opens the balance checks of a process. */
export function openBalanceChecks(
  { accounts, orders }: CheckedBank,
  { database, peer, clock, countCache }: ServiceParts,
  { amountsPerHour, ...remembering }: OpeningBalanceChecks,
): BalanceCheckRouteParts {
  const store = createBalanceCheckStore(database);
  const cardConsents = rememberCardConsents(cardConsentsAtAuth(peer), { ...remembering, clock, countCache });
  const limits = balanceCheckLimits(amountsPerHour);
  return { bank: orders, store, limits, accounts, cardConsents };
}

/** Deletes balance checks older than `keptDays`, until the lifecycle stops it. */
export function startForgettingBalanceChecks(
  { database, log, lifecycle, clock, countJob }: ServiceParts,
  keptDays: number,
): void {
  const store = createBalanceCheckStore(database);
  const again = trustingDatabaseClock({ database, clock }, countJob("balance_checks_forgetting"));
  const failure = "old balance checks could not be deleted";
  const forgetting = startForgetting((batch) => store.forgetOld(batch, keptDays), { log, failure, again });
  lifecycle.onStop("deletion of old balance checks", forgetting.stop);
}
