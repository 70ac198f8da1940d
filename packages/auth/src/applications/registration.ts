/**
 * What a TPP may register, and what it gets. This folder owns applications and their secrets; it does not own who the
 * TPP is (tpp), nor the consents that hang on an application (consent).
 */
import {
  type ApplicationId,
  type ApplicationRegistration,
  parseApplicationRegistration,
  type Scope,
  securityProfileOf,
} from "@cobs/cobs-model";
import type { TppIdentity } from "@cobs/psd2-certificates";
import { rolesAllow } from "../tpp/roles-allow.ts";
import type { RegisteredApplication } from "./application.ts";
import { ApplicationRefusal } from "./application-refusal.ts";
import type { ApplicationStore, DecidedRegistration, OwnedApplicationId } from "./application-store.ts";
import { createApplicationId, createClientSecret, hashClientSecret } from "./client-secret.ts";

const SCOPES: readonly Scope[] = ["aisp", "pisp"];

function requireRoles(scopes: readonly Scope[], tpp: TppIdentity): void {
  if (!scopes.every((scope) => rolesAllow(tpp.roles, scope))) throw new ApplicationRefusal("role_missing");
}

function decideScopes({ scopes }: ApplicationRegistration, tpp: TppIdentity): readonly Scope[] {
  const possible = SCOPES.filter((scope) => rolesAllow(tpp.roles, scope));
  if (possible.length === 0) throw new ApplicationRefusal("no_scope_possible");
  if (scopes !== null) requireRoles(scopes, tpp);
  return scopes ?? possible;
}

function requireProfile(
  registration: Pick<ApplicationRegistration, "tokenEndpointAuthMethod">,
  requiresFapi2: boolean,
): void {
  if (requiresFapi2 && securityProfileOf(registration) !== "fapi2")
    throw new ApplicationRefusal("profile_required");
}

/** Where applications are kept, and which of them the bank takes at the moment. */
export interface RegistrationParts {
  readonly applications: ApplicationStore;
  /** Whether only applications of profile fapi2 may be registered and used now. */
  readonly requiresFapi2: () => boolean;
}

/**
 * Reads a registration and decides its scopes: those asked for, or all that the roles cover (COBS PDF 1.4.1.1).
 * Refuses with the faults of the content, `role_missing` or `no_scope_possible`.
 */
export function decideRegistration(body: unknown, tpp: TppIdentity): DecidedRegistration {
  const registration = parseApplicationRegistration(body);
  return { ...registration, scopes: decideScopes(registration, tpp) };
}

/**
 * Registers an application and gives its secret, the only time; one of profile fapi2 gets none. Refuses also with
 * `profile_required` and `too_many_applications`.
 */
export async function registerApplication(
  { applications, requiresFapi2 }: RegistrationParts,
  tpp: TppIdentity,
  body: unknown,
): Promise<{ readonly application: RegisteredApplication; readonly secret: string | null }> {
  const registration = decideRegistration(body, tpp);
  requireProfile(registration, requiresFapi2());
  const id = createApplicationId();
  const secret = securityProfileOf(registration) === "fapi2" ? null : createClientSecret();
  const owner = tpp.organisationIdentifier;
  const secretHash = secret === null ? null : hashClientSecret(secret);
  const stored = await applications.register({ id, owner, registration, secretHash });
  if (!stored) throw new ApplicationRefusal("too_many_applications");
  return { application: { ...registration, id, owner, accessTokenLifetimeSeconds: null }, secret };
}

/**
 * What an application becomes. Scopes that are not named stay, so that a `PUT` with a narrower certificate ends nothing
 * that nobody named: each token has only what the certificate of its own call covers. In profile fapi2 the way to
 * authenticate stays too, so that no application goes down because a `PUT` was silent about it; one that names a secret
 * is refused with `profile_downgrade`.
 */
function settleReplacement(
  current: RegisteredApplication,
  wanted: ApplicationRegistration,
): DecidedRegistration {
  const scopes = wanted.scopes ?? current.scopes;
  if (securityProfileOf(current) === "cobs") return { ...wanted, scopes };
  if (wanted.tokenEndpointAuthMethod === null) {
    const { tokenEndpointAuthMethod } = current;
    return { ...wanted, scopes, tokenEndpointAuthMethod, jwks: wanted.jwks ?? current.jwks };
  }
  if (securityProfileOf(wanted) === "cobs") throw new ApplicationRefusal("profile_downgrade");
  return { ...wanted, scopes };
}

/**
 * Replaces what was registered (COBS PDF 1.4.1.3); moving up to profile fapi2 ends the secret. Scopes that are named must
 * be covered by the presented certificate. Refuses with `application_unknown`, the faults of the content, `role_missing`,
 * `profile_downgrade` or `profile_required`.
 */
export async function replaceApplication(
  { applications, requiresFapi2 }: RegistrationParts,
  tpp: TppIdentity,
  sent: { readonly id: ApplicationId; readonly body: unknown },
): Promise<RegisteredApplication> {
  const which = { owner: tpp.organisationIdentifier, id: sent.id };
  if ((await applications.findOwned(which)) === undefined)
    throw new ApplicationRefusal("application_unknown");
  const wanted = parseApplicationRegistration(sent.body);
  if (wanted.scopes !== null) requireRoles(wanted.scopes, tpp);
  const replaced = await applications.replace(which, (current) => {
    const settled = settleReplacement(current, wanted);
    requireProfile(settled, requiresFapi2());
    return settled;
  });
  if (replaced === undefined) throw new ApplicationRefusal("application_unknown");
  return replaced;
}

/**
 * Gives an application a new secret; the old one is worth nothing from now on. Refuses with `application_unknown`, or
 * `secret_unused` for one of profile fapi2.
 */
export async function renewSecret(store: ApplicationStore, which: OwnedApplicationId): Promise<string> {
  const secret = createClientSecret();
  if (await store.renewSecret(which, hashClientSecret(secret))) return secret;
  const found = await store.findOwned(which);
  throw new ApplicationRefusal(found === undefined ? "application_unknown" : "secret_unused");
}
