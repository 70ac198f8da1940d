/**
 * What a TPP may register, and what it gets. This folder owns applications and their secrets; it does not own who the
 * TPP is (tpp), nor the consents that hang on an application (consent).
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
  /** How many applications a TPP may have. */
  readonly maxApplicationsPerTpp: number;
  /** How long a secret works beside the one that takes its place; 0 when it ends at once. */
  readonly secretOverlapSeconds: number;
  /** Whether keys are fetched from a `jwks_uri`. */
  readonly fetchesKeys: boolean;
}

/** Who changes what, and what is thrown when it is not in the state that the caller knows. */
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

function decideRegistration(body: unknown, tpp: TppIdentity): DecidedRegistration {
  const registration = parseApplicationRegistration(body);
  return { ...registration, scopes: decideScopes(registration, tpp) };
}

/**
 * Registers an application and gives its secret, the only time; one of profile fapi2 gets none. Its scopes are
 * those asked for, or all that the roles cover (COBS PDF 1.4.1.1). Refuses with the faults of the content, `role_missing`,
 * `no_scope_possible`, `profile_required`, `jwks_uri_unsupported` or `too_many_applications`.
 */
export async function registerApplication(
  parts: RegistrationParts,
  { tpp, act }: { readonly tpp: TppIdentity; readonly act: Act },
  body: unknown,
): Promise<{ readonly application: RegisteredApplication; readonly secret: string | null }> {
  const registration = decideRegistration(body, tpp);
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

/** Narrows what was looked for. Refuses with `application_unknown`. */
export function requireKnown<T>(found: T | undefined): T {
  if (found === undefined) throw new ApplicationRefusal("application_unknown");
  return found;
}

/** The keys that a `PUT` brings, in one way or the other; without any, those that are registered. */
function settleKeys(current: RegisteredApplication, wanted: ApplicationRegistration) {
  const { jwks, jwksUri } = wanted.jwks === null && wanted.jwksUri === null ? current : wanted;
  return { jwks, jwksUri };
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
    return { ...wanted, scopes, tokenEndpointAuthMethod, ...settleKeys(current, wanted) };
  }
  if (securityProfileOf(wanted) === "cobs") throw new ApplicationRefusal("profile_downgrade");
  return { ...wanted, scopes };
}

/**
 * Replaces what was registered (COBS PDF 1.4.1.3); moving up to profile fapi2 ends the secrets. Scopes that are named must
 * be covered by the presented certificate. Refuses with `application_unknown`, the faults of the content, `role_missing`,
 * `profile_downgrade`, `profile_required`, `jwks_uri_unsupported`, or what `requireState` throws.
 */
export async function replaceApplication(
  parts: RegistrationParts,
  { which, act, requireState }: WantedChange,
  sent: { readonly tpp: TppIdentity; readonly body: unknown },
): Promise<RegisteredApplication> {
  requireKnown(await parts.applications.findOwned(which));
  const wanted = parseApplicationRegistration(sent.body);
  if (wanted.scopes !== null) requireRoles(wanted.scopes, sent.tpp);
  requireReachableKeys(wanted, parts);
  const replaced = await parts.applications.replace(which, act, (current) => {
    requireState(current);
    const settled = settleReplacement(current, wanted);
    requireProfile(settled, parts.requiresFapi2());
    return settled;
  });
  return requireKnown(replaced);
}

/**
 * Gives an application a new secret (COBS PDF 1.4.1.5). The one before the present is worth nothing from now on, the
 * present one after the overlap that the bank allows. Refuses with `application_unknown`, `secret_unused` for one of
 * profile fapi2, `profile_required` where the bank takes no other any more, or what `requireState` throws.
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

/** Ends an application (COBS PDF 1.4.1.4). Refuses with `application_unknown`, or what `requireState` throws. */
export async function removeApplication(
  { applications }: RegistrationParts,
  { which, act, requireState }: WantedChange,
): Promise<void> {
  const wasThere = await applications.remove(which, act, requireState);
  if (!wasThere) throw new ApplicationRefusal("application_unknown");
}
