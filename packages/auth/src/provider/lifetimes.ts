import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { codeLifetimeOf } from "./require-profile.ts";

/** Seconds that a PSU may take for one page. */
export const INTERACTION_SECONDS = 600;
/**
 * Longer than the pages wait, so that a PSU who comes too late is told so and led back to the TPP. The session
 * authenticates nobody: each authorization needs its own sign-in, which is good for five minutes (RTS Article 4(3)(d)).
 */
const SESSION_SECONDS = INTERACTION_SECONDS + 60;

function consentRemainingSeconds(ctx: KoaContextWithOIDC): number {
  const ends = ctx.oidc.entities.Grant?.exp;
  if (ends === undefined) throw new TypeError("a token is issued without a grant");
  return Math.max(1, ends - Math.floor(Date.now() / 1000));
}

/**
 * Lifetimes in seconds. No token outlives its consent: the refresh token ends with it, however it was used before (RFC
 * 9700 4.14), and so does the last access token.
 */
export function providerLifetimes(settings: {
  readonly codeLifetimeSeconds: number;
  readonly accessTokenLifetimeSeconds: number;
}): NonNullable<Configuration["ttl"]> {
  return {
    Session: SESSION_SECONDS,
    Interaction: INTERACTION_SECONDS,
    AuthorizationCode: (_ctx, _code, client) => codeLifetimeOf(client, settings.codeLifetimeSeconds),
    AccessToken: (ctx, token) => {
      const wanted = token.resourceServer?.accessTokenTTL ?? settings.accessTokenLifetimeSeconds;
      return Math.min(wanted, consentRemainingSeconds(ctx));
    },
    RefreshToken: (ctx) => consentRemainingSeconds(ctx),
  };
}
