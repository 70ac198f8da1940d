/**
 * What a TPP may register, and what it gets. This folder owns applications and their secrets; it does not own who the
 * TPP is (tpp), nor the consents that hang on an application (consent).
 */
import {
  type ApplicationId,
  type ApplicationRegistration,
  parseApplicationRegistration,
  type Scope,
} from "@cobs/cobs-model";
import type { TppIdentity } from "@cobs/psd2-certificates";
import { rolesAllow } from "../tpp/roles-allow.ts";
import type { RegisteredApplication } from "./application.ts";
import { ApplicationRefusal } from "./application-refusal.ts";
import type { ApplicationStore, DecidedRegistration } from "./application-store.ts";
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

/**
 * Reads a registration and decides its scopes: those asked for, or all that the roles cover (COBS PDF 1.4.1.1).
 * Refuses with the faults of the content, `role_missing` or `no_scope_possible`.
 */
export function decideRegistration(body: unknown, tpp: TppIdentity): DecidedRegistration {
  const registration = parseApplicationRegistration(body);
  return { ...registration, scopes: decideScopes(registration, tpp) };
}

/**
 * Reads what replaces a registration. Scopes that are named must be covered by the presented certificate; without them
 * the application keeps those that it has, so that a `PUT` with a narrower certificate ends nothing that nobody named:
 * each token has only what the certificate of its own call covers. Refuses with the faults of the content or `role_missing`.
 */
export function decideReplacement(body: unknown, tpp: TppIdentity): ApplicationRegistration {
  const registration = parseApplicationRegistration(body);
  if (registration.scopes !== null) requireRoles(registration.scopes, tpp);
  return registration;
}

/** Registers an application and gives its secret, the only time. Refuses also with `too_many_applications`. */
export async function registerApplication(
  store: ApplicationStore,
  tpp: TppIdentity,
  body: unknown,
): Promise<{ readonly application: RegisteredApplication; readonly secret: string }> {
  const registration = decideRegistration(body, tpp);
  const id = createApplicationId();
  const secret = createClientSecret();
  const owner = tpp.organisationIdentifier;
  const stored = await store.register({ id, owner, registration, secretHash: hashClientSecret(secret) });
  if (!stored) throw new ApplicationRefusal("too_many_applications");
  return { application: { ...registration, id, owner, accessTokenLifetimeSeconds: null }, secret };
}

/** Gives an application a new secret; the old one is worth nothing from now on. Refuses with `application_unknown`. */
export async function renewSecret(
  store: ApplicationStore,
  which: { readonly owner: TppIdentity["organisationIdentifier"]; readonly id: ApplicationId },
): Promise<string> {
  const secret = createClientSecret();
  const renewed = await store.renewSecret(which, hashClientSecret(secret));
  if (!renewed) throw new ApplicationRefusal("application_unknown");
  return secret;
}
