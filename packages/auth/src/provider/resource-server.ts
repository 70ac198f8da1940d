import { type Client, errors, type ResourceServer } from "oidc-provider";
import { ownLifetimeOf, registeredScopesOf } from "./application-client.ts";

/** The one resource server of this bank, and how long its access tokens live. */
export interface ResourceServerTerms {
  /** Base URL of the API, the `aud` of every token. */
  readonly identifier: string;
  readonly accessTokenLifetimeSeconds: number;
  /** Only in the sandbox may an application have a lifetime of its own. */
  readonly honoursOwnLifetime: boolean;
}

/** What an application may get for the resource server: the scopes that it registered. Another resource is `invalid_target`. */
export function describeResourceServer(
  terms: ResourceServerTerms,
  indicator: string,
  client: Client,
): ResourceServer {
  if (indicator !== terms.identifier) throw new errors.InvalidTarget();
  const own = terms.honoursOwnLifetime ? ownLifetimeOf(client) : undefined;
  return {
    audience: terms.identifier,
    scope: registeredScopesOf(client).join(" "),
    accessTokenFormat: "opaque",
    accessTokenTTL: own ?? terms.accessTokenLifetimeSeconds,
  };
}
