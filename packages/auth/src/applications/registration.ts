/**
 * What a TPP may register, and what it gets. This folder owns applications and their secrets. It does not own the TPP's
 * identity (tpp), nor the consents to an application (consent).
 */
import {
  type ApplicationRegistration,
  parseApplicationRegistration,
  SCOPES,
  type Scope,
  securityProfileOf,
} from "@cobs/cobs-model";
import type { TppIdentity } from "@cobs/psd2-certificates";
import type { Act } from "../audit/act.ts";
import { rolesAllow } from "../tpp/roles-allow.ts";
import type { RegisteredApplication } from "./application.ts";
import { ApplicationRefusal } from "./application-refusal.ts";
import type { ApplicationStore, DecidedRegistration, OwnedApplicationId } from "./application-store.ts";
import { createApplicationId, createClientSecret, hashClientSecret } from "./client-secret.ts";

function requireRoles(scopes: readonly Scope[], tpp: TppIdentity): void {
  if (!scopes.every((scope) => rolesAllow(tpp.roles, scope))) throw new ApplicationRefusal("role_missing");
}

function requireOffered(scopes: readonly Scope[], { offeredScopes }: RegistrationParts): void {
  if (!scopes.every((scope) => offeredScopes.includes(scope)))
    throw new ApplicationRefusal("scope_not_offered");
}

function decideScopes(
  { scopes }: ApplicationRegistration,
  tpp: TppIdentity,
  parts: RegistrationParts,
): readonly Scope[] {
  const covered = SCOPES.filter((scope) => rolesAllow(tpp.roles, scope));
  if (covered.length === 0) throw new ApplicationRefusal("no_scope_possible");
  if (scopes !== null) requireRoles(scopes, tpp);
  const possible = covered.filter((scope) => parts.offeredScopes.includes(scope));
  const decided = scopes ?? (possible.length === 0 ? covered : possible);
  requireOffered(decided, parts);
  return decided;
}

function requireProfile(
  registration: Pick<ApplicationRegistration, "tokenEndpointAuthMethod">,
  requiresFapi2: boolean,
): void {
  if (requiresFapi2 && securityProfileOf(registration) !== "fapi2")
    throw new ApplicationRefusal("profile_required");
}

/** The store of applications, and the bank's rules for them. */
export interface RegistrationParts {
  readonly applications: ApplicationStore;
  /** The scopes that an application can get at this bank. */
  readonly offeredScopes: readonly Scope[];
  /** Where the bank's own pages and interfaces are: no PSU returns to them from there. */
  readonly bankOrigins: readonly string[];
  /** Whether only applications of profile fapi2 may be registered and used now. */
  readonly requiresFapi2: () => boolean;
  /** How many applications a TPP may have. */
  readonly maxApplicationsPerTpp: number;
  /** How long a replaced secret still works; 0 ends it at once. */
  readonly secretOverlapSeconds: number;
  /** Whether keys are fetched from a `jwks_uri`. */
  readonly fetchesKeys: boolean;
}

/** Which application is changed, by which act, and the check that throws unless its state is the one the caller knows. */
export interface WantedChange {
  readonly which: OwnedApplicationId;
  readonly act: Act;
  readonly requireState: (current: RegisteredApplication) => void;
}

function requireReachableKeys(
  { jwksUri }: Pick<ApplicationRegistration, "jwksUri">,
  { fetchesKeys }: RegistrationParts,
): void {
  if (jwksUri !== null && !fetchesKeys) throw new ApplicationRefusal("jwks_uri_unsupported");
}

function decideRegistration(body: unknown, tpp: TppIdentity, parts: RegistrationParts): DecidedRegistration {
  const registration = parseApplicationRegistration(body, parts.bankOrigins);
  return { ...registration, scopes: decideScopes(registration, tpp, parts) };
}

/**
 * Registers an application and returns its secret, the only time; one of profile fapi2 gets none. Its scopes are
 * those requested, or all that the roles cover and the bank offers (COBS PDF 1.4.1.1). Refuses with the faults of the
 * content, `role_missing`, `no_scope_possible`, `scope_not_offered`, `profile_required`, `jwks_uri_unsupported` or
 * `too_many_applications`.
 */
export async function registerApplication(
  parts: RegistrationParts,
  { tpp, act }: { readonly tpp: TppIdentity; readonly act: Act },
  body: unknown,
): Promise<{ readonly application: RegisteredApplication; readonly secret: string | null }> {
  const registration = decideRegistration(body, tpp, parts);
  requireProfile(registration, parts.requiresFapi2());
  requireReachableKeys(registration, parts);
  const secret = securityProfileOf(registration) === "fapi2" ? null : createClientSecret();
  const secretHash = secret === null ? null : hashClientSecret(secret);
  const { organisationIdentifier: owner } = tpp;
  const application = await parts.applications.register(
    { id: createApplicationId(), owner, registration, secretHash },
    { limit: parts.maxApplicationsPerTpp, act },
  );
  if (application === undefined) throw new ApplicationRefusal("too_many_applications");
  return { application, secret };
}

/** Narrows a look-up. Refuses with `application_unknown`. */
export function requireKnown<T>(found: T | undefined): T {
  if (found === undefined) throw new ApplicationRefusal("application_unknown");
  return found;
}

/** The keys that a `PUT` sends, as `jwks` or `jwks_uri`; if neither, the registered ones. */
function settleKeys(current: RegisteredApplication, wanted: ApplicationRegistration) {
  const { jwks, jwksUri } = wanted.jwks === null && wanted.jwksUri === null ? current : wanted;
  return { jwks, jwksUri };
}

/**
 * Decides what a `PUT` makes of an application. Scopes that it does not name stay, so that a narrower certificate alone
 * ends nothing: each token has only what the certificate of its own call covers. In profile fapi2 the authentication
 * method stays too, so that a `PUT` that omits it does not lower the profile; one that names a secret is refused with
 * `profile_downgrade`.
 */
function settleReplacement(
  current: RegisteredApplication,
  wanted: ApplicationRegistration,
): DecidedRegistration {
  const scopes = wanted.scopes ?? current.scopes;
  if (securityProfileOf(current) === "cobs") return { ...wanted, scopes };
  if (wanted.tokenEndpointAuthMethod === null) {
    const { tokenEndpointAuthMethod } = current;
    return { ...wanted, scopes, tokenEndpointAuthMethod, ...settleKeys(current, wanted) };
  }
  if (securityProfileOf(wanted) === "cobs") throw new ApplicationRefusal("profile_downgrade");
  return { ...wanted, scopes };
}

/**
 * Replaces a registration (COBS PDF 1.4.1.3); moving up to profile fapi2 ends the secrets. The presented certificate
 * must cover the scopes that are named, and the bank offer those that are new. Refuses with `application_unknown`, the
 * faults of the content, `role_missing`, `scope_not_offered`, `profile_downgrade`, `profile_required`,
 * `jwks_uri_unsupported`, or what `requireState` throws.
 */
export async function replaceApplication(
  parts: RegistrationParts,
  { which, act, requireState }: WantedChange,
  sent: { readonly tpp: TppIdentity; readonly body: unknown },
): Promise<RegisteredApplication> {
  requireKnown(await parts.applications.findOwned(which));
  const wanted = parseApplicationRegistration(sent.body, parts.bankOrigins);
  if (wanted.scopes !== null) requireRoles(wanted.scopes, sent.tpp);
  requireReachableKeys(wanted, parts);
  const replaced = await parts.applications.replace(which, act, (current) => {
    requireState(current);
    const settled = settleReplacement(current, wanted);
    requireOffered(
      settled.scopes.filter((scope) => !current.scopes.includes(scope)),
      parts,
    );
    requireProfile(settled, parts.requiresFapi2());
    return settled;
  });
  return requireKnown(replaced);
}

/**
 * Gives an application a new secret (COBS PDF 1.4.1.5). The former secret ends at once, the present one after the
 * overlap that the bank allows. Refuses with `application_unknown`, `secret_unused` for profile fapi2,
 * `profile_required` when the bank no longer accepts profile cobs, or what `requireState` throws.
 */
export async function renewSecret(
  { applications, secretOverlapSeconds: overlapSeconds, requiresFapi2 }: RegistrationParts,
  { which, act, requireState }: WantedChange,
): Promise<{ readonly application: RegisteredApplication; readonly secret: string }> {
  const secret = createClientSecret();
  const renewed = await applications.renewSecret(which, act, (current) => {
    if (securityProfileOf(current) === "fapi2") throw new ApplicationRefusal("secret_unused");
    requireProfile(current, requiresFapi2());
    requireState(current);
    return { secretHash: hashClientSecret(secret), overlapSeconds };
  });
  return { application: requireKnown(renewed), secret };
}

/** Deletes an application (COBS PDF 1.4.1.4). Refuses with `application_unknown`, or what `requireState` throws. */
export async function removeApplication(
  { applications }: RegistrationParts,
  { which, act, requireState }: WantedChange,
): Promise<void> {
  const wasThere = await applications.remove(which, act, requireState);
  if (!wasThere) throw new ApplicationRefusal("application_unknown");
}
