import { parseAccountId, parseApplicationId, parsePsuId, SCOPES, type Scope } from "@cobs/cobs-model";
import { parseCertificateThumbprint, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { isJsonObject, type JsonObject } from "@cobs/service-edge";
import { isIdOfAuth } from "../auth-answers/id-of-auth.ts";
import { listIn } from "../auth-answers/members-of.ts";
import { IntrospectionRefusal } from "./introspection-refusal.ts";
import type { ConsentId, TokenDescription, UnusableToken, UnusableTokenCode } from "./token-introspection.ts";

/**
 * Reads the claim `token_introspection` of a verified answer (RFC 7662 section 2.2, RFC 8705 section 3.2); refuses with
 * `answer_malformed`. It first checks what makes a token unusable and then reads the rest, which may be missing from the
 * description of another server's token.
 */
export function parseTokenDescription(claim: unknown, resourceServer: string): TokenDescription {
  if (!isJsonObject(claim)) throw malformed("token_introspection is not an object");
  if (claim.active !== true) return unusable("token_inactive", "unknown to auth, expired, revoked or ended");
  // Auth describes no token of another kind as active; if it did, that token would open nothing here.
  if (claim.token_type !== "Bearer") return unusable("token_inactive", "not an access token");
  if (!listOf(claim.aud).includes(resourceServer)) return unusable("token_wrong_audience", "aud is not ours");
  const thumbprint = parseCertificateThumbprint(isJsonObject(claim.cnf) ? claim.cnf["x5t#S256"] : undefined);
  if (thumbprint === undefined) return unusable("token_not_bound", "no cnf with x5t#S256");
  try {
    return { usable: true, thumbprint, ...parseParties(claim) };
  } catch (cause) {
    // The parsers word their refusal as a TPP's mistake; here it is auth's.
    throw malformed(cause instanceof Error ? cause.message : "unreadable claims", { cause });
  }
}

function parseParties(claim: JsonObject) {
  return {
    applicationId: parseApplicationId(claim.client_id, "client_id"),
    psu: parsePsuId(claim.sub, "sub"),
    scopes: scopesIn(typeof claim.scope === "string" ? claim.scope.split(" ") : []),
    expiresAt: parseTime(claim.exp, "exp"),
    organisationIdentifier: parseOrganisationIdentifier(claim.organisation_identifier),
    consent: {
      id: parseConsentId(claim.consent_id),
      accounts: listIn(claim, "account_ids").map((id) => parseAccountId(id, "account_ids")),
      services: scopesIn(listIn(claim, "consented_services")),
      // An older version of auth does not send it (RFC 9470 section 6.2).
      authenticatedAt: claim.auth_time === undefined ? undefined : parseTime(claim.auth_time, "auth_time"),
    },
  };
}

function parseTime(seconds: unknown, name: string): Date {
  const time = new Date(typeof seconds === "number" ? seconds * 1000 : Number.NaN);
  // A time beyond the range of Date would compare as never over.
  if (!Number.isSafeInteger(seconds) || Number.isNaN(time.getTime()))
    throw malformed(`${name} is not a time`);
  return time;
}

function parseConsentId(id: unknown): ConsentId {
  if (!isIdOfAuth(id)) throw malformed("consent_id is not an identifier");
  return id as ConsentId;
}

/** Scopes that this server does not know grant nothing. */
function scopesIn(names: readonly unknown[]): readonly Scope[] {
  return SCOPES.filter((scope) => names.includes(scope));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function unusable(code: UnusableTokenCode, detail: string): UnusableToken {
  return { usable: false, code, detail };
}

function malformed(detail: string, options?: ErrorOptions): IntrospectionRefusal {
  return new IntrospectionRefusal("answer_malformed", detail, options);
}
