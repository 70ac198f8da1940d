import type { Route } from "@cobs/service-edge";
import { admitForPsu, admitWithOptionalToken } from "../admission/admit-call.ts";
import { offeredRoute, type ResourceRouteParts } from "./offered-route.ts";
import { paymentDeletion } from "./payment-deletion.ts";
import { paymentDetail } from "./payment-detail.ts";
import { paymentEntry } from "./payment-entry.ts";
import type { PaymentParts } from "./payment-parts.ts";
import { paymentStatus } from "./payment-status.ts";
import { signingOpening } from "./signing-opening.ts";
import { signingOutcome } from "./signing-outcome.ts";
import { signingStart } from "./signing-start.ts";
import { signingState } from "./signing-state.ts";

/** Creates the routes of payments and of their authorizations (COBS 3.2.4 to 3.2.11). */
export function createPaymentRoutes(payments: PaymentParts, parts: ResourceRouteParts): readonly Route[] {
  return [
    offeredRoute(admitForPsu, paymentEntry(payments.entry), parts),
    offeredRoute(admitWithOptionalToken, paymentStatus(payments), parts),
    offeredRoute(admitForPsu, paymentDetail(payments), parts),
    offeredRoute(admitForPsu, paymentDeletion(payments), parts),
    offeredRoute(admitForPsu, signingOpening(payments), parts),
    offeredRoute(admitForPsu, signingState(payments), parts),
    offeredRoute(admitForPsu, signingStart(payments), parts),
    offeredRoute(admitForPsu, signingOutcome(payments), parts),
  ];
}
