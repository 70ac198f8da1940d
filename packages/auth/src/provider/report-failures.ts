import type { EventEmitter } from "node:events";
import { isDatabaseUnavailable, type Log } from "@cobs/service-edge";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { HandedOverRequests } from "./provider-caller.ts";
import { isPageRoute } from "./render-error.ts";

const RETRY_AFTER_SECONDS = "3";

function presentFailure(ctx: KoaContextWithOIDC, unavailable: boolean, requestId: string): void {
  if (unavailable) {
    ctx.status = 503;
    ctx.set("Retry-After", RETRY_AFTER_SECONDS);
  }
  if (isPageRoute(ctx)) return;
  const reason = unavailable ? "try again in a moment" : "the server failed";
  ctx.body = { error: "server_error", error_description: `${reason}; request ${requestId}` };
}

/**
 * Writes what the provider refuses or fails at to our log, with the reason that the caller does not learn, and answers
 * failures in our words. The provider's events are synchronous; a listener here never throws.
 */
export function reportFailures(provider: Provider, requests: HandedOverRequests, log: Log): void {
  const refused = (ctx: KoaContextWithOIDC, error: Error & { error_detail?: string | undefined }) => {
    const { requestId } = requests.of(ctx.req);
    const facts = { requestId, route: ctx.oidc.route, application: ctx.oidc.client?.clientId };
    log.info(
      { ...facts, refusal: error.message, detail: error.error_detail },
      "refused by the OAuth provider",
    );
  };
  provider.on("authorization.error", refused);
  provider.on("grant.error", refused);
  provider.on("revocation.error", refused);
  provider.on("introspection.error", refused);
  provider.on("server_error", (ctx, error) => {
    const { requestId } = requests.of(ctx.req);
    const unavailable = isDatabaseUnavailable(error);
    log[unavailable ? "warn" : "error"]({ requestId, error }, "the OAuth provider failed");
    presentFailure(ctx, unavailable, requestId);
  });
  const failedOutside: EventEmitter = provider;
  failedOutside.on("error", (error: unknown) => log.error({ error }, "the OAuth provider failed"));
}
