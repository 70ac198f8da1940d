/**
 * The routes of the mutual-TLS listener: every resource of COBS 2.0 chapter 3. Each call is admitted first and read
 * afterwards, so that a caller who may not call learns nothing about what it asked for.
 */
import type { Clock, Route } from "@cobs/service-edge";
import type { HistoryParts } from "../accounts/list-transactions.ts";
import { admitForPsu, admitTpp } from "../admission/admit-call.ts";
import type { BalanceCheckRouteParts } from "../balance-check/open-balance-checks.ts";
import { accountList } from "./account-list.ts";
import { balance } from "./balance.ts";
import { cardBalanceCheck, paymentBalanceCheck } from "./balance-check.ts";
import { ORDER_RESOURCES } from "./cobs-resources.ts";
import { notOfferedRoute, offeredRoute, type ResourceRouteParts } from "./offered-route.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { withPrintedPaths } from "./payment-paths.ts";
import { createPaymentRoutes } from "./payment-routes.ts";
import { transactionList } from "./transaction-list.ts";

/** Dependencies of the routes for TPPs. */
export interface TppRouteParts extends HistoryParts, ResourceRouteParts {
  /** Undefined if neither payments nor balance checks are offered. */
  readonly orders: OrderParts | undefined;
  readonly clock: Clock;
}

/** Dependencies of the routes of payments and balance checks. */
export interface OrderParts {
  readonly payments: PaymentParts;
  readonly balanceChecks: BalanceCheckRouteParts;
}

/** Creates the routes for TPPs. */
export function createTppRoutes(parts: TppRouteParts): readonly Route[] {
  return [
    offeredRoute(admitForPsu, accountList(parts.bank), parts),
    offeredRoute(admitForPsu, balance(parts), parts),
    offeredRoute(admitForPsu, transactionList(parts), parts),
    ...orderRoutes(parts.orders, parts).flatMap(withPrintedPaths),
  ];
}

function orderRoutes(orders: OrderParts | undefined, parts: TppRouteParts): readonly Route[] {
  if (orders === undefined)
    return ORDER_RESOURCES.map((resource) => notOfferedRoute(resource, parts.admission));
  return [
    ...createPaymentRoutes(orders.payments, parts),
    offeredRoute(admitForPsu, paymentBalanceCheck(orders.balanceChecks), parts),
    offeredRoute(admitTpp, cardBalanceCheck(orders.balanceChecks), parts),
  ];
}
