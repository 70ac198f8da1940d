import { createPrivateClient, type ServiceParts } from "@cobs/service-edge";
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
  { config, database, clock, log, lifecycle, outgoing, metrics }: UpstreamLoginOpening,
): PsuLogin {
  const client = createPrivateClient({
    service: UPSTREAM,
    base: settings.issuer,
    authority: settings.authorities,
    limitOctets: LIMIT_OCTETS,
  });
  lifecycle.onStop("client of the bank's login", () => client.close());
  const fetch = createUpstreamFetch(outgoing.ofClient(client, "login"));
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
