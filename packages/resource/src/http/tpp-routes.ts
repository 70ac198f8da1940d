/**
 * What the mutual-TLS listener serves: every resource of COBS 2.0 chapter 3. Each call is admitted first and read
 * afterwards, so that a caller who may not call learns nothing about what it asked for.
 */
import type { Clock, Route } from "@cobs/service-edge";
import type { HistoryParts } from "../accounts/list-transactions.ts";
import { admitForPsu, admitTpp } from "../admission/admit-call.ts";
import type { BalanceCheckRouteParts } from "../balance-check/open-balance-checks.ts";
import { accountList } from "./account-list.ts";
import { balance } from "./balance.ts";
import { cardBalanceCheck, paymentBalanceCheck } from "./balance-check.ts";
import { BALANCE_CHECK_RESOURCES, PAYMENT_RESOURCES } from "./cobs-resources.ts";
import { notOfferedRoute, offeredRoute, type ResourceRouteParts } from "./offered-route.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { withPrintedPaths } from "./payment-paths.ts";
import { createPaymentRoutes } from "./payment-routes.ts";
import { transactionList } from "./transaction-list.ts";

/** What the routes for TPPs are made of. */
export interface TppRouteParts extends HistoryParts, ResourceRouteParts {
  /** Undefined where the bank takes no orders. */
  readonly payments: PaymentParts | undefined;
  /** Undefined where the bank does not tell whether an amount is available. */
  readonly balanceChecks: BalanceCheckRouteParts | undefined;
  readonly clock: Clock;
}

/** The routes for TPPs. */
export function createTppRoutes(parts: TppRouteParts): readonly Route[] {
  return [
    offeredRoute(admitForPsu, accountList(parts.bank), parts),
    offeredRoute(admitForPsu, balance(parts), parts),
    offeredRoute(admitForPsu, transactionList(parts), parts),
    ...[...paymentRoutes(parts), ...balanceCheckRoutes(parts)].flatMap(withPrintedPaths),
  ];
}

function paymentRoutes(parts: TppRouteParts): readonly Route[] {
  if (parts.payments !== undefined) return createPaymentRoutes(parts.payments, parts);
  return PAYMENT_RESOURCES.map((resource) => notOfferedRoute(resource, parts.admission));
}

function balanceCheckRoutes(parts: TppRouteParts): readonly Route[] {
  const { balanceChecks } = parts;
  if (balanceChecks === undefined)
    return BALANCE_CHECK_RESOURCES.map((resource) => notOfferedRoute(resource, parts.admission));
  return [
    offeredRoute(admitForPsu, paymentBalanceCheck(balanceChecks), parts),
    offeredRoute(admitTpp, cardBalanceCheck(balanceChecks), parts),
  ];
}
