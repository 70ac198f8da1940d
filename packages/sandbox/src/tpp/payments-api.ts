import type { AmountDocument } from "@cobs/cobs-model";
import { isJsonObject } from "@cobs/service-edge/json";
import { type ApiAccess, callResource, type ResourceCall } from "./call-resource.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** A payment as the API tells it (COBS 3.2.4.2), as far as the command line looks at it. */
export interface ToldPayment {
  readonly transactionIdentification: string;
  readonly serviceLevel: { readonly code: string };
  readonly instructionStatus: string;
  /** Why the day is another one than was asked for. */
  readonly statusChangeInfo?: string;
  readonly requestedExecutionDate?: string;
  readonly amount: { readonly instructedAmount: AmountDocument };
  readonly signInfo: { readonly state: string; readonly signId?: string };
}

/** An authorization of a payment. */
export interface SigningIds {
  readonly paymentId: string;
  readonly signId: string;
}

/** How far an authorization is; `pollInterval`, in milliseconds, says when to ask again. */
export interface SigningOutcome {
  readonly state: string;
  readonly pollInterval?: number;
}

/** The answer to a balance check (COBS 3.2.3). */
export interface BalanceCheckAnswer {
  readonly response: string;
}

/** The resources of payments (COBS 3.2.3 to 3.2.11). All refuse with `refused`, in the server's words. */
export interface PaymentsApi {
  initiate(body: string): Promise<ToldPayment>;
  read(paymentId: string): Promise<ToldPayment>;
  /** The status alone. */
  status(paymentId: string): Promise<string>;
  /** Gives the authorization that is open, or opens another one. */
  openSigning(paymentId: string): Promise<SigningIds>;
  /** Gives where the PSU's browser goes; it comes back to `returnUrl`. */
  startSigning(signing: SigningIds, returnUrl: string): Promise<URL>;
  signingOutcome(signing: SigningIds): Promise<SigningOutcome>;
  checkBalance(body: string): Promise<BalanceCheckAnswer>;
}

const METHOD = "USERAGENT_REDIRECT";

/** Opens the resources of payments with a token. */
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
  throw new TppRefusal("refused", "the answer is no payment");
}

// What the command line prints of it; the server's own tests hold the rest of its shape.
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
