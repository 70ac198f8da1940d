import { type PublicJwks, presentUpdatedApplication, thumbprintOfJwk } from "@cobs/cobs-model";
import type { Act } from "../audit/act.ts";
import type { AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import type { RegisteredApplication } from "./application.ts";

type Detail = AuditDetails[string];

function presentDetail(value: unknown): Detail {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

/**
 * Describes a key by its thumbprint (RFC 7638), and by the members that also decide which assertions it verifies. `kid`
 * is last, as it may hold spaces.
 */
function tellKey(jwk: PublicJwks["keys"][number]): string {
  const { alg, kid } = jwk;
  const ofAlg = alg === undefined ? "" : ` alg=${alg}`;
  const ofKid = kid === undefined ? "" : ` kid=${kid}`;
  return `${thumbprintOfJwk(jwk)}${ofAlg}${ofKid}`;
}

/** The registered fields of an application, under the names that the TPP knows. */
function fieldsOf(application: RegisteredApplication): ReadonlyMap<string, Detail> {
  const { client_id: _, client_secret_expires_at: __, ...fields } = presentUpdatedApplication(application);
  const jwks = application.jwks?.keys.map(tellKey);
  const told = Object.entries({ ...fields, ...(jwks && { jwks }) });
  return new Map(told.map(([name, value]) => [name, presentDetail(value)]));
}

const isSame = (one: Detail | undefined, other: Detail | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ, each with its value before and after; null means not registered. */
function changesBetween(before: RegisteredApplication, after: RegisteredApplication): AuditDetails {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const changed = names.filter((name) => !isSame(was.get(name), is.get(name)));
  const told = changed.flatMap((name) => [
    [`${name}.before`, was.get(name) ?? null] as const,
    [`${name}.after`, is.get(name) ?? null] as const,
  ]);
  return { changed, ...Object.fromEntries(told) };
}

const subjectOf = ({ id }: RegisteredApplication) => ({ kind: "application", id }) as const;

/** Records that a TPP registered an application, with all its fields. */
export function recordRegistered(act: Act, application: RegisteredApplication): AuditEntry {
  const details = Object.fromEntries(fieldsOf(application));
  return { act, action: "application.registered", subject: subjectOf(application), details };
}

/** Records that a TPP replaced a registration, with the fields that changed. */
export function recordChanged(
  act: Act,
  before: RegisteredApplication,
  after: RegisteredApplication,
): AuditEntry {
  const details = changesBetween(before, after);
  return { act, action: "application.changed", subject: subjectOf(after), details };
}

/** Records that an application got a new secret, and for how long the old one still works; never the secrets. */
export function recordSecretRenewed(
  act: Act,
  application: RegisteredApplication,
  overlapSeconds: number,
): AuditEntry {
  const details = { overlap_seconds: overlapSeconds };
  return { act, action: "application.secret_renewed", subject: subjectOf(application), details };
}

/** Records the deletion of an application, with its last registered fields. */
export function recordDeleted(act: Act, application: RegisteredApplication): AuditEntry {
  const details = Object.fromEntries(fieldsOf(application));
  return { act, action: "application.deleted", subject: subjectOf(application), details };
}
