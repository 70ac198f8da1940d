import { decodeJwt } from "jose";
import { type Configuration, errors } from "oidc-provider";
import { ownerOf } from "./application-client.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** Seconds that a TPP's clock may be ahead of ours: ten must be accepted, sixty must not (FAPI 2.0 5.3.2.1). */
export const CLOCK_TOLERANCE_SECONDS = 15;

/** Longest lifetime of an assertion; its `jti` is remembered for as long. */
const MAX_LIFETIME_SECONDS = 3_600;

/**
 * Refuses an assertion for its content, after the application's key verified it. The signer is told what is wrong:
 * nobody else gets this far, so an attacker learns nothing (`NOT_BELIEVED`).
 */
export class UnfitAssertion extends errors.InvalidClientAuth {}

type Claims = Readonly<Record<string, unknown>>;

const wrongAudience = (issuer: string) =>
  `aud of the assertion must be the issuer as a single string: ${issuer}`;

const isText = (value: unknown) => typeof value === "string" && value !== "";

function describeClaims({ iss, sub, jti, exp, iat, nbf, aud }: Claims, issuer: string): string | undefined {
  const now = Date.now() / 1000;
  if (iss === undefined || iss !== sub) return "iss and sub of the assertion must both be the client_id";
  if (!isText(jti)) return "jti of the assertion is missing, empty or not a string";
  if (typeof exp !== "number") return "exp of the assertion is missing or not a number";
  if (exp <= now - CLOCK_TOLERANCE_SECONDS) return "exp of the assertion has passed by the bank's clock";
  if (iat !== undefined && typeof iat !== "number") return "iat of the assertion is not a number";
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > now + CLOCK_TOLERANCE_SECONDS))
    return `nbf of the assertion is not a number, or more than ${CLOCK_TOLERANCE_SECONDS} s ahead of the bank's clock`;
  return [aud].flat().includes(issuer) ? undefined : wrongAudience(issuer);
}

/**
 * Describes what the provider refuses in an assertion's claims, some of it before it checks the signature: the text
 * tells the sender nothing but what was sent. Undefined when none of that is wrong, or the assertion is unreadable.
 */
export function describeUnfit(assertion: unknown, issuer: string): string | undefined {
  if (typeof assertion !== "string") return undefined;
  try {
    return describeClaims(decodeJwt(assertion), issuer);
  } catch {
    return undefined;
  }
}

function requireTimes({ iat, exp }: Claims): void {
  const latest = Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
  if (typeof iat === "number" && iat > latest)
    throw new UnfitAssertion(
      `iat of the assertion is more than ${CLOCK_TOLERANCE_SECONDS} s ahead of the bank's clock`,
    );
  if (typeof exp !== "number" || exp > latest + MAX_LIFETIME_SECONDS)
    throw new UnfitAssertion(
      `exp of the assertion is more than ${MAX_LIFETIME_SECONDS} s ahead of the bank's clock`,
    );
}

/**
 * Makes the check of what the provider leaves unchecked in a verified client assertion: its audience is the issuer, as
 * a single string (FAPI 2.0 5.3.2.1, RFC 7523 3); it is not from the future, nor valid for too long; and the TPP that
 * owns the application sent it. The last repeats the check of `admit-client.ts` on purpose.
 */
export function createAssertionCheck(
  requests: HandedOverRequests,
  issuer: string,
): NonNullable<Configuration["assertJwtClientAuthClaimsAndHeader"]> {
  return (ctx, claims, _header, client) => {
    if (claims.aud !== issuer) throw new UnfitAssertion(wrongAudience(issuer));
    requireTimes(claims);
    const { caller } = requests.of(ctx.req);
    if (caller.kind !== "tpp" || caller.organisationIdentifier !== ownerOf(client))
      throw new errors.InvalidClientAuth("the client of the assertion belongs to another TPP");
  };
}
