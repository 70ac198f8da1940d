/**
 * What an authorization asks for is decided when it begins. Its application may replace its registration while it waits for the
 * PSU: what it has registered no longer could not be given, and is refused as at the beginning (RFC 6749 4.1.2.1).
 */
import type { Scope } from "@cobs/cobs-model";
import { errors, type InteractionResults, type KoaContextWithOIDC } from "oidc-provider";
import { registeredScopesOf } from "./application-client.ts";

/** The answer to a page that was not shown any more for this; what is registered by the time it is told does not matter. */
export function refusedFor(scopes: readonly Scope[]): InteractionResults {
  return { refusedScopes: scopes.join(" ") };
}

/** Whether an authorization was answered so. */
export function isRefusal(result: InteractionResults | undefined): boolean {
  return result?.refusedScopes !== undefined;
}

function findRefused({ client, params, result }: KoaContextWithOIDC["oidc"]): string {
  if (typeof result?.refusedScopes === "string") return result.refusedScopes;
  const registered: readonly string[] = client === undefined ? [] : registeredScopesOf(client);
  const asked = typeof params?.scope === "string" ? params.scope.split(" ") : [];
  return asked.filter((scope) => !registered.includes(scope)).join(" ");
}

/** Refuses with `invalid_scope` to go on with an authorization that was refused so, or asks for what is not registered any more. */
export function requireRegisteredScopes(oidc: KoaContextWithOIDC["oidc"]): void {
  const refused = findRefused(oidc);
  if (refused !== "")
    throw new errors.InvalidScope("a scope is not registered for this application any more", refused);
}
