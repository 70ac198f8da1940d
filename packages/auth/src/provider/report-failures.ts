import type { EventEmitter } from "node:events";
import { hasCallerGone, isDatabaseUnavailable, type Log } from "@cobs/service-edge";
import type Provider from "oidc-provider";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import { UNSUPPORTED_PARAMETERS, UNSUPPORTED_WHEN_PUSHED } from "./authorization-refusal.ts";
import { BASIC_CHALLENGE, NOT_BELIEVED } from "./client-refusal.ts";
import type { HandedOverRequests } from "./provider-caller.ts";
import { PushedRequestsFull } from "./pushed-request-adapter.ts";
import { isPageRoute } from "./render-error.ts";
import { describeUnfit, UnfitAssertion } from "./require-assertion.ts";

const RETRY_AFTER_SECONDS = "3";
/** The same for every reason, so that an attacker who tries codes learns nothing (RFC 6749 5.2). */
const GRANT_REFUSED =
  "the code or refresh token is unknown, used, expired or issued to another application, or its consent has ended;" +
  " or redirect_uri or code_verifier does not match the authorization request";

type Asked = Pick<KoaContextWithOIDC["oidc"], "params" | "provider">;
type AnyContext = Pick<KoaContextWithOIDC, "req" | "status" | "body" | "set">;

/**
 * Logs what the provider refuses, in the call's log line, and what it fails at, with the reason that the caller does
 * not learn; answers failures in our words. The provider's events are synchronous; a listener here never throws.
 */
export function reportFailures(provider: Provider, requests: HandedOverRequests, log: Log): void {
  const refused = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const application = ctx.oidc.client?.clientId;
    const detail = error.error_detail ?? error.error_description;
    const { limit } = error instanceof PushedRequestsFull ? error : { limit: undefined };
    const refusal = limit === undefined ? error.message : "rate_limited";
    requests.of(ctx.req).note({ application, refusal, limit, detail });
  };
  const failed = (ctx: AnyContext, error: unknown, isPage: boolean) => {
    const { requestId } = requests.of(ctx.req);
    const unavailable = isDatabaseUnavailable(error);
    log[unavailable ? "warn" : "error"]({ requestId, error }, "the OAuth provider failed");
    if (!isPage) presentFailure(ctx, unavailable, requestId);
  };
  provider.on("authorization.error", refused);
  const refusedTpp = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    refused(ctx, error);
    const description = describeRefused(error, ctx.oidc);
    if (description !== undefined) ctx.body = { error: error.error, error_description: description };
    // The provider's own has another realm, and clients would see two protection spaces (RFC 9110 11.5).
    if (ctx.response.get("WWW-Authenticate")) ctx.set("WWW-Authenticate", BASIC_CHALLENGE);
  };
  provider.on("grant.error", refusedTpp);
  provider.on("pushed_authorization_request.error", refusedTpp);
  provider.on("revocation.error", refusedTpp);
  provider.on("introspection.error", refused);
  provider.on("server_error", (ctx, error) => failed(ctx, error, isPageRoute(ctx)));
  // Without a listener, Koa writes a stack trace to standard error, past the log and its limits.
  const answers: EventEmitter = provider;
  answers.on("error", (error: NodeJS.ErrnoException) => {
    if (!hasCallerGone(error)) log.error({ error }, "a response of the OAuth provider failed");
  });
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      // An HTML answer here means that the session could not be stored: the provider tries that once more.
      failed(ctx, error, ctx.type === "text/html");
    }
    describeSentBack(ctx);
    // The provider opens its endpoints to pages of every origin; none has business here.
    ctx.remove("Access-Control-Allow-Origin");
    ctx.remove("Access-Control-Expose-Headers");
  });
}

/** Describes to the TPP what may be wrong; undefined leaves the provider's text. */
function describeRefused(error: errors.OIDCProviderError, asked: Asked): string | undefined {
  if (error instanceof errors.InvalidGrant) return GRANT_REFUSED;
  return error instanceof errors.InvalidClientAuth
    ? describeUnbelieved(error, asked)
    : UNSUPPORTED_WHEN_PUSHED[error.error];
}

function describeUnbelieved(error: errors.InvalidClientAuth, { params, provider }: Asked): string {
  const unfit =
    error instanceof UnfitAssertion
      ? error.error_detail
      : describeUnfit(params?.client_assertion, provider.issuer);
  return unfit === undefined ? NOT_BELIEVED : `client authentication failed: ${unfit}`;
}

/** Describes the error with which a browser is redirected, when the provider does not (RFC 6749 4.1.2.1). */
function describeSentBack({ response }: Pick<KoaContextWithOIDC, "response">): void {
  const address = response.get("Location");
  if (!address) return;
  const query = new URLSearchParams(address.slice(address.indexOf("?") + 1));
  const description = UNSUPPORTED_PARAMETERS[query.get("error") ?? ""];
  if (description === undefined) return;
  response.redirect(`${address}&error_description=${encodeURIComponent(description)}`);
}

function presentFailure(ctx: AnyContext, unavailable: boolean, requestId: string): void {
  ctx.status = unavailable ? 503 : 500;
  if (unavailable) ctx.set("Retry-After", RETRY_AFTER_SECONDS);
  const reason = unavailable ? "try again in a moment" : "the server failed";
  ctx.body = { error: "server_error", error_description: `${reason}; request ${requestId}` };
}
