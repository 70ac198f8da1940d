import type { PsuId } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import type Provider from "oidc-provider";
import { PendingAuthorizationGone, type PendingAuthorizations } from "../journey/pending-authorization.ts";
import {
  describeInteraction,
  findInteraction,
  type Interaction,
  pushedRequestOf,
} from "./find-interaction.ts";
import { type ConsentParts, giveConsent } from "./give-consent.ts";
import type { PushedRequests } from "./pushed-requests.ts";

type Exchange = IncomingCall["exchange"];

/** Level of a strong authentication (COBS PDF 1.4.4, A-33). */
const STRONG = "3";

/** What an authorization is brought to its end with. */
export interface PendingParts extends ConsentParts {
  readonly pushedRequests: Pick<PushedRequests<object>, "use">;
}

/** The TPP learns that the request which it pushed was used by another authorization, and the PSU agreed to nothing. */
const REQUEST_USED = { error: "invalid_request_uri", error_description: "request_uri was already used" };

// Another PSU's session in the same browser ends here: the provider would ask to sign out with a page of its own.
async function endSessionOfAnother(
  provider: Provider,
  { request, response }: Exchange,
  psu: PsuId,
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined && session.accountId !== psu) await session.destroy();
}

/**
 * Gives the pages their way to the provider. Which step is waited for decides what may be completed. The first answer to
 * a consent page counts: what was declined is not given afterwards, and what was given is not declined but withdrawn.
 */
export function createPendingAuthorizations(provider: Provider, parts: PendingParts): PendingAuthorizations {
  async function requireStep(exchange: Exchange, step: "login" | "consent"): Promise<Interaction> {
    const interaction = await findInteraction(provider, exchange);
    if (interaction?.prompt.name !== step) throw new PendingAuthorizationGone();
    return interaction;
  }
  return {
    async find(exchange) {
      const interaction = await findInteraction(provider, exchange);
      return interaction && describeInteraction(interaction);
    },
    async completeSignIn(exchange, psu) {
      await requireStep(exchange, "login");
      await endSessionOfAnother(provider, exchange, psu);
      const ts = Math.floor(parts.clock.now().getTime() / 1000);
      const login = { accountId: psu, ts, acr: STRONG };
      return provider.interactionResult(exchange.request, exchange.response, { login });
    },
    async completeConsent({ exchange, requestId }, decision) {
      const interaction = await requireStep(exchange, "consent");
      if (interaction.result?.error !== undefined) throw new PendingAuthorizationGone();
      const request = pushedRequestOf(interaction);
      if (request !== undefined && !(await parts.pushedRequests.use(request, interaction.uid)))
        return provider.interactionResult(exchange.request, exchange.response, REQUEST_USED);
      const grantId = await giveConsent(parts, interaction, { ...decision, requestId });
      return provider.interactionResult(exchange.request, exchange.response, { consent: { grantId } });
    },
    async answered(exchange) {
      const interaction = await findInteraction(provider, exchange);
      const { login, consent } = interaction?.result ?? {};
      return login === undefined && consent === undefined ? undefined : interaction?.returnTo;
    },
    async abort(exchange, error, description) {
      const interaction = await findInteraction(provider, exchange);
      if (interaction === undefined || interaction.result?.consent !== undefined)
        throw new PendingAuthorizationGone();
      const result = { error, error_description: description };
      return provider.interactionResult(exchange.request, exchange.response, result);
    },
  };
}
