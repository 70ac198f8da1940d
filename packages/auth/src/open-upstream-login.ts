import { createPrivateClient, type ServiceParts } from "@cobs/service-edge";
import type { CustomFetch } from "openid-client";
import type { AuthConfiguration } from "./config.ts";
import { RETURN_PATH } from "./http/pages/return-routes.ts";
import type { PsuLogin } from "./psu/psu-login.ts";
import type { LoginMetrics } from "./psu/upstream/login-metrics.ts";
import { createUpstreamFetch } from "./psu/upstream/upstream-fetch.ts";
import { createUpstreamLogin } from "./psu/upstream/upstream-login.ts";
import { deriveAskingKey } from "./psu/upstream/upstream-memory.ts";
import { createUpstreamPeople } from "./psu/upstream/upstream-people-postgres.ts";
import { createUpstreamProvider, UPSTREAM } from "./psu/upstream/upstream-provider.ts";
import type { UpstreamSettings } from "./psu/upstream/upstream-settings.ts";

/** Longer than any metadata document, key set or ID token of the bank's provider. */
const LIMIT_OCTETS = 262_144;

/** What opening the login at the bank's provider needs. */
export interface UpstreamLoginOpening extends Omit<ServiceParts, "metrics"> {
  readonly config: Pick<AuthConfiguration, "issuer" | "sealingKey">;
  readonly metrics: LoginMetrics;
}

/** Opens the login at the bank's provider, which may be unreachable at this time. */
export function openUpstreamLogin(
  settings: UpstreamSettings,
  { config, database, clock, log, lifecycle, outgoing, tracing, metrics }: UpstreamLoginOpening,
): PsuLogin {
  const client = createPrivateClient({
    service: UPSTREAM,
    base: settings.issuer,
    authority: settings.authorities,
    limitOctets: LIMIT_OCTETS,
  });
  lifecycle.onStop("client of the bank's login", () => client.close());
  const fetch = traceFetch(createUpstreamFetch(outgoing.ofClient(client, "login")), tracing);
  return createUpstreamLogin({
    settings,
    clock,
    log,
    metrics,
    provider: createUpstreamProvider({ settings, fetch, clock, log }),
    people: createUpstreamPeople(database),
    redirectUri: new URL(RETURN_PATH, config.issuer).href,
    askingKey: deriveAskingKey(config.sealingKey),
  });
}

/** Makes each question a span of the call that waits for it. The provider is not told of the trace, which has a TPP's words. */
function traceFetch(fetch: CustomFetch, tracing: ServiceParts["tracing"]): CustomFetch {
  return (url, options) => {
    const { method } = options;
    const facts = { "http.request.method": method, "peer.service": "login" };
    return tracing.asking(`${method} login`, facts, () => fetch(url, options));
  };
}
