import type { IncomingCall } from "@cobs/service-edge";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import type { RegisteredApplication } from "../applications/application.ts";
import {
  type OwnAuthorization,
  PendingAuthorizationGone,
  type PendingAuthorizations,
} from "../journey/pending-authorization.ts";
import { INTERACTION_PATH } from "../pages/places.ts";
import type { PsuSessions, SessionCall, SignInOfPsu } from "../psu-session/psu-session.ts";
import type { AskingApplications } from "./asking-applications.ts";
import {
  answerOf,
  describeInteraction,
  findInteraction,
  type Interaction,
  keepSignIn,
  pushedRequestOf,
  signInOf,
  unregisteredScopes,
} from "./find-interaction.ts";
import type { FirstAnswers } from "./first-answers.ts";
import { type ConsentParts, giveConsent, type SignedInInteraction } from "./give-consent.ts";
import type { PushedRequests } from "./pushed-requests.ts";
import { refusedFor } from "./require-scopes.ts";

type Exchange = IncomingCall["exchange"];

/** Level of a strong authentication (COBS PDF 1.4.4, A-33). */
const STRONG = "3";

/** What completing an authorization needs. */
export interface PendingParts extends ConsentParts {
  readonly askingApplications: AskingApplications;
  readonly pushedRequests: Pick<PushedRequests<object>, "use">;
  readonly sessions: Pick<PsuSessions, "counts" | "countsElsewhere">;
  readonly firstAnswers: FirstAnswers;
}

/** Tells the TPP that another authorization used its pushed request, and that the PSU agreed to nothing here. */
const REQUEST_USED = { error: "invalid_request_uri", error_description: "request_uri was already used" };

// Ends another PSU's session in the same browser; the provider would ask to sign out with a page of its own.
async function endSessionOfAnother(
  provider: Provider,
  { request, response }: Exchange,
  { psu }: SignInOfPsu,
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined && session.accountId !== psu) await session.destroy();
}

/** Stores a step's result with those of the steps before, as the provider would, and returns where it leads. */
async function finish(interaction: Interaction, result: InteractionResults): Promise<string> {
  interaction.result = "error" in result ? result : { ...interaction.lastSubmission, ...result };
  await interaction.persist();
  return interaction.returnTo;
}

/**
 * Lets the pages complete the steps of an authorization. The step that it waits for decides what may be completed. The
 * first answer to a consent page counts: after declining, no consent can be given, and a given one can only be
 * withdrawn. Each call has found the interaction of its browser and checked everything about it; completing it only
 * checks what may have changed since.
 */
export function createPendingAuthorizations(provider: Provider, parts: PendingParts): PendingAuthorizations {
  const { Interaction: interactions } = provider;
  // Attack: a sibling host can plant an interaction's cookie in another browser and have that browser's PSU sign in.
  async function isElsewhere(call: SessionCall, signIn: SignInOfPsu | undefined): Promise<boolean> {
    return signIn !== undefined && parts.sessions.countsElsewhere(call, signIn);
  }
  async function requireStep({ uid }: OwnAuthorization, step: "login" | "consent"): Promise<Interaction> {
    const interaction = await interactions.find(uid);
    if (interaction?.prompt.name !== step) throw new PendingAuthorizationGone();
    return interaction;
  }
  /** Requires the step of consenting, not answered with an error, and a sign-in that still counts. */
  async function requireSignedIn(own: OwnAuthorization): Promise<SignedInInteraction> {
    const interaction = await requireStep(own, "consent");
    const signIn = signInOf(interaction.lastSubmission);
    if (signIn === undefined || !(await parts.sessions.counts(signIn))) throw new PendingAuthorizationGone();
    if (interaction.result?.error !== undefined) throw new PendingAuthorizationGone();
    return { interaction, psu: signIn.psu };
  }
  async function finishWithoutConsent(uid: string, result: InteractionResults): Promise<string> {
    const interaction = await interactions.find(uid);
    if (interaction === undefined || interaction.result?.consent !== undefined)
      throw new PendingAuthorizationGone();
    return parts.firstAnswers.take(uid, "declined", async () => {
      // A stored consent counts even if nobody learned of it.
      if ((await parts.consents.findGiven(uid)) !== undefined) throw new PendingAuthorizationGone();
      return finish(interaction, result);
    });
  }
  /** Refuses to the application when no consent was stored because it removed a scope since this call found it. */
  async function refuseNarrowed(interaction: Interaction, { id }: Pick<RegisteredApplication, "id">) {
    const asking = await parts.askingApplications.find(id);
    const scopes = asking === undefined ? [] : unregisteredScopes(interaction, asking.application);
    if (scopes.length === 0) throw new PendingAuthorizationGone();
    return finishWithoutConsent(interaction.uid, refusedFor(scopes));
  }
  return {
    async find(call) {
      const asked = await findInteraction(provider, parts.askingApplications, call.exchange);
      const pending = asked && describeInteraction(asked);
      if (pending === undefined || (await isElsewhere(call, pending.signIn))) return undefined;
      // A browser that never got the answer to its sign-in, with the session that it opened, signs in again.
      return (await isElsewhere(call, signInOf(asked?.interaction.result)))
        ? { ...pending, answeredWith: undefined }
        : pending;
    },
    async completeSignIn(own, signIn) {
      const interaction = await requireStep(own, "login");
      await endSessionOfAnother(provider, own.exchange, signIn);
      const ts = Math.floor(signIn.authenticatedAt.getTime() / 1000);
      return finish(interaction, { login: { ...keepSignIn(signIn), ts, acr: STRONG } });
    },
    async completeConsent({ requestId, ...own }, decision) {
      const signedIn = await requireSignedIn(own);
      const { interaction } = signedIn;
      const giving = parts.firstAnswers.take(own.uid, "given", async () => {
        const request = pushedRequestOf(interaction);
        if (request !== undefined && !(await parts.pushedRequests.use(request, interaction.uid)))
          return finish(interaction, REQUEST_USED);
        const grantId = await giveConsent(parts, signedIn, { ...decision, ...own, requestId });
        return finish(interaction, { consent: { grantId } });
      });
      return giving.catch((error: unknown) => {
        if (error instanceof PendingAuthorizationGone) return refuseNarrowed(interaction, own.application);
        throw error;
      });
    },
    async answered({ uid, call }) {
      const interaction = await interactions.find(uid);
      const answer = interaction && answerOf(interaction);
      const isOwn = answer === undefined || !(await isElsewhere(call, signInOf(interaction?.result)));
      return isOwn ? answer : `${INTERACTION_PATH}/${uid}`;
    },
    abort: ({ uid }, { error, description }) =>
      finishWithoutConsent(uid, { error, error_description: description }),
    refuse: ({ uid, unregisteredScopes }) => finishWithoutConsent(uid, refusedFor(unregisteredScopes)),
  };
}
