import { type Configuration, errors } from "oidc-provider";
import { ownerOf } from "./application-client.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** How far a TPP's clock may be ahead of ours: ten seconds have to be accepted, sixty not (FAPI 2.0 5.3.2.1). */
export const CLOCK_TOLERANCE_SECONDS = 15;

/** The longest life of an assertion; its `jti` is remembered for as long. */
const MAX_LIFETIME_SECONDS = 3_600;

type Claims = Readonly<Record<string, unknown>>;

function requireTimes({ iat, exp }: Claims): void {
  const latest = Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
  if (typeof iat === "number" && iat > latest)
    throw new errors.InvalidClientAuth("the assertion was issued in the future");
  if (typeof exp !== "number" || exp > latest + MAX_LIFETIME_SECONDS)
    throw new errors.InvalidClientAuth(`the assertion lives longer than ${MAX_LIFETIME_SECONDS} s`);
}

/**
 * What a client assertion has to be beside signed, in force and the client's own, which the provider has checked before:
 * for the issuer as a text and for nobody else (FAPI 2.0 5.3.2.1, RFC 7523 3), not from the future and not for long, and
 * sent by the TPP that owns the application. The last is the second lock behind the step before the provider.
 */
export function createAssertionCheck(
  requests: HandedOverRequests,
  issuer: string,
): NonNullable<Configuration["assertJwtClientAuthClaimsAndHeader"]> {
  return (ctx, claims, _header, client) => {
    if (claims.aud !== issuer)
      throw new errors.InvalidClientAuth("the audience of the assertion is not the issuer, as a text");
    requireTimes(claims);
    const { caller } = requests.of(ctx.req);
    if (caller.kind !== "tpp" || caller.organisationIdentifier !== ownerOf(client))
      throw new errors.InvalidClientAuth("the assertion came from another TPP");
  };
}
