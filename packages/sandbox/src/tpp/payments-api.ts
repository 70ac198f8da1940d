import type { AmountDocument } from "@cobs/cobs-model";
import { isJsonObject } from "@cobs/service-edge/json";
import { type ApiAccess, callResource, type ResourceCall } from "./call-resource.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** The members of an API payment (COBS 3.2.4.2) that the command line uses. */
export interface ToldPayment {
  readonly transactionIdentification: string;
  readonly serviceLevel: { readonly code: string };
  readonly instructionStatus: string;
  /** Why the day differs from the requested one. */
  readonly statusChangeInfo?: string;
  readonly requestedExecutionDate?: string;
  readonly amount: { readonly instructedAmount: AmountDocument };
  readonly signInfo: { readonly state: string; readonly signId?: string };
}

/** Ids of a payment's authorization. */
export interface SigningIds {
  readonly paymentId: string;
  readonly signId: string;
}

/** State of an authorization; `pollInterval`, in milliseconds, says when to ask again. */
export interface SigningOutcome {
  readonly state: string;
  readonly pollInterval?: number;
}

/** The answer to a balance check (COBS 3.2.3). */
export interface BalanceCheckAnswer {
  readonly response: string;
}

/** The payment resources (COBS 3.2.3 to 3.2.11). All refuse with `refused`, in the server's words. */
export interface PaymentsApi {
  initiate(body: string): Promise<ToldPayment>;
  read(paymentId: string): Promise<ToldPayment>;
  /** Reads only the status. */
  status(paymentId: string): Promise<string>;
  /** Gives the open authorization, or opens another one. */
  openSigning(paymentId: string): Promise<SigningIds>;
  /** Gives the URL to which the PSU's browser goes; it returns to `returnUrl`. */
  startSigning(signing: SigningIds, returnUrl: string): Promise<URL>;
  signingOutcome(signing: SigningIds): Promise<SigningOutcome>;
  checkBalance(body: string): Promise<BalanceCheckAnswer>;
}

const METHOD = "USERAGENT_REDIRECT";

/** Opens the payment resources with a token. */
export function openPaymentsApi(access: ApiAccess): PaymentsApi {
  const call = (path: string, sent: Pick<ResourceCall, "method" | "body"> = {}) =>
    callResource(access, { path, ...sent });
  return {
    initiate: async (body) => requirePayment(await call("/my/payments", { method: "POST", body })),
    read: async (id) => requirePayment(await call(pathOf(id))),
    status: async (id) =>
      requireText(await call(`/payments/${encodeURIComponent(id)}/status`), "instructionStatus"),
    openSigning: async (paymentId) => {
      const told = await call(`${pathOf(paymentId)}/sign`, { method: "POST" });
      return { paymentId, signId: requireText(memberOf(told, "signInfo"), "signId") };
    },
    startSigning: async (signing, redirectUrl) => {
      const body = JSON.stringify({ authorizationType: METHOD, redirectUrl });
      const told = await call(signingPathOf(signing), { method: "POST", body });
      return new URL(requireText(memberOf(told, "href"), "url"));
    },
    signingOutcome: async (signing) => {
      const body = JSON.stringify({ authorizationType: METHOD });
      const told = await call(signingPathOf(signing), { method: "PUT", body });
      const pollInterval = memberOf(told, "pollInterval");
      const state = requireText(told, "state");
      return typeof pollInterval === "number" ? { state, pollInterval } : { state };
    },
    checkBalance: async (body) => {
      const told = await call("/my/payments/balanceCheck", { method: "POST", body });
      return { ...Object(told), response: requireText(told, "response") };
    },
  };
}

function pathOf(paymentId: string): string {
  return `/my/payments/${encodeURIComponent(paymentId)}`;
}

function signingPathOf({ paymentId, signId }: SigningIds): string {
  return `${pathOf(paymentId)}/sign/${encodeURIComponent(signId)}`;
}

function requirePayment(told: unknown): ToldPayment {
  if (isPayment(told)) return told;
  throw new TppRefusal("refused", "the answer is not a payment");
}

// Only the members that the command line prints; the server's own tests check the rest.
function isPayment(told: unknown): told is ToldPayment {
  const members = ["transactionIdentification", "instructionStatus", "signInfo", "amount", "serviceLevel"];
  return members.every((name) => memberOf(told, name) !== undefined);
}

function requireText(told: unknown, name: string): string {
  const value = memberOf(told, name);
  if (typeof value === "string") return value;
  throw new TppRefusal("refused", `the answer has no ${name}`);
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
