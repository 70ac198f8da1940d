import { type Configuration, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { INTERACTION_PATH } from "../pages/places.ts";
import { beginningOf } from "./begun-profile.ts";
import { requireRegisteredScopes } from "./require-scopes.ts";

const { Check, Prompt } = interactionPolicy;

/** Kept with every step of an authorization. */
const begunAs = ({ oidc }: KoaContextWithOIDC) => beginningOf(oidc);

/** Asks nobody for anything: it refuses, or all is well. */
function requireScopesOfStep({ oidc }: KoaContextWithOIDC): boolean {
  requireRegisteredScopes(oidc);
  return false;
}

/**
 * Every authorization shows the sign-in and the consent page, whatever the browser did before: strong authentication
 * for each (RTS Article 10a(2)), and no code without an answer of the PSU. `prompt=none` therefore fails.
 */
export const INTERACTIONS: NonNullable<Configuration["interactions"]> = {
  policy: [
    new Prompt(
      { name: "login", requestable: true },
      begunAs,
      new Check("scopes", "what is asked for has to be registered still", requireScopesOfStep),
      new Check("sign_in", "the PSU has to sign in", (ctx) => ctx.oidc.result?.login === undefined),
    ),
    new Prompt(
      { name: "consent", requestable: true },
      begunAs,
      new Check("consent", "the PSU has to consent", (ctx) => ctx.oidc.result?.consent === undefined),
    ),
  ],
  url: (_ctx, interaction) => `${INTERACTION_PATH}/${interaction.uid}`,
};
