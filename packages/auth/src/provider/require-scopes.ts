/**
 * The scopes of an authorization are decided when it begins. The application may remove some from its registration
 * while the authorization waits for the PSU, and the bank stop offering payments: these scopes cannot be granted, and are
 * refused as at the beginning (RFC 6749 4.1.2.1).
 */
import type { Scope } from "@cobs/cobs-model";
import { errors, type InteractionResults, type KoaContextWithOIDC } from "oidc-provider";
import { registeredScopesOf } from "./application-client.ts";

/**
 * Makes the result of an authorization refused for these scopes, in place of a page. It stays, even if they are
 * registered again by the time it is delivered.
 */
export function refusedFor(scopes: readonly Scope[]): InteractionResults {
  return { refusedScopes: scopes.join(" ") };
}

/** Whether a result is a refusal for scopes. */
export function isRefusal(result: InteractionResults | undefined): boolean {
  return result?.refusedScopes !== undefined;
}

function findRefused({ client, params, result }: KoaContextWithOIDC["oidc"]): string {
  if (typeof result?.refusedScopes === "string") return result.refusedScopes;
  const registered: readonly string[] = client === undefined ? [] : registeredScopesOf(client);
  const asked = typeof params?.scope === "string" ? params.scope.split(" ") : [];
  return asked.filter((scope) => !registered.includes(scope)).join(" ");
}

/** Refuses with `invalid_scope` an authorization that was refused for scopes, or requests scopes no longer registered or offered. */
export function requireRegisteredScopes(oidc: KoaContextWithOIDC["oidc"]): void {
  const refused = findRefused(oidc);
  if (refused !== "")
    throw new errors.InvalidScope(
      "a scope is no longer registered for this application, or no longer offered by this bank",
      refused,
    );
}
