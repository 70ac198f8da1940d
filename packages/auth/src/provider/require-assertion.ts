import { type Configuration, errors } from "oidc-provider";
import { ownerOf } from "./application-client.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** How far a TPP's clock may be ahead of ours: ten seconds have to be accepted, sixty not (FAPI 2.0 5.3.2.1). */
export const CLOCK_TOLERANCE_SECONDS = 15;

/** The longest life of an assertion; its `jti` is remembered for as long. */
const MAX_LIFETIME_SECONDS = 3_600;

/**
 * An assertion that the application's key has signed, refused for what it says. Whoever signed it is told what that is:
 * nobody else gets so far, so nothing is given away to those who try (`NOT_BELIEVED`).
 */
export class UnfitAssertion extends errors.InvalidClientAuth {}

type Claims = Readonly<Record<string, unknown>>;

function requireTimes({ iat, exp }: Claims): void {
  const latest = Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
  if (typeof iat === "number" && iat > latest)
    throw new UnfitAssertion(
      `iat of the assertion is more than ${CLOCK_TOLERANCE_SECONDS} s ahead of the bank's clock`,
    );
  if (typeof exp !== "number" || exp > latest + MAX_LIFETIME_SECONDS)
    throw new UnfitAssertion(`exp of the assertion is more than ${MAX_LIFETIME_SECONDS} s ahead`);
}

/**
 * Checks what the provider does not check of a client assertion that it has verified: its audience is the issuer, as
 * a single string (FAPI 2.0 5.3.2.1, RFC 7523 3); it is not from the future, and not valid for long; and it was sent
 * by the TPP that owns the application. The last repeats the check of `admit-client.ts` on purpose.
 */
export function createAssertionCheck(
  requests: HandedOverRequests,
  issuer: string,
): NonNullable<Configuration["assertJwtClientAuthClaimsAndHeader"]> {
  return (ctx, claims, _header, client) => {
    if (claims.aud !== issuer)
      throw new UnfitAssertion(`aud of the assertion is not the issuer as a text: ${issuer}`);
    requireTimes(claims);
    const { caller } = requests.of(ctx.req);
    if (caller.kind !== "tpp" || caller.organisationIdentifier !== ownerOf(client))
      throw new errors.InvalidClientAuth("the assertion came from another TPP");
  };
}
