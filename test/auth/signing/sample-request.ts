import { parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { createApplicationId } from "../../../packages/auth/src/applications/client-secret.ts";
import { parseOrder } from "../../../packages/auth/src/signing/order.ts";
import type { WaitingSigningRequest } from "../../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../../packages/auth/src/signing/signing-request-id.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "./sample-orders.ts";

/** When {@link WAITING_REQUEST} was made. */
export const NOW = new Date("2027-03-01T10:00:00Z");

/** An order that waits for its PSU, who has not been identified yet. */
export const WAITING_REQUEST: WaitingSigningRequest = {
  id: createSigningRequestId(),
  paymentId: "P-1",
  signId: "S-1",
  psu: parsePsuId("psu-jana"),
  organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
  applicationId: createApplicationId(),
  certificates: [],
  returnUrl: "https://tpp.example/callback",
  order: parseOrder(canonicalOrder(DOMESTIC_ORDER)),
  createdAt: NOW,
  expiresAt: new Date(NOW.getTime() + 60_000),
  state: "waiting",
  code: undefined,
  codesMade: 0,
  tries: 0,
};
