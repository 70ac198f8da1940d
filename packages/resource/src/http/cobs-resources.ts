/** Table: the resources of COBS 2.0 chapter 3 with what each needs of its callers (COBS 2.11). */
import type { Method } from "@cobs/service-edge";
import type { AdmissionNeeds, OptionalPsuNeeds, PsuNeeds, TppNeeds } from "../admission/admission.ts";

/** A resource of the standard: its name in the table, its method and path, and who may call it. */
export interface CobsResource<Needs extends AdmissionNeeds = AdmissionNeeds> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly needs: Needs;
  /** The standard lets it be called without `TPP-Name` (COBS 1.7), whatever the bank wants elsewhere. */
  readonly needsNoTppName?: true;
}

const KNOWN = { revocation: "known" } as const;
const ACCOUNT_INFORMATION: PsuNeeds = { ...KNOWN, token: "required", role: "PSP_AI", scope: "aisp" };
const PAYMENT_INITIATION: PsuNeeds = { ...KNOWN, token: "required", role: "PSP_PI", scope: "pisp" };
/** Money moves: a certificate of which nobody says whether it was revoked is not enough. */
const PAYMENT_ORDER: PsuNeeds = { ...PAYMENT_INITIATION, revocation: "certain" };
const PAYMENT_STATUS: OptionalPsuNeeds = { ...KNOWN, token: "optional", role: "PSP_PI", scope: "pisp" };
const BALANCE_CHECK: TppNeeds = { ...KNOWN, token: "none", role: "PSP_IC" };

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

/** Resources that are admitted and then answered with 501 NOT_IMPLEMENTED (PDF 1.2.10). */
export const NOT_OFFERED: readonly CobsResource[] = [
  { id: "R4", method: "POST", path: `${BASE}/my/payments/balanceCheck`, needs: PAYMENT_INITIATION },
  { id: "R5", method: "POST", path: `${BASE}/my/payments`, needs: PAYMENT_ORDER },
  { id: "R6", method: "GET", path: `${BASE}/payments/:paymentId/status`, needs: PAYMENT_STATUS },
  { id: "R7", method: "GET", path: PAYMENT, needs: PAYMENT_INITIATION },
  { id: "R8", method: "DELETE", path: PAYMENT, needs: PAYMENT_INITIATION },
  { id: "R9", method: "POST", path: `${PAYMENT}/sign`, needs: PAYMENT_INITIATION },
  { id: "R10", method: "GET", path: SIGNING, needs: PAYMENT_INITIATION },
  { id: "R11", method: "POST", path: SIGNING, needs: PAYMENT_ORDER },
  { id: "R12", method: "PUT", path: SIGNING, needs: PAYMENT_INITIATION },
  { id: "R13", method: "POST", path: `${BASE}/accounts/balanceCheck`, needs: BALANCE_CHECK },
];
