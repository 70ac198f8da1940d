import { decodeJwt, UnsecuredJWT } from "jose";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { RateLimitMetrics } from "../limits/rate-limit-metrics.ts";
import { beginningOf, isOutgrown } from "./begun-profile.ts";
import { endless } from "./endless.ts";
import type { PushedRequests } from "./pushed-requests.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** Longer than a call can take. */
const HANDLED_SECONDS = 60;

/** Refuses a pushed request because too many of the application wait (RFC 9126 2.3, 429). */
export class PushedRequestsFull extends errors.OIDCProviderError {
  readonly limit = "par_waiting";

  constructor() {
    super(429, "temporarily_unavailable");
    this.error_description =
      "this application has too many unused pushed requests: use them, or wait until they expire";
  }
}

/** What the adapter of pushed requests is made from. */
export interface PushedRequestParts {
  readonly pushedRequests: PushedRequests<AdapterPayload>;
  readonly countLimited: RateLimitMetrics["limited"];
}

function currentRequest() {
  const { ctx } = Provider;
  if (ctx === undefined) throw new TypeError("a pushed request is handled outside a request");
  return ctx;
}

/**
 * Presents a request that the store has just found, so alive, as one of this moment: the provider compares its times, and
 * those in the unsigned JWT that holds its parameters, with the clock of this process.
 */
function asOfNow(payload: AdapterPayload): AdapterPayload {
  const now = Math.floor(Date.now() / 1000);
  const jwt = new UnsecuredJWT(decodeJwt(payload.request ?? "")).setIssuedAt(now).setNotBefore(now);
  return { ...endless(payload), request: jwt.setExpirationTime(now + HANDLED_SECONDS).encode() };
}

/**
 * Makes the adapter of pushed requests. The provider looks one up by its reference when an authorization begins, and by
 * its name, kept with the interaction, when it ends. At the end it only marks the request as used, which is refused to
 * every authorization but the one that the PSU consented to.
 */
export function createPushedRequestAdapter({
  pushedRequests: requests,
  countLimited,
}: PushedRequestParts): Adapter {
  return {
    ...UNUSED_ADAPTER,
    async upsert(reference, { jti: _, ...payload }, lifetimeSeconds) {
      const ctx = currentRequest();
      const applicationId = ctx.oidc.client?.clientId;
      if (applicationId === undefined || lifetimeSeconds === undefined)
        throw new TypeError("a pushed request must have a client and a lifetime");
      const begun = { ...payload, ...beginningOf(ctx.oidc) };
      const pushed = await requests.push(reference, begun, { applicationId, lifetimeSeconds });
      if (pushed === "stored") return;
      ctx.set("Retry-After", String(Math.max(1, Math.ceil(pushed.waitMilliseconds / 1000))));
      countLimited("par_waiting");
      throw new PushedRequestsFull();
    },
    async find(id) {
      const { oidc } = currentRequest();
      if (oidc.route !== "authorization") return { jti: id, kind: "PushedAuthorizationRequest" };
      const found = await requests.find(id, String(oidc.params?.client_id));
      if (found === undefined || isOutgrown(found.payload, oidc.client)) return undefined;
      return { ...asOfNow(found.payload), jti: found.name };
    },
    async consume(name) {
      const { uid } = currentRequest().oidc.entities.Interaction ?? {};
      if (uid === undefined || !(await requests.use(name, uid)))
        throw new errors.InvalidRequestUri("request_uri was already used");
    },
  };
}
