import type { Scope } from "@cobs/cobs-model";
import {
  type AccessToken,
  type Client,
  type ClientCredentials,
  errors,
  type KoaContextWithOIDC,
  type ResourceServer,
} from "oidc-provider";
import { rolesAllow } from "../tpp/roles-allow.ts";
import { ownLifetimeOf, registeredScopesOf } from "./application-client.ts";
import type { ProviderCaller } from "./provider-caller.ts";

/** The one resource server of this bank, and how long its access tokens live. */
export interface ResourceServerTerms {
  /** Base URL of the API, the `aud` of every token. */
  readonly identifier: string;
  readonly accessTokenLifetimeSeconds: number;
  /** Whether an application may have its own lifetime; only in the sandbox. */
  readonly honoursOwnLifetime: boolean;
}

/** Who asks for the resource server: an application, and the certificate that its TPP presents with this call. */
export interface ResourceServerAsker {
  readonly client: Client;
  readonly caller: ProviderCaller;
}

type Asked = Pick<KoaContextWithOIDC["oidc"], "entities" | "params">;

/** For a browser, which presents no certificate, the scopes were decided before, by the TPP's last certificate. */
function scopesOf({ client, caller }: ResourceServerAsker): readonly Scope[] {
  const registered = registeredScopesOf(client);
  return caller.kind === "tpp" ? registered.filter((scope) => rolesAllow(caller.roles, scope)) : registered;
}

/**
 * What may be granted for the resource server: the registered scopes whose role the presented certificate carries
 * (RTS Article 34). Consent and grant keep their scopes: a role that comes back with the next certificate brings its
 * scope back. Refuses another resource with `invalid_target`.
 */
export function describeResourceServer(
  terms: ResourceServerTerms,
  indicator: string,
  asker: ResourceServerAsker,
): ResourceServer {
  if (indicator !== terms.identifier) throw new errors.InvalidTarget();
  const own = terms.honoursOwnLifetime ? ownLifetimeOf(asker.client) : undefined;
  return {
    audience: terms.identifier,
    scope: scopesOf(asker).join(" "),
    accessTokenFormat: "opaque",
    accessTokenTTL: own ?? terms.accessTokenLifetimeSeconds,
  };
}

/**
 * The one resource server that a token is for, which may be named more than once (RFC 8707 2.2). If another is named
 * too, returns all: the provider refuses several with `invalid_target`.
 */
export function oneResource(
  { identifier }: Pick<ResourceServerTerms, "identifier">,
  named: readonly string[] = [],
): string | string[] {
  return named.every((indicator) => indicator === identifier) ? identifier : [...named];
}

/** The scopes of a token request: those that it names, or else those of its code or refresh token. */
function scopesAskedFor({ params, entities }: Asked): string {
  const { scope } = params ?? {};
  if (typeof scope === "string") return scope;
  return entities.AuthorizationCode?.scope ?? entities.RefreshToken?.scope ?? "";
}

const OFFERS_NONE = "this bank offers none of the scopes";
const COVERS_NONE =
  "the roles in the certificate cover none of the scopes (aisp needs PSP_AI, pisp needs PSP_PI)";

/**
 * Refuses with `invalid_scope` an access token without scopes (RFC 6749 5.2): the bank offers, or the certificate covers,
 * none of the requested and consented ones. The provider would issue a token without a scope.
 */
export function requireScope(asked: Asked, { scope }: Pick<AccessToken | ClientCredentials, "scope">): void {
  if (scope !== undefined && scope !== "") return;
  const { Client: client } = asked.entities;
  const offered: readonly string[] = client === undefined ? [] : registeredScopesOf(client);
  const wanted = scopesAskedFor(asked);
  // A scope that the application gave up is in no consent any more.
  const isOffered = wanted.split(" ").some((each) => offered.includes(each));
  throw new errors.InvalidScope(isOffered ? COVERS_NONE : OFFERS_NONE, wanted);
}
