import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { rolesAllow } from "../tpp/roles-allow.ts";
import { ownerOf, registeredScopesOf } from "./application-client.ts";
import type { AskingApplications } from "./asking-applications.ts";

type FindTpp = Pick<AskingApplications, "findTpp">;

async function allowedScopes(tpps: FindTpp, client: Client): Promise<readonly string[]> {
  const owner = ownerOf(client);
  const tpp = owner === undefined ? undefined : await tpps.findTpp(parseOrganisationIdentifier(owner));
  const roles = tpp?.roles ?? [];
  return registeredScopesOf(client).filter((scope) => rolesAllow(roles, scope));
}

function scopeAsSent({ query, oidc }: KoaContextWithOIDC): string | undefined {
  const scope = oidc.route === "pushed_authorization_request" ? oidc.body?.scope : query.scope;
  return typeof scope === "string" && scope !== "" ? scope : undefined;
}

const REFUSED =
  "a scope is unknown, not offered by this bank, not registered for this application, or not covered by the roles in the TPP's most recent certificate";

/** Names the refused scopes. There are none when none was asked for and the bank offers none of those registered. */
function refusalOf(scopes: readonly string[]): errors.OIDCProviderError {
  return scopes.length === 0
    ? new errors.CustomOIDCProviderError("invalid_scope", REFUSED)
    : new errors.InvalidScope(REFUSED, scopes.join(" "));
}

/**
 * Decides the scopes of an authorization request: those that it names, case-insensitively, or else all that the
 * application may have (COBS PDF 1.4.3). It may have those registered and offered whose role is in the last certificate of its TPP.
 * Refuses with `invalid_scope` where the provider would silently drop a scope. The provider has already dropped
 * `offline_access`; a request for that alone must not turn into one for everything.
 */
export async function decideScopes(
  tpps: FindTpp,
  ctx: KoaContextWithOIDC,
  left: string | undefined,
  client: Client,
): Promise<void> {
  const allowed = await allowedScopes(tpps, client);
  const requested = scopeAsSent(ctx) ?? left;
  const wanted = requested === undefined ? allowed : [...new Set(requested.toLowerCase().split(" "))];
  const refused =
    wanted.length === 0 ? registeredScopesOf(client) : wanted.filter((scope) => !allowed.includes(scope));
  if (refused.length > 0 || wanted.length === 0) {
    throw refusalOf(refused);
  }
  if (ctx.oidc.params === undefined) throw new TypeError("scopes are decided before the request was read");
  ctx.oidc.params.scope = wanted.join(" ");
}
