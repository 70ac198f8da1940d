/** Table: the resources of COBS 2.0 chapter 3 and what each requires of its callers (COBS 1.3.1). */
import type { Method } from "@cobs/service-edge";
import type { AdmissionNeeds, OptionalPsuNeeds, PsuNeeds, TppNeeds } from "../admission/admission.ts";

/** A resource of the standard: its name in the table, its method and path, and who may call it. */
export interface CobsResource<Needs extends AdmissionNeeds = AdmissionNeeds> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly needs: Needs;
  /** Set if the standard lets it be called without `TPP-Name` (COBS 3.2.7, 3.3.3), whatever the bank requires elsewhere. */
  readonly needsNoTppName?: true;
}

const KNOWN = { revocation: "known" } as const;
const ACCOUNT_INFORMATION: PsuNeeds = { ...KNOWN, token: "required", role: "PSP_AI", scope: "aisp" };
const PAYMENT_INITIATION: PsuNeeds = { ...KNOWN, token: "required", role: "PSP_PI", scope: "pisp" };
/** Money moves, so the revocation status of the certificate must be known. */
const PAYMENT_ORDER: PsuNeeds = { ...PAYMENT_INITIATION, revocation: "certain" };
const STATUS_OF_PAYMENT: OptionalPsuNeeds = { ...KNOWN, token: "optional", role: "PSP_PI", scope: "pisp" };
const CARD_ISSUING: TppNeeds = { ...KNOWN, token: "none", role: "PSP_IC" };

const BASE = "/cobs/2.0";
const PAYMENT = `${BASE}/my/payments/:paymentId`;
const SIGNING = `${PAYMENT}/sign/:signId`;

/** The PSU's accounts (PDF 3.1.3). */
export const ACCOUNT_LIST: CobsResource<PsuNeeds> = {
  id: "R1",
  method: "GET",
  path: `${BASE}/my/accounts`,
  needs: ACCOUNT_INFORMATION,
};

/** The balances of an account (PDF 3.1.4). */
export const BALANCE: CobsResource<PsuNeeds> = {
  id: "R2",
  method: "GET",
  path: `${BASE}/my/accounts/:id/balance`,
  needs: ACCOUNT_INFORMATION,
};

/** The history of an account (PDF 3.1.5). */
export const TRANSACTION_LIST: CobsResource<PsuNeeds> = {
  id: "R3",
  method: "GET",
  path: `${BASE}/my/accounts/:id/transactions`,
  needs: ACCOUNT_INFORMATION,
};

/** Initiates a payment (PDF 3.2.4). */
export const PAYMENT_ENTRY: CobsResource<PsuNeeds> = {
  id: "R5",
  method: "POST",
  path: `${BASE}/my/payments`,
  needs: PAYMENT_ORDER,
};

/** The status of a payment (PDF 3.2.5, A-67). */
export const PAYMENT_STATUS: CobsResource<OptionalPsuNeeds> = {
  id: "R6",
  method: "GET",
  path: `${BASE}/payments/:paymentId/status`,
  needs: STATUS_OF_PAYMENT,
};

/** The whole payment (PDF 3.2.6). */
export const PAYMENT_DETAIL: CobsResource<PsuNeeds> = {
  id: "R7",
  method: "GET",
  path: PAYMENT,
  needs: PAYMENT_INITIATION,
};

/** Deletes a payment that nobody has approved (PDF 3.2.7). */
export const PAYMENT_DELETION: CobsResource<PsuNeeds> = {
  id: "R8",
  method: "DELETE",
  path: PAYMENT,
  needs: PAYMENT_INITIATION,
  needsNoTppName: true,
};

/** Opens an authorization of a payment (PDF 3.2.8). */
export const SIGNING_OPENING: CobsResource<PsuNeeds> = {
  id: "R9",
  method: "POST",
  path: `${PAYMENT}/sign`,
  needs: PAYMENT_INITIATION,
};

/** The state of an authorization, and the ways to continue it (PDF 3.2.9). */
export const SIGNING_STATE: CobsResource<PsuNeeds> = {
  id: "R10",
  method: "GET",
  path: SIGNING,
  needs: PAYMENT_INITIATION,
};

/** Starts an authorization (PDF 3.2.10). */
export const SIGNING_START: CobsResource<PsuNeeds> = {
  id: "R11",
  method: "POST",
  path: SIGNING,
  needs: PAYMENT_ORDER,
};

/** Finishes an authorization, or gives its outcome (PDF 3.2.11). */
export const SIGNING_OUTCOME: CobsResource<PsuNeeds> = {
  id: "R12",
  method: "PUT",
  path: SIGNING,
  needs: PAYMENT_INITIATION,
};

/** Whether an amount is available, asked for a PSU who is about to pay (PDF 3.2.3). */
export const PAYMENT_BALANCE_CHECK: CobsResource<PsuNeeds> = {
  id: "R4",
  method: "POST",
  path: `${BASE}/my/payments/balanceCheck`,
  needs: PAYMENT_INITIATION,
};

/** Whether an amount is available, asked by a card issuer (PDF 3.3.3). */
export const CARD_BALANCE_CHECK: CobsResource<TppNeeds> = {
  id: "R13",
  method: "POST",
  path: `${BASE}/accounts/balanceCheck`,
  needs: CARD_ISSUING,
  needsNoTppName: true,
};

/** Resources that a bank may leave out (`PAYMENTS=off`). */
export const ORDER_RESOURCES: readonly CobsResource[] = [
  PAYMENT_ENTRY,
  PAYMENT_STATUS,
  PAYMENT_DETAIL,
  PAYMENT_DELETION,
  SIGNING_OPENING,
  SIGNING_STATE,
  SIGNING_START,
  SIGNING_OUTCOME,
  PAYMENT_BALANCE_CHECK,
  CARD_BALANCE_CHECK,
];
