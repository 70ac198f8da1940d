import { type Configuration, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { INTERACTION_PATH } from "../pages/places.ts";
import { beginningOf } from "./begun-profile.ts";
import { requireRegisteredScopes } from "./require-scopes.ts";

const { Check, Prompt } = interactionPolicy;

/** Details kept with every step of an authorization. */
const begunAs = ({ oidc }: KoaContextWithOIDC) => beginningOf(oidc);

/** Never asks for a page: it throws a refusal, or returns false. */
function requireScopesOfStep({ oidc }: KoaContextWithOIDC): boolean {
  requireRegisteredScopes(oidc);
  return false;
}

/**
 * Shows the sign-in and the consent page in every authorization, whatever the browser did before: each needs strong
 * authentication (RTS Article 10a(2)) and an answer of the PSU before there is a code. `prompt=none` therefore fails.
 */
export const INTERACTIONS: NonNullable<Configuration["interactions"]> = {
  policy: [
    new Prompt(
      { name: "login", requestable: true },
      begunAs,
      new Check("scopes", "the requested scopes must still be registered", requireScopesOfStep),
      new Check("sign_in", "the PSU must sign in", (ctx) => ctx.oidc.result?.login === undefined),
    ),
    new Prompt(
      { name: "consent", requestable: true },
      begunAs,
      new Check("consent", "the PSU must consent", (ctx) => ctx.oidc.result?.consent === undefined),
    ),
  ],
  url: (_ctx, interaction) => `${INTERACTION_PATH}/${interaction.uid}`,
};
